import { setMaxListeners } from "node:events";
import { dirname, sep } from "node:path";
import { interruptSignal, parentEndedSignal, stopOnEventLoop } from "../lib/stop-signal.ts";
import { version } from "../lib/version.ts";
import { assertDataDir } from "../store/data-dir.ts";
import type { CliHost, LaunchCommand, OpenOptions, Screen } from "../transports/cli/host.ts";
import type { Setting } from "../transports/cli/host-settings.ts";
import type { Invocation } from "../transports/cli/invocation.ts";
import { NPX_LAUNCH } from "../transports/cli/mcp-config.ts";
import { runCommand } from "../transports/cli/run.ts";
import { withProgramName } from "../transports/cli/screen.ts";
import type { ServerHello } from "../transports/local/messages.ts";
import { readBackupPassphrase } from "./backup-passphrase.ts";
import { catalogue } from "./catalogue.ts";
import {
  type Config,
  describeConfig,
  isStartedByNpm,
  loadConfig,
  loadSettingsFile,
  npmScript,
  type OptionValues,
  optionOf,
  readConfig,
} from "./config.ts";
import type { App, AppOverrides, Installation } from "./installation.ts";
import { invocationOf, processFacts } from "./invocation.ts";
import { promptAtTerminal, readSecret } from "./prompts.ts";
import { publicUrlOf } from "./public-url.ts";
import { isSecret, SETTING_NAMES, SETTINGS, type SettingName, withAbsolutePath } from "./setting-table.ts";

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
  const host = hostOf(interrupt, file);
  const code = await runCommand([...words], host);
  // An interrupted command may have left work running.
  if (code === 130) process.exit(code);
  process.exitCode = code;
}

function hostOf(signal: AbortSignal, file: string): CliHost {
  const invocation = invocationOf(processFacts({ byNpm: isStartedByNpm(), script: npmScript() }));
  const out = screenOf(process.stdout, invocation, { isWrapped: true });
  const err = screenOf(process.stderr, invocation, { isWrapped: false }); // a log, if it is no terminal
  const onKeyCreated = (keyFile: string, advice: string) => noteMasterKeyCreated(err, keyFile, advice);
  const commandConfig = async () => withQuietLog(await loadCommandConfig());
  const openQuietApp = async ({ isExisting = false }: OpenOptions = {}) => {
    const config = await commandConfig();
    if (isExisting) assertDataDir(config.DATA_DIR);
    return openApp(config, { onKeyCreated });
  };
  const interrupt = () => void process.emit("SIGINT", "SIGINT");
  const terminal = { input: process.stdin, output: process.stdout, signal, interrupt };
  return {
    version: version(),
    catalogue: Object.values(catalogue),
    out,
    err,
    signal,
    settings: describeSettings,
    settingOptions: SETTING_NAMES.filter((name) => !isSecret(name)).map((name) => ({
      name,
      option: optionOf(name),
      purpose: SETTINGS[name].description ?? "",
    })),
    providerKeys: async () => (await import("./providers/provider-terms.ts")).providerKeys(),
    async storeSetting(name, text) {
      const { storeSetting } = await import("./store-setting.ts");
      return storeSetting(name as SettingName, text, {
        dataDir: dirname((await loadSettingsFile()).path),
        folder: process.cwd(),
        openInstallation: () => openQuietInstallation({ onKeyCreated }, { isExisting: false }),
      });
    },
    readSecret: (prompt) => readSecret(prompt, terminal),
    server: findServer,
    publicUrl: async () => (await findServer())?.url ?? publicUrlOf(await loadConfig()),
    dataVersion: async () => (await import("./database-command.ts")).dataVersionOf(await loadConfig()),
    connect: async () => (await import("./local-calls.ts")).connectToServer(await loadConfig(), err),
    open: openQuietApp,
    splitFault: async (bars) => (await import("../analytics/score/split-fault.ts")).splitFault(bars),
    importBars: async (request) => (await import("./market.ts")).importBars(await commandConfig(), request),
    openKeys: (options) => openQuietInstallation({}, options),
    async openAccounts() {
      const { openedAccounts } = await import("./accounts.ts");
      return openedAccounts(await openQuietInstallation({ onKeyCreated }));
    },
    async openVault({ isAlone } = { isAlone: false }) {
      if (isAlone) {
        const { assertDatabaseUnused } = await import("./open-database.ts");
        await assertDatabaseUnused(await loadConfig(), "run vault forget --yes");
      }
      const { secretStore, close } = await openQuietInstallation();
      return { ...secretStore, close };
    },
    async openAudit() {
      const { createAuditService } = await import("../access/audit/audit-check.ts");
      return createAuditService(await openQuietInstallation());
    },
    async openTrading() {
      const { createTradingService } = await import("../features/trading/trading-service.ts");
      return createTradingService(await openQuietApp({ isExisting: true }));
    },
    async backUp({ out: path, withKeys }) {
      const { backUpInstallation, hasKeys, runHook } = await import("./backup-command.ts");
      const config = await loadConfig();
      const passphrase =
        withKeys && hasKeys(config) ? await readBackupPassphrase(config, terminal, { isNew: true }) : null;
      const report = await backUpInstallation(config, { out: path, passphrase });
      return { ...report, hook: await runHook(config, report.file, signal) };
    },
    async restore(options) {
      const { restoreBackup } = await import("./restore-command.ts");
      const config = withQuietLog(await loadConfig());
      const passphrase = () => readBackupPassphrase(config, terminal, { isNew: false });
      return restoreBackup(config, { ...options, passphrase });
    },
    database: async () =>
      (await import("./database-command.ts")).databaseAdmin(withQuietLog(await loadConfig()), signal),
    ...(process.stdin.isTTY && out.isTTY && { prompt: (prompt) => promptAtTerminal(prompt, terminal) }),
    async serve({ processes, options: values }) {
      const options = values as OptionValues;
      const file = await loadSettingsFile(options);
      return serveProcesses(processes, {
        config: readConfig(undefined, { options, file }),
        describeSettings: (sealed) => describeConfig(undefined, { options, file, sealed }),
        out,
        err,
        signal,
      });
    },
    work: async () =>
      (await import("./worker.ts")).runWorker({ config: await loadCommandConfig(), out, signal }),
    stdio: (filter) => stdio(filter, err, signal),
    launchCommand: () => launchCommand(file),
  };
}

/** Width of standard output that is no terminal, or one of unknown width. */
const DEFAULT_COLUMNS = 80;

function screenOf(
  stream: NodeJS.WriteStream,
  invocation: Invocation,
  { isWrapped }: { readonly isWrapped: boolean },
): Screen {
  const isTTY = stream.isTTY === true;
  return {
    write: (text) => void stream.write(text),
    isTTY,
    invocation,
    colour: isTTY && stream.hasColors(), // respects NO_COLOR and FORCE_COLOR
    get columns() {
      return isTTY || isWrapped ? stream.columns || DEFAULT_COLUMNS : undefined;
    },
  };
}

/** Loads the client of the local socket only for commands that open the data folder. */
const loadCommandConfig = async (): Promise<Config> => (await import("./local-calls.ts")).loadCommandConfig();

const findServer = async (): Promise<ServerHello | null> =>
  (await import("./running-server.ts")).findServer((await loadConfig()).DATA_DIR);

/** Loads the application only for commands that need it, so that help and settings are fast. */
const openApp = async (config: Config, overrides: AppOverrides = {}): Promise<App> =>
  (await import("./app.ts")).createApp(config, overrides);

/** Opens the installation without a market for one command. Default: only a data folder that exists. */
async function openQuietInstallation(
  overrides: AppOverrides = {},
  { isExisting = true }: OpenOptions = {},
): Promise<Installation> {
  const config = withQuietLog(await loadConfig());
  if (isExisting) assertDataDir(config.DATA_DIR);
  return (await import("./installation.ts")).openInstallation(config, overrides);
}

/** Describes the settings of the installation with those in its file and in its vault. */
async function describeSettings(): Promise<readonly Setting[]> {
  const file = await loadSettingsFile();
  const { readSealedSettingNames } = await import("./sealed-settings.ts");
  return describeConfig(undefined, { file, sealed: await readSealedSettingNames(dirname(file.path)) });
}

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
    readonly describeSettings: (sealed: ReadonlySet<SettingName>) => readonly Setting[];
    readonly out: Screen;
    readonly err: Screen;
    readonly signal: AbortSignal;
  },
): Promise<number> {
  const { default: cluster } = await import("node:cluster");
  const { openLog } = await import("./open-log.ts");
  const log = openLog(options.config);
  // sent by log rotation, which a server without a terminal survives: its log file is opened for each write
  if (options.config.LOG_FILE !== undefined && !process.stdin.isTTY) process.on("SIGHUP", () => {});
  if (cluster.isPrimary && processes > 1) {
    const { runWorkers } = await import("./processes/primary.ts");
    const { signal, err } = options;
    const report = (sentence: string) => err.write(`market-signal: ${sentence}\n`);
    return runWorkers(processes, { signal, log, report });
  }
  const { serve } = await import("./serve.ts");
  if (cluster.isPrimary) await serve({ ...options, log });
  else {
    const { connectWorker } = await import("./processes/peers.ts");
    try {
      await serve({ ...options, log, worker: await connectWorker(process, log) });
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
  const config = await loadCommandConfig();
  const { registry, ports, owner, live, close } = await openApp(config, { runsOnRequest: true });
  try {
    for (const note of live === null ? [] : termsNotes(live.providers, config.PROVIDERS))
      err.write(withProgramName(err, `note: ${note}\n`));
    if (process.stdin.isTTY && err.isTTY)
      err.write(
        withProgramName(
          err,
          "Waiting for an MCP client on stdin. `market-signal mcp config --stdio` prints the client settings.\n",
        ),
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
    return [[name, withAbsolutePath(name as SettingName, value, process.cwd())] as const];
  });
  return { ...started, ...(env.length > 0 && { env: Object.fromEntries(env) }) };
}

/** Returns true for a file in the cache of npx, which npm may delete at any time. */
const isNpxFolder = (file: string): boolean => file.split(sep).includes("_npx");
