import { setTimeout as sleep } from "node:timers/promises";
import { Command, CommanderError } from "commander";
import { ToolError } from "../../kernel/errors.ts";
import { DEFAULT_TOOLSETS, TOOLSETS, type Tool } from "../../kernel/tool.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { accountsCommand } from "./accounts.ts";
import { agentCommand } from "./agent.ts";
import { auditCommand } from "./audit.ts";
import { backupCommand } from "./backup.ts";
import { createCli } from "./command.ts";
import { completionCommand } from "./completion.ts";
import { dataCommand } from "./data.ts";
import { dbCommand } from "./db.ts";
import { engineCommand } from "./engine.ts";
import { commandNames, examplesOf, normalizeArgv } from "./fields.ts";
import type { CliHost } from "./host.ts";
import { keysCommand } from "./keys.ts";
import { limitsCommand } from "./limits.ts";
import { openCommand } from "./open.ts";
import { operatingCommands } from "./operate.ts";
import { rejectRepeatedOptions } from "./reject-repeated-options.ts";
import { restoreCommand } from "./restore.ts";
import {
  painter,
  usageErrorText,
  withProgramName,
  wrapToScreen,
  writeFailure,
  writeFailureJson,
} from "./screen.ts";
import { toolCommand } from "./tool-command.ts";
import { trackCommand } from "./track.ts";
import { tradesCommand } from "./trades.ts";
import { vaultCommand } from "./vault.ts";

/** Commands that handle an interrupt themselves. */
const LONG_RUNNING_COMMANDS: ReadonlySet<string | undefined> = new Set(["serve", "worker", "stdio", "agent"]);
/** Time that an interrupted command has to end by itself, in milliseconds. */
const GRACE_MS = 500;
/** Width of help for a stream without a width. */
const DEFAULT_COLUMNS = 80;

/** Runs one command line (without node and script) and returns the exit code: 0, 1, 2 or 130. */
export async function runCommand(argv: readonly string[], host: CliHost): Promise<number> {
  let code = 0;
  const finish = (given: number) => {
    code = given;
  };
  const program = programOf(argv, host, finish);
  if (argv.length === 0 || (argv.length === 1 && argv[0] === ALL)) {
    program.outputHelp();
    return 0;
  }
  try {
    const done = program.parseAsync(normalizeArgv(argv, host.catalogue), { from: "user" });
    await (LONG_RUNNING_COMMANDS.has(argv[0])
      ? done
      : Promise.race([done, rejectWhenInterrupted(host.signal)]));
    return code;
  } catch (thrown) {
    return host.signal.aborted ? 130 : reportError(thrown, host, argv.includes("--json"));
  }
}

/** Option of the help that describes all commands. */
const ALL = "--all";
const HELP_WORDS: ReadonlySet<string | undefined> = new Set([undefined, "help", "--help", "-h"]);

/** Builds the program. If the first word of the command line names a tool, it contains that tool only. */
function programOf(argv: readonly string[], host: CliHost, finish: (code: number) => void): Command {
  const [first] = argv;
  const program = new Command("market-signal")
    .usage("<command> [options]")
    .description("Trading analytics for agents and people. A command with --help explains its options.")
    .version(host.version)
    .option(ALL, "with --help: describe all commands")
    .commandsGroup("Operate:");
  const cli = createCli(host, finish);
  const operating = [
    ...operatingCommands(cli),
    backupCommand(cli),
    restoreCommand(cli),
    dbCommand(cli),
    keysCommand(cli),
    openCommand(cli),
    accountsCommand(cli),
    vaultCommand(cli),
    auditCommand(cli),
    limitsCommand(cli),
    tradesCommand(cli),
    dataCommand(cli),
    engineCommand(cli),
    trackCommand(cli),
    agentCommand(cli),
    completionCommand(cli, () => programOf([], host, finish)),
  ];
  const isOperating = operating.some((command) => command.name() === first);
  const tools = isOperating ? [] : toolsNamed(first, host.catalogue);
  const commandsOf = (group: string, grouped: readonly Tool[]) =>
    grouped
      .map((tool) => toolCommand(tool, host, finish).helpGroup(`${group}:`))
      .sort((a, b) => nameOf(a).localeCompare(nameOf(b), "en"));
  const isEveryday = ({ cli: { everyday } = {} }: Tool) => everyday !== undefined;
  const everyday = commandsOf("Every day", tools.filter(isEveryday));
  const others = [
    ...TOOLSETS.flatMap((toolset) =>
      commandsOf(
        `${toolset[0]!.toUpperCase()}${toolset.slice(1)}`,
        tools.filter((tool) => tool.toolset === toolset && !isEveryday(tool)),
      ),
    ),
    ...operating,
  ];
  for (const command of [...everyday, ...others]) program.addCommand(command);
  configureCommand(program, host);
  if (HELP_WORDS.has(first) && !argv.includes(ALL))
    program
      .configureHelp({ ...program.configureHelp(), visibleCommands: () => everyday })
      .addHelpText("after", () => formatOthers(others));
  return program.addHelpText("after", () => `\nExamples:\n${formatExamples(host.catalogue)}`);
}

/** Returns the name of a command as help shows it: the short name, if it has one. */
const nameOf = (command: Command): string => command.alias() ?? command.name();

/** Lists the names of commands by group. */
function formatOthers(commands: readonly Command[]): string {
  const groups = [...new Set(commands.map((command) => command.helpGroup()))];
  const lines = groups.map((group) => {
    const names = commands.filter((command) => command.helpGroup() === group).map(nameOf);
    return `  ${group.padEnd(14)}${names.join(", ")}`;
  });
  return `\nMore commands, described by --help ${ALL}:\n${lines.join("\n")}`;
}

/**
 * Returns only the tool named by a word, because reading the schemas of all tools is slow; all tools if it names none.
 */
function toolsNamed(word: string | undefined, catalogue: readonly Tool[]): readonly Tool[] {
  const named = catalogue.filter((one) => one.name === word || commandNames(one).includes(word ?? ""));
  return named.length > 0 ? named : catalogue;
}

const isPreferredExample = ({ tasks, toolset }: Tool): boolean =>
  tasks !== undefined && DEFAULT_TOOLSETS.includes(toolset);

/**
 * Formats examples: `serve`; tools with a short command, starting with default tools that run as tasks; `keys create`.
 */
function formatExamples(catalogue: readonly Tool[]): string {
  const lines = catalogue
    .filter(({ cli }) => cli?.command !== undefined)
    .toSorted((a, b) => Number(isPreferredExample(b)) - Number(isPreferredExample(a)))
    .flatMap((tool) => examplesOf(tool).slice(0, 2))
    .slice(0, 4)
    .map(({ line }) => line);
  return ["market-signal serve", ...lines, "market-signal keys create --account owner"]
    .map((line) => `  ${line}\n`)
    .join("");
}

const termOf = (command: Command): string =>
  `${nameOf(command)} ${command.usage().replace(/\[options\] ?/, "")}`.trim();

/** Makes a command throw instead of exiting, and write to the streams of the host. */
function configureCommand(command: Command, host: CliHost): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => host.out.write(wrapToScreen(host.out, text)),
    writeErr: (text) => host.err.write(text),
    outputError: (text, write) => write(wrapToScreen(host.err, `${usageErrorText(text)}\n`)),
    getOutHasColors: () => host.out.colour,
    getOutHelpWidth: () => host.out.columns ?? DEFAULT_COLUMNS,
    getErrHasColors: () => host.err.colour,
  });
  command
    .configureHelp({ subcommandTerm: termOf, minWidthToWrap: 20 })
    .showHelpAfterError("(--help shows the usage)")
    .showSuggestionAfterError();
  rejectRepeatedOptions(command);
  for (const child of command.commands) configureCommand(child, host);
}

/** Rejects GRACE_MS after an interrupt, so that a command can end with its own message. */
function rejectWhenInterrupted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const wait = () => void sleep(GRACE_MS, undefined, { ref: false }).then(() => reject(signal.reason));
    if (signal.aborted) wait();
    else signal.addEventListener("abort", wait, { once: true });
  });
}

/** Writes the error of a failed command. Returns the exit code. */
function reportError(thrown: unknown, host: CliHost, json: boolean): number {
  const { out, err } = host;
  if (thrown instanceof CommanderError) {
    if (thrown.exitCode === 0) return 0;
    const message =
      thrown.code === "commander.help" ? "A command is missing" : usageErrorText(thrown.message);
    if (json) writeFailureJson(out, { code: "INVALID_INPUT", message: message.replace(/^error: /, "") });
    return 2;
  }
  if (thrown instanceof SetupError) {
    if (json) writeFailureJson(out, { code: "SETUP", message: withProgramName(out, thrown.message) });
    err.write(wrapToScreen(err, `${painter(err)("red", "market-signal:")} ${thrown.message}\n`));
    return 2;
  }
  if (!(thrown instanceof ToolError))
    err.write(`${thrown instanceof Error ? thrown.stack : String(thrown)}\n`);
  return writeFailure(thrown, { out, err, json });
}
