import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserSessions } from "../access/sign-in/browser-sessions.ts";
import { SetupError } from "../lib/setup-error.ts";
import { version } from "../lib/version.ts";
import { FIRST_KEY_FILE, OPEN_LINK_FILE } from "../store/data-dir.ts";
import type { Screen } from "../transports/cli/host.ts";
import type { Setting } from "../transports/cli/host-settings.ts";
import { painter, withProgramName } from "../transports/cli/screen.ts";
import { formatWelcome } from "../transports/cli/welcome.text.ts";
import { exampleRequestPath, LINK_PATH } from "../transports/connect.ts";
import { listen } from "../transports/http/listen.ts";
import { createHttpApplication, type HttpApplication } from "../transports/site.ts";
import { createApp } from "./app.ts";
import { allowsApps, type Config, environmentFault, misspeltNotes } from "./config.ts";
import type { App } from "./installation.ts";
import { installationAdmin } from "./installation-admin.ts";
import { type LocalSocket, openLocalSocket } from "./local-calls.ts";
import { nodeNotes } from "./node-notes.ts";
import { noteDatabaseOf } from "./open-database.ts";
import type { openLog } from "./open-log.ts";
import type { Worker } from "./processes/peers.ts";
import { brokerNotes } from "./providers/brokers.ts";
import { providerNotes } from "./providers/provider-notes.ts";
import { isWildcard, publicUrlOf } from "./public-url.ts";
import { pathNotes } from "./setting-paths.ts";
import { SETTING_NAMES, type SettingName } from "./setting-table.ts";
import { openTracing } from "./tracing.ts";

/** Time after an interrupt at which a server exits in any case. */
const FORCED_EXIT_MS = 9_500;
/** Time after the start at which the classifiers are loaded, in milliseconds: after the first health checks. */
const CLASSIFIERS_DELAY_MS = 500;
/** Time after the start at which a note is shown if no price provider has responded. */
const NO_PROVIDER_NOTE_DELAY_MS = 5_000;

interface ServeOptions {
  readonly config: Config;
  readonly out: Screen;
  readonly signal: AbortSignal;
  readonly log: ReturnType<typeof openLog>;
  /** Describes the settings, given the names of those in the vault. */
  readonly describeSettings: (sealed: ReadonlySet<SettingName>) => readonly Setting[];
  /** Role and peers of this process if it is one of several. Default: the only process. */
  readonly worker?: Worker;
}

/** Runs the server until the signal is aborted; then running requests finish, and the process exits within 10 s. */
export async function serve({
  config,
  out,
  signal,
  log,
  describeSettings,
  worker,
}: ServeOptions): Promise<void> {
  const { backgroundWork = true } = worker ?? {};
  const exitInTime = () => void setTimeout(() => process.exit(0), FORCED_EXIT_MS).unref();
  const fault = environmentFault();
  if (fault !== null) throw new SetupError(fault);
  if (signal.aborted) return;
  signal.addEventListener("abort", exitInTime, { once: true });
  const tracer = await openTracing(config, { log });
  const app = await createApp(config, {
    ...(worker && { peers: worker.peers, processes: worker.count }),
    log,
    tracer: tracer ?? undefined,
  });
  const interrupted = new Promise<void>((done) => {
    if (signal.aborted) done();
    signal.addEventListener("abort", () => done(), { once: true });
  });
  try {
    await Promise.race([app.store.waitForWriteLock(), interrupted]);
    if (signal.aborted) return;
    // seals the first secret, so that a server with another master key is refused
    if (app.store.replicas !== null) await app.keyedHash("").catch(() => app.verifySecrets());
    await import("../features/requests/interpret.ts"); // the first question would pause all other calls
    const [a2aTasks, a2aPush] = [await app.a2aTasks(), await app.a2aPush()];
    // created in the same turn in which the server begins to listen, so before its first request
    let site: HttpApplication;
    let socket: LocalSocket | null = null;
    const listening = await listen((request, env) => site.fetch(request, env), {
      host: config.HOST,
      port: worker?.port ?? config.PORT,
      onError: (cause) => app.log.error("connection", { cause }),
    });
    try {
      const url = publicUrlOf(config, listening.port);
      site = createHttpApplication({
        registry: app.registry,
        ports: app.ports,
        identify: app.authenticate,
        a2aTasks,
        a2aPush,
        idempotency: app.idempotency,
        streamTokens: app.streamTokens,
        clientSessions: app.clientSessions,
        ...app.openSignIn(url),
        browserSessions: withoutSpentFile(app, config),
        accounts: app.accounts,
        installation: installationAdmin(app, {
          logTail: log.tail,
          settings: describeSettings(sealedNames(config, app.config)).map(settingRow),
        }),
        operation: app.operation(() => app.store.replicas?.leads() ?? backgroundWork),
        peers: app.peers,
        ...(worker && { workers: worker.peers }),
        settings: {
          version: version(),
          publicUrl: url,
          isPublic: config.PUBLIC_URL !== undefined,
          allowedHosts: [
            "127.0.0.1",
            "localhost",
            "::1",
            new URL(url).hostname,
            config.HOST,
            ...config.ALLOWED_HOSTS,
          ],
          corsOrigins: config.CORS_ORIGINS,
          trustProxy: config.TRUST_PROXY,
          metricsToken: app.config.METRICS_TOKEN ?? null,
        },
      });
      await noteDatabaseOf(config);
      await app.store.replicas?.join();
      // from its first request on, so that a worker that stops answering is replaced after seconds
      worker?.listening(listening.port);
      if (backgroundWork) {
        // commands ask the process with the background work, whose progress they can show
        socket = await openLocalSocket(app, url);
        const text = await formatBanner(app, { url, out, notes: socket.notes });
        log.flush(); // the banner comes after all log lines of the start
        out.write(withProgramName(out, text));
      }
      app.start({ backgroundWork });
      // loads the classifiers of requests, for which the first question would wait
      setTimeout(() => app.ports.toolSearch.rank(""), CLASSIFIERS_DELAY_MS).unref();
      if (backgroundWork)
        setTimeout(
          () => out.write(withProgramName(out, formatNoProviderNote(app))),
          NO_PROVIDER_NOTE_DELAY_MS,
        ).unref();
      await interrupted;
      await site.drain();
    } finally {
      await Promise.all([listening.close(), socket?.close()]);
    }
  } finally {
    await app.close();
    await tracer?.close();
  }
}

/** Returns the sessions of browsers; the file with a link is removed once that link is used. */
const withoutSpentFile = ({ browserSessions }: App, { DATA_DIR }: Config): BrowserSessions => ({
  ...browserSessions,
  async begin(link, userAgent) {
    const session = await browserSessions.begin(link, userAgent);
    const file = join(DATA_DIR, OPEN_LINK_FILE);
    if (existsSync(file) && readFileSync(file, "utf8").trim().endsWith(`/${link}`)) rmSync(file);
    return session;
  },
});

/** Creates the key of a new installation. Returns the text that shows it and where clients reach the server. */
async function formatBanner(
  app: App,
  { url, out, notes }: { readonly url: string; readonly out: Screen; readonly notes: readonly string[] },
): Promise<string> {
  const { config } = app;
  const files = app.files?.();
  const first = await app.access.createFirstKey();
  const keyFile = first === null ? firstKeyFile(config) : writeOwnFile(config, FIRST_KEY_FILE, first.key);
  const page = `${url}${LINK_PATH}/${(await app.browserSessions.issueLink()).token}`;
  const pageFile = writeOwnFile(config, OPEN_LINK_FILE, page);
  return formatWelcome(
    {
      version: version(),
      url,
      dataDir: config.DATA_DIR,
      mode: app.ports.market.mode,
      market: formatMarketSummary(app, files?.series.length ?? null),
      example: exampleRequestPath(app.registry, app.ports.market),
      key: out.isTTY ? (first?.key ?? null) : null,
      keyFile,
      page: out.isTTY ? page : null,
      pageFile,
      allowsApps: allowsApps(config),
      notes: [
        ...(app.ports.market.notes?.() ?? []),
        ...misspeltNotes(),
        ...configNotes(config, files?.skipped.length ?? 0),
        ...pathNotes(config),
        ...brokerNotes(config),
        ...(app.live === null
          ? []
          : [...providerNotes(app.live.providers, config.PROVIDERS), ...app.live.advice]),
        ...notes,
        ...(await firstRunNotes(app)),
        ...(await app.restoreNotes()),
        ...nodeNotes(process.versions.node),
      ],
    },
    painter(out),
  );
}

function formatMarketSummary({ ports, live }: Pick<App, "ports" | "live">, series: number | null): string {
  const symbols = `${ports.symbols.members().length} symbols`;
  if (live !== null) {
    const replaced = live.providers.filter(({ replacementUrl }) => replacementUrl !== null).length;
    return replaced === 0
      ? `Live prices of real markets, ${symbols} known`
      : `Prices from replacement URLs for ${replaced} of ${live.providers.length} providers: not a real market, ${symbols} known`;
  }
  return series === null ? symbols : `${symbols} in ${series} series of files`;
}

/** Note on the nightly runs that start at once with live prices because none has finished yet. */
async function firstRunNotes({ engine, ports: { market } }: App): Promise<readonly string[]> {
  if (market.mode !== "live") return [];
  const names = { crypto: "coins", sp500: "large US stocks", all: "instruments" } as const;
  const runs = (await engine.firstRuns()).map(({ universe, members }) => `${members} ${names[universe]}`);
  if (runs.length === 0) return [];
  return [
    `the first nightly run starts now in the background: ${runs.join(", then ")}, largest first, within the limits of the providers. The screener and the indices answer from what is done; \`market-signal health\` shows the progress`,
  ];
}

/** Note for the operator if no price provider has responded yet; else empty. */
function formatNoProviderNote({ ports, live }: Pick<App, "ports" | "live">): string {
  const reports = live === null ? [] : ports.providerHealth.current();
  if (reports.length === 0 || reports.some(({ answering }) => answering)) return "";
  const names = reports.map(({ name }) => name).join(", ");
  return `  note no provider has responded yet (${names}): is this machine online? \`market-signal doctor\` checks each\n\n`;
}

/** Returns the file with the first key; null if its owner has deleted it. */
function firstKeyFile({ DATA_DIR }: Config): string | null {
  const file = join(DATA_DIR, FIRST_KEY_FILE);
  return existsSync(file) ? file : null;
}

/** Writes a secret of which only the hash is stored to a file that only its owner can read. */
function writeOwnFile({ DATA_DIR }: Config, name: string, secret: string): string {
  const file = join(DATA_DIR, name);
  rmSync(file, { force: true }); // an existing file would keep its mode
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: "wx" });
  return file;
}

/** Returns the names of the settings that came from the vault. */
const sealedNames = (given: Config, used: Config): ReadonlySet<SettingName> =>
  new Set(SETTING_NAMES.filter((name) => given[name] === undefined && used[name] !== undefined));

const settingRow = ({ name, value, source, purpose, secret }: Setting) => ({
  name,
  value,
  source,
  purpose,
  secret,
});

const configNotes = (config: Config, skipped: number): readonly string[] => [
  ...(skipped > 0 ? [`${skipped} files are not used; \`market-signal doctor\` shows why`] : []),
  ...(isWildcard(config.HOST) && config.PUBLIC_URL === undefined && config.ALLOWED_HOSTS.length === 0
    ? ["set ALLOWED_HOSTS or PUBLIC_URL to the host name that clients use for this machine"]
    : []),
  ...(config.REDIS_URL === undefined ? [] : ["REDIS_URL is set and not used by this version"]),
];
