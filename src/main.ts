#!/usr/bin/env node
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as catalogue from "../tools/index.ts";
import { type Config, describeConfig, readConfig } from "./config.ts";
import type { CliHost, Screen } from "./doors/cli/host.ts";
import { runCommand } from "./doors/cli/run.ts";
import { painter } from "./doors/cli/screen.ts";
import { welcome } from "./doors/cli/welcome.ts";
import { version } from "./lib/version.ts";

process.umask(0o077);

const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort());
const interrupted = new Promise<void>((resolve) =>
  interrupt.signal.addEventListener("abort", () => resolve(), { once: true }),
);

const screen = (stream: NodeJS.WriteStream): Screen => ({
  write: (text) => void stream.write(text),
  isTTY: stream.isTTY === true,
  colour: stream.isTTY === true && stream.hasColors(),
});
const out = screen(process.stdout);

/** Loaded when a command opens an installation, so that help and settings answer at once. */
const openApp = async (config: Config) => (await import("./app.ts")).createApp(config);
/** A single command tells its failures itself; the log keeps what went wrong inside. */
const quiet = (config: Config): Config => ({
  ...config,
  LOG_LEVEL: config.LOG_LEVEL === "info" ? "error" : config.LOG_LEVEL,
});

const urlOf = ({ PUBLIC_URL, HOST, PORT }: Config, port = PORT): string =>
  (PUBLIC_URL ?? `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${port}`).replace(/\/$/, "");
const ANY_ADDRESS = ["0.0.0.0", "::"];

async function serve(): Promise<void> {
  const config = readConfig();
  const [app, { createSite }, { listen }] = await Promise.all([
    openApp(config),
    import("./doors/site.ts"),
    import("./doors/listen.ts"),
  ]);
  const publicUrl = urlOf(config);
  const site = createSite({
    registry: app.registry,
    ports: app.ports,
    identify: app.identify,
    settings: {
      version: version(),
      publicUrl,
      allowedHosts: [
        "127.0.0.1",
        "localhost",
        "::1",
        new URL(publicUrl).hostname,
        config.HOST,
        ...config.ALLOWED_HOSTS,
      ],
      trustProxy: config.TRUST_PROXY,
      metricsToken: config.METRICS_TOKEN ?? null,
    },
  });
  try {
    const listening = await listen(site.fetch, { host: config.HOST, port: config.PORT });
    const files = app.files?.();
    const first = await app.access.firstRun();
    const keyFile = first === null || out.isTTY ? null : keepKey(config, first.key);
    out.write(
      welcome(
        {
          version: version(),
          url: urlOf(config, listening.port),
          dataDir: config.DATA_DIR,
          mode: app.ports.market.mode,
          market: `${app.ports.symbols.members().length} symbols${files === undefined ? "" : ` in ${files.series.length} series of files`}`,
          key: keyFile === null ? (first?.key ?? null) : null,
          keyFile,
          notes: notesOf(config, files?.skipped.length ?? 0),
        },
        painter(out),
      ),
    );
    await interrupted;
    await site.drain();
    await listening.close();
  } finally {
    await app.close();
  }
}

/** Without a terminal the first key waits in a file for the owner's eyes. */
function keepKey({ DATA_DIR }: Config, key: string): string {
  mkdirSync(DATA_DIR, { recursive: true, mode: 0o700 });
  const file = join(DATA_DIR, "first-key.txt");
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return file;
}

const notesOf = (config: Config, skipped: number): readonly string[] => [
  ...(skipped > 0 ? [`${skipped} files are not used; market-signal doctor says why`] : []),
  ...(ANY_ADDRESS.includes(config.HOST) &&
  config.PUBLIC_URL === undefined &&
  config.ALLOWED_HOSTS.length === 0
    ? ["set ALLOWED_HOSTS or PUBLIC_URL to the name that others use for this machine"]
    : []),
  ...(["DATABASE_URL", "REDIS_URL", "MASTER_KEY"] as const)
    .filter((name) => config[name] !== undefined)
    .map((name) => `${name} is set and not used by this version`),
];

const host: CliHost = {
  version: version(),
  catalogue: Object.values(catalogue),
  out,
  err: screen(process.stderr),
  signal: interrupt.signal,
  settings: () => describeConfig(readConfig()),
  publicUrl: () => urlOf(readConfig()),
  open: () => openApp(quiet(readConfig())),
  openKeys: async () => (await import("./app.ts")).openDesk(quiet(readConfig())),
  serve,
  async stdio(shelf) {
    const { serveMcpStdio } = await import("./doors/mcp/stdio.ts");
    const { registry, ports, owner, close } = await openApp(readConfig());
    interrupt.signal.addEventListener("abort", () => process.stdin.destroy(), { once: true });
    await serveMcpStdio({ registry, ports, principal: owner, version: version(), ...shelf });
    await close();
  },
};

process.exitCode = await runCommand(process.argv.slice(2), host);
