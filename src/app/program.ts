import { setMaxListeners } from "node:events";
import { resolve, sep } from "node:path";
import { interruptSignal, parentEndedSignal, stopOnEventLoop } from "../lib/stop-signal.ts";
import { version } from "../lib/version.ts";
import type { CliHost, LaunchCommand, Screen } from "../transports/cli/host.ts";
import { NPX_LAUNCH } from "../transports/cli/mcp-config.ts";
import { runCommand } from "../transports/cli/run.ts";
import { catalogue } from "./catalogue.ts";
import { type Config, describeConfig, isStartedByNpm, readConfig } from "./config.ts";
import type { App, AppOverrides, Installation } from "./installation.ts";
import { publicUrlOf } from "./public-url.ts";

/**
 * Runs a command in this process and sets the exit code. `file` is the executable, for commands that start the program
 * again.
 */
export async function runProgram(words: readonly string[], file: string): Promise<void> {
  process.umask(0o077);
  const interrupt = isStartedByNpm()
    ? AbortSignal.any([interruptSignal(), parentEndedSignal()])
    : interruptSignal();
  stopOnEventLoop();
  process.stderr.on("error", () => {});
  // One call may request twenty symbols from many providers, each of which listens for its abort signal.
  setMaxListeners(200);
  const host = await hostOf(interrupt, file);
  const code = await runCommand([...words], host);
  // An interrupted command may have left work running.
  if (code === 130) process.exit(code);
  process.exitCode = code;
}

async function hostOf(signal: AbortSignal, file: string): Promise<CliHost> {
  const out = await screenOf(process.stdout);
  const err = await screenOf(process.stderr);
  const onKeyCreated = (keyFile: string, advice: string) => noteMasterKeyCreated(err, keyFile, advice);
  const openQuietApp = () => openApp(withQuietLog(readConfig()), { onKeyCreated });
  return {
    version: version(),
    catalogue: Object.values(catalogue),
    out,
    err,
    signal,
    settings: () => describeConfig(),
    publicUrl: () => publicUrlOf(readConfig()),
    open: openQuietApp,
    splitFault: async (bars) => (await import("../analytics/score/split-fault.ts")).splitFault(bars),
    importBars: async (request) =>
      (await import("./market.ts")).importBars(withQuietLog(readConfig()), request),
    openKeys: openQuietInstallation,
    async openVault() {
      const { secretStore, close } = await openQuietInstallation();
      return { ...secretStore, close };
    },
    async openAudit() {
      const { createAuditService } = await import("../access/audit/audit-check.ts");
      return createAuditService(await openQuietInstallation());
    },
    async openTrading() {
      const { createTradingService } = await import("../features/trading/trading-service.ts");
      return createTradingService(await openQuietApp());
    },
    ...(process.stdin.isTTY && out.isTTY && { prompt: (question) => promptAtTerminal(question, signal) }),
    serve: ({ processes }) => serveProcesses(processes, { config: readConfig(), out, err, signal }),
    stdio: (filter) => stdio(filter, err, signal),
    launchCommand: () => launchCommand(file),
  };
}

async function screenOf(stream: NodeJS.WriteStream): Promise<Screen> {
  const write = (text: string) => void stream.write(text);
  if (stream.isTTY !== true) return { write, isTTY: false, colour: false };
  // loaded for terminals only: the width tables take longer than many a command
  const { wrapLines } = await import("../lib/wrap-lines.ts");
  const wrap = (text: string) => wrapLines(text, stream.columns);
  return { write, isTTY: true, colour: stream.hasColors(), wrap }; // hasColors respects NO_COLOR and FORCE_COLOR
}

/** Loads the application only for commands that need it, so that help and settings are fast. */
const openApp = async (config: Config, overrides: AppOverrides = {}): Promise<App> =>
  (await import("./app.ts")).createApp(config, overrides);

const openQuietInstallation = async (): Promise<Installation> =>
  (await import("./installation.ts")).openInstallation(withQuietLog(readConfig()));

/** Replaces log level info by error for a single command, which writes its own errors. */
const withQuietLog = (config: Config): Config => ({
  ...config,
  LOG_LEVEL: config.LOG_LEVEL === "info" ? "error" : config.LOG_LEVEL,
});

/**
 * Runs the server: in this process, or with more than one process as the primary process or as one of its workers.
 * Returns the exit code.
 */
async function serveProcesses(
  processes: number,
  options: {
    readonly config: Config;
    readonly out: Screen;
    readonly err: Screen;
    readonly signal: AbortSignal;
  },
): Promise<number> {
  const { default: cluster } = await import("node:cluster");
  const { createLog } = await import("../lib/log.ts");
  const log = createLog(options.config.LOG_LEVEL);
  if (cluster.isPrimary && processes > 1) {
    const { runWorkers } = await import("./processes/primary.ts");
    const { signal, err } = options;
    const report = (sentence: string) => err.write(`market-signal: ${sentence}\n`);
    return runWorkers(processes, { signal, log, report });
  }
  const { serve } = await import("./serve.ts");
  if (cluster.isPrimary) await serve(options);
  else {
    const { connectWorker } = await import("./processes/peers.ts");
    try {
      await serve({ ...options, worker: await connectWorker(process, log) });
    } finally {
      process.channel?.unref(); // the open channel would keep the process running
    }
  }
  return 0;
}

async function stdio(
  filter: Parameters<CliHost["stdio"]>[0],
  err: Screen,
  signal: AbortSignal,
): Promise<void> {
  const { serveMcpStdio } = await import("../transports/mcp/stdio.ts");
  const { termsNotes } = await import("./providers/provider-notes.ts");
  const config = readConfig();
  const { registry, ports, owner, live, close } = await openApp(config, { runsOnRequest: true });
  try {
    for (const note of live === null ? [] : termsNotes(live.providers, config.PROVIDERS))
      err.write(`note: ${note}\n`);
    if (process.stdin.isTTY && err.isTTY)
      err.write(
        "Waiting for an MCP client on stdin. `npx market-signal mcp config --stdio` prints the client settings.\n",
      );
    const ended = serveMcpStdio({ registry, ports, principal: owner, version: version(), ...filter });
    await Promise.race([ended, aborted(signal)]);
  } finally {
    process.stdin.destroy();
    await close();
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    if (signal.aborted) done();
    signal.addEventListener("abort", () => done(), { once: true });
  });

/** Writes a note that a master key was created, which the log of a single command omits. */
function noteMasterKeyCreated(err: Screen, file: string, advice: string): void {
  err.write(
    `note: a master key for broker credentials, other secrets and the audit log was created: ${file}\n${advice}\n`,
  );
}

/** Command that starts this program with the same data folder and market. */
function launchCommand(file: string): LaunchCommand {
  const started = isNpxFolder(file)
    ? NPX_LAUNCH
    : { command: process.execPath, args: [...process.execArgv, file] };
  const changed = describeConfig().filter(({ source }) => source === "environment");
  const env = changed.flatMap(({ name, value }) => {
    if (
      value === null ||
      !/^(DATA_DIR|MASTER_KEY_FILE|MARKET_DATA|PROVIDERS|PROVIDERS_OFF|PROVIDER_URL_.*)$/.test(name)
    )
      return [];
    return [[name, value.replace(/^files:(.*)$/s, (_, dir: string) => `files:${resolve(dir)}`)] as const];
  });
  return { ...started, ...(env.length > 0 && { env: Object.fromEntries(env) }) };
}

/** Returns true for a file in the cache of npx, which npm may delete at any time. */
const isNpxFolder = (file: string): boolean => file.split(sep).includes("_npx");

async function promptAtTerminal(question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await lines.question(question, { signal });
  } finally {
    lines.close();
  }
}
