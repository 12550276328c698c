#!/usr/bin/env node
import { setMaxListeners } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { App } from "./app/app.ts";
import { catalogue } from "./app/catalogue.ts";
import { type Config, describeConfig, readConfig } from "./app/config.ts";
import type { AppOverrides } from "./app/installation.ts";
import { version } from "./lib/version.ts";
import type { CliHost, LaunchCommand, Screen } from "./transports/cli/host.ts";
import { runCommand } from "./transports/cli/run.ts";
import { painter } from "./transports/cli/screen.ts";
import { formatWelcome } from "./transports/cli/welcome.text.ts";
import { exampleRequestPath } from "./transports/connect.ts";
import type { Site } from "./transports/site.ts";

process.umask(0o077);

const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort());
const interrupted = new Promise<void>((done) =>
  interrupt.signal.addEventListener("abort", () => done(), { once: true }),
);
/** Everything is over by then, whatever still hangs. */
const FORCED_EXIT_MS = 9_500;
/** So long after the start it is odd that no source of prices has answered. */
const NO_PROVIDER_NOTE_DELAY_MS = 5_000;

process.stderr.on("error", () => {});
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  // A reader that has seen enough, as `head`, is no failure.
  if (code === "EPIPE") return;
  process.stderr.write(`market-signal: the answer cannot be written (${code})\n`);
  process.once("exit", () => {
    process.exitCode = 1;
  });
});

const screen = (stream: NodeJS.WriteStream): Screen => ({
  write: (text) => void stream.write(text),
  isTTY: stream.isTTY === true,
  // NO_COLOR and FORCE_COLOR are heard here.
  colour: stream.isTTY === true && stream.hasColors(),
  get columns() {
    return stream.isTTY === true ? stream.columns : undefined;
  },
});
const out = screen(process.stdout);
const err = screen(process.stderr);

/** Loaded when a command opens an installation, so that help and settings answer at once. */
const openApp = async (config: Config, outside: AppOverrides = {}) =>
  (await import("./app/app.ts")).createApp(config, outside);
/** A single command tells its failures itself; the log keeps what went wrong inside. */
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
  const [app, { createSite }, { listen }, { brokerNotes }] = await Promise.all([
    openApp(config),
    import("./transports/site.ts"),
    import("./transports/http/listen.ts"),
    import("./app/providers/brokers.ts"),
  ]);
  try {
    let site: Site;
    const listening = await listen((request, env) => site.fetch(request, env), {
      host: config.HOST,
      port: config.PORT,
      onError: (cause) => app.log.error("connection", { cause }),
    });
    try {
      const url = publicUrlOf(config, listening.port);
      site = createSite({
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
      : `Prices of stand-ins for ${replaced} of ${live.providers.length} sources: no real market, ${symbols} known`;
  }
  return series === null ? symbols : `${symbols} in ${series} series of files`;
}

/** Which sources will be called, and whose business their terms are. */
function providerNotes(live: App["live"]): readonly string[] {
  if (live === null) return [];
  const named = (state: string) => live.providers.filter((source) => source.state === state);
  const on = named("on").map(({ name, replacementUrl }) =>
    replacementUrl === null ? name : `${name} (at ${replacementUrl})`,
  );
  return [
    `these sources are called: ${on.join(", ") || "none"}. Their terms are yours to accept; npx market-signal doctor names them, PROVIDERS_OFF=<names> switches off`,
    ...(named("needs a key").length === 0
      ? []
      : [
          `better with a key: ${named("needs a key")
            .map(({ setting }) => setting)
            .join(", ")}`,
        ]),
  ];
}

/** A line for the person who started the server where nobody has answered yet; empty where somebody has. */
function formatNoProviderNote({ ports, live }: Pick<App, "ports" | "live">): string {
  const asked = live === null ? [] : ports.providerHealth.current();
  if (asked.length === 0 || asked.some(({ answering }) => answering)) return "";
  const names = asked.map(({ name }) => name).join(", ");
  return `  note no source has answered yet (${names}): is this machine online? npx market-signal doctor looks at each\n\n`;
}

/** Without a terminal the first key waits in a file for the owner's eyes. */
function writeFirstKeyFile({ DATA_DIR }: Config, key: string): string {
  const file = join(DATA_DIR, "first-key.txt");
  rmSync(file, { force: true }); // a file that was there would keep its own mode
  writeFileSync(file, `${key}\n`, { mode: 0o600, flag: "wx" });
  return file;
}

const configNotes = (config: Config, skipped: number): readonly string[] => [
  ...(skipped > 0 ? [`${skipped} files are not used; npx market-signal doctor says why`] : []),
  ...(Object.hasOwn(WILDCARD_HOSTS, config.HOST) &&
  config.PUBLIC_URL === undefined &&
  config.ALLOWED_HOSTS.length === 0
    ? ["set ALLOWED_HOSTS or PUBLIC_URL to the name that others use for this machine"]
    : []),
  ...(["DATABASE_URL", "REDIS_URL"] as const)
    .filter((name) => config[name] !== undefined)
    .map((name) => `${name} is set and not used by this version`),
];

async function stdio(shelf: Parameters<CliHost["stdio"]>[0]): Promise<void> {
  const { serveMcpStdio } = await import("./transports/mcp/stdio.ts");
  const { registry, ports, owner, close } = await openApp(readConfig());
  try {
    if (process.stdin.isTTY && err.isTTY)
      err.write(
        "Waiting for an MCP client on stdin; `npx market-signal mcp config --stdio` prints its settings.\n",
      );
    const ended = serveMcpStdio({ registry, ports, principal: owner, version: version(), ...shelf });
    await Promise.race([ended, interrupted]);
  } finally {
    process.stdin.destroy();
    await close();
  }
}

/** The log of a single command is quiet, and this is for the person before it. */
function noteMasterKeyCreated(file: string, advice: string): void {
  err.write(
    `note: the master key of your broker credentials, other secrets and the audit log was made: ${file}\n${advice}\n`,
  );
}

/** This very program, on the data and market it was asked about. */
function launchCommand(): LaunchCommand {
  const made = describeConfig().filter(({ source }) => source === "environment");
  const env = made.flatMap(({ name, value }) => {
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
      import("./access/audit/audit-service.ts"),
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

// One call may ask many sources about twenty symbols, and all of them listen for its end.
setMaxListeners(200);
const code = await runCommand(process.argv.slice(2), host);
// An interrupted command may have left work behind that nobody waits for.
if (code === 130) process.exit(code);
process.exitCode = code;
