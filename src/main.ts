#!/usr/bin/env node
import { setMaxListeners } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { App } from "./app/app.ts";
import { catalogue } from "./app/catalogue.ts";
import { type Config, describeConfig, readConfig } from "./app/config.ts";
import type { AppOverrides } from "./app/installation.ts";
import { stopOnEventLoop } from "./lib/stop-signal.ts";
import { version } from "./lib/version.ts";
import { FIRST_KEY_FILE } from "./store/data-dir.ts";
import type { CliHost, LaunchCommand, Screen } from "./transports/cli/host.ts";
import { runCommand } from "./transports/cli/run.ts";
import { painter } from "./transports/cli/screen.ts";
import { formatWelcome } from "./transports/cli/welcome.text.ts";
import { exampleRequestPath } from "./transports/connect.ts";
import type { HttpApplication } from "./transports/site.ts";

process.umask(0o077);

const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort());
stopOnEventLoop();
const interrupted = new Promise<void>((done) =>
  interrupt.signal.addEventListener("abort", () => done(), { once: true }),
);
/** Time after an interrupt at which a server exits in any case. */
const FORCED_EXIT_MS = 9_500;
/** Time after the start at which a note is shown if no price provider has responded. */
const NO_PROVIDER_NOTE_DELAY_MS = 5_000;

process.stderr.on("error", () => {});
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  // A reader such as `head` may close the pipe early.
  if (code === "EPIPE") return;
  process.stderr.write(`market-signal: the output cannot be written (${code})\n`);
  process.once("exit", () => {
    process.exitCode = 1;
  });
});

async function screenOf(stream: NodeJS.WriteStream): Promise<Screen> {
  const write = (text: string) => void stream.write(text);
  if (stream.isTTY !== true) return { write, isTTY: false, colour: false };
  // loaded for terminals only: the width tables take longer than many a command
  const { wrapLines } = await import("./lib/wrap-lines.ts");
  const wrap = (text: string) => wrapLines(text, stream.columns);
  return { write, isTTY: true, colour: stream.hasColors(), wrap }; // hasColors respects NO_COLOR and FORCE_COLOR
}
const out = await screenOf(process.stdout);
const err = await screenOf(process.stderr);

/** Loads the application only for commands that need it, so that help and settings are fast. */
const openApp = async (config: Config, overrides: AppOverrides = {}) =>
  (await import("./app/app.ts")).createApp(config, overrides);
/** Replaces log level info by error for a single command, which writes its own errors. */
const withQuietLog = (config: Config): Config => ({
  ...config,
  LOG_LEVEL: config.LOG_LEVEL === "info" ? "error" : config.LOG_LEVEL,
});

const WILDCARD_HOSTS: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
function publicUrlOf({ PUBLIC_URL, HOST, PORT }: Config, port = PORT): string {
  const host = WILDCARD_HOSTS[HOST] ?? HOST;
  return (PUBLIC_URL ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`).replace(/\/$/, "");
}

async function serve(): Promise<void> {
  const config = readConfig();
  const [app, { createHttpApplication }, { listen }, { brokerNotes }] = await Promise.all([
    openApp(config),
    import("./transports/site.ts"),
    import("./transports/http/listen.ts"),
    import("./app/providers/brokers.ts"),
  ]);
  try {
    await Promise.race([app.store.waitForWriteLock(), interrupted]);
    if (interrupt.signal.aborted) return;
    let site: HttpApplication;
    const listening = await listen((request, env) => site.fetch(request, env), {
      host: config.HOST,
      port: config.PORT,
      onError: (cause) => app.log.error("connection", { cause }),
    });
    try {
      const url = publicUrlOf(config, listening.port);
      site = createHttpApplication({
        registry: app.registry,
        ports: app.ports,
        identify: app.authenticate,
        a2aTasks: await app.a2aTasks(),
        a2aPush: await app.a2aPush(),
        idempotency: app.idempotency,
        settings: {
          version: version(),
          publicUrl: url,
          allowedHosts: [
            "127.0.0.1",
            "localhost",
            "::1",
            new URL(url).hostname,
            config.HOST,
            ...config.ALLOWED_HOSTS,
          ],
          trustProxy: config.TRUST_PROXY,
          metricsToken: config.METRICS_TOKEN ?? null,
        },
      });
      const files = app.files?.();
      const first = await app.access.createFirstKey();
      const keyFile = first === null || out.isTTY ? null : writeFirstKeyFile(config, first.key);
      out.write(
        formatWelcome(
          {
            version: version(),
            url,
            dataDir: config.DATA_DIR,
            mode: app.ports.market.mode,
            market: formatMarketSummary(app, files?.series.length ?? null),
            example: exampleRequestPath(app.registry, app.ports.market),
            key: keyFile === null ? (first?.key ?? null) : null,
            keyFile,
            notes: [
              ...configNotes(config, files?.skipped.length ?? 0),
              ...brokerNotes(config),
              ...providerNotes(app.live),
            ],
          },
          painter(out),
        ),
      );
      app.start();
      setTimeout(() => out.write(formatNoProviderNote(app)), NO_PROVIDER_NOTE_DELAY_MS).unref();
      await interrupted;
      setTimeout(() => process.exit(0), FORCED_EXIT_MS).unref();
      await site.drain();
    } finally {
      await listening.close();
    }
  } finally {
    await app.close();
  }
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

/** Notes on the providers that will be called, their terms, and the keys that would add more. */
function providerNotes(live: App["live"]): readonly string[] {
  if (live === null) return [];
  const withState = (state: string) => live.providers.filter((provider) => provider.state === state);
  const on = withState("on").map(({ name, replacementUrl }) =>
    replacementUrl === null ? name : `${name} (at ${replacementUrl})`,
  );
  const settings = withState("needs a key").map(({ setting }) => setting);
  return [
    `these providers are called: ${on.join(", ") || "none"}. You accept their terms by using them; npx market-signal doctor lists the terms, PROVIDERS_OFF=<names> switches providers off`,
    ...(settings.length === 0 ? [] : [`more data with a key: ${settings.join(", ")}`]),
  ];
}

/** Note for the operator if no price provider has responded yet; else empty. */
function formatNoProviderNote({ ports, live }: Pick<App, "ports" | "live">): string {
  const reports = live === null ? [] : ports.providerHealth.current();
  if (reports.length === 0 || reports.some(({ answering }) => answering)) return "";
  const names = reports.map(({ name }) => name).join(", ");
  return `  note no provider has responded yet (${names}): is this machine online? npx market-signal doctor checks each\n\n`;
}

/** Writes the first key to a file that only its owner can read, for a start without a terminal. */
function writeFirstKeyFile({ DATA_DIR }: Config, key: string): string {
  const file = join(DATA_DIR, FIRST_KEY_FILE);
  rmSync(file, { force: true }); // an existing file would keep its mode
  writeFileSync(file, `${key}\n`, { mode: 0o600, flag: "wx" });
  return file;
}

const configNotes = (config: Config, skipped: number): readonly string[] => [
  ...(skipped > 0 ? [`${skipped} files are not used; npx market-signal doctor shows why`] : []),
  ...(Object.hasOwn(WILDCARD_HOSTS, config.HOST) &&
  config.PUBLIC_URL === undefined &&
  config.ALLOWED_HOSTS.length === 0
    ? ["set ALLOWED_HOSTS or PUBLIC_URL to the host name that clients use for this machine"]
    : []),
  ...(["DATABASE_URL", "REDIS_URL"] as const)
    .filter((name) => config[name] !== undefined)
    .map((name) => `${name} is set and not used by this version`),
];

async function stdio(filter: Parameters<CliHost["stdio"]>[0]): Promise<void> {
  const { serveMcpStdio } = await import("./transports/mcp/stdio.ts");
  const { registry, ports, owner, close } = await openApp(readConfig());
  try {
    if (process.stdin.isTTY && err.isTTY)
      err.write(
        "Waiting for an MCP client on stdin. `npx market-signal mcp config --stdio` prints the client settings.\n",
      );
    const ended = serveMcpStdio({ registry, ports, principal: owner, version: version(), ...filter });
    await Promise.race([ended, interrupted]);
  } finally {
    process.stdin.destroy();
    await close();
  }
}

/** Writes a note that a master key was created, which the log of a single command omits. */
function noteMasterKeyCreated(file: string, advice: string): void {
  err.write(
    `note: a master key for broker credentials, other secrets and the audit log was created: ${file}\n${advice}\n`,
  );
}

/** Command that starts this program with the same data folder and market. */
function launchCommand(): LaunchCommand {
  const changed = describeConfig().filter(({ source }) => source === "environment");
  const env = changed.flatMap(({ name, value }) => {
    if (
      value === null ||
      !/^(DATA_DIR|MASTER_KEY_FILE|MARKET_DATA|PROVIDERS_OFF|PROVIDER_URL_.*)$/.test(name)
    )
      return [];
    return [[name, value.replace(/^files:(.*)$/s, (_, dir: string) => `files:${resolve(dir)}`)] as const];
  });
  return {
    command: process.execPath,
    args: [...process.execArgv, fileURLToPath(import.meta.url)],
    ...(env.length > 0 && { env: Object.fromEntries(env) }),
  };
}

async function promptAtTerminal(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await lines.question(question, { signal: interrupt.signal });
  } finally {
    lines.close();
  }
}

const host: CliHost = {
  version: version(),
  catalogue: Object.values(catalogue),
  out,
  err,
  signal: interrupt.signal,
  settings: () => describeConfig(),
  publicUrl: () => publicUrlOf(readConfig()),
  open: () => openApp(withQuietLog(readConfig()), { onKeyCreated: noteMasterKeyCreated }),
  importBars: async (request) =>
    (await import("./app/market.ts")).importBars(withQuietLog(readConfig()), request),
  openKeys: async () => (await import("./app/installation.ts")).openInstallation(withQuietLog(readConfig())),
  async openVault() {
    const { secretStore, close } = await (await import("./app/installation.ts")).openInstallation(
      withQuietLog(readConfig()),
    );
    return { ...secretStore, close };
  },
  async openAudit() {
    const [{ openInstallation }, { createAuditService }] = await Promise.all([
      import("./app/installation.ts"),
      import("./access/audit/audit-check.ts"),
    ]);
    return createAuditService(await openInstallation(withQuietLog(readConfig())));
  },
  async openTrading() {
    const { createTradingService } = await import("./features/trading/trading-service.ts");
    return createTradingService(
      await openApp(withQuietLog(readConfig()), { onKeyCreated: noteMasterKeyCreated }),
    );
  },
  ...(process.stdin.isTTY && out.isTTY && { prompt: promptAtTerminal }),
  serve,
  stdio,
  launchCommand,
};

// One call may request twenty symbols from many providers, each of which listens for its abort signal.
setMaxListeners(200);
const code = await runCommand(process.argv.slice(2), host);
// An interrupted command may have left work running.
if (code === 130) process.exit(code);
process.exitCode = code;
