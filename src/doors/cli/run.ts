import { Command, CommanderError } from "commander";
import { ToolError } from "../../kernel/errors.ts";
import { SetupError } from "../../lib/setup-error.ts";
import type { CliHost } from "./host.ts";
import { keysCommand } from "./keys.ts";
import { operatingCommands } from "./operate.ts";
import { painter, tellFailure } from "./screen.ts";
import { toolCommand } from "./tool-command.ts";

const EXAMPLES = `Examples:
  market-signal serve
  market-signal signal AAPL
  market-signal get-quote BTC-USD --json
  market-signal keys create --plan pro
`;

/** Runs one command line (without node and script) and returns the exit code: 0, 1, 2 or 130. */
export async function runCommand(argv: readonly string[], host: CliHost): Promise<number> {
  let code = 0;
  const finish = (given: number) => {
    code = given;
  };
  const program = new Command("market-signal")
    .description("Trading analytics for agents and people.")
    .version(host.version)
    .addHelpText("before", EXAMPLES);
  for (const command of operatingCommands(host, finish)) program.addCommand(command);
  program.addCommand(keysCommand(host, finish));
  for (const tool of host.catalogue) program.addCommand(toolCommand(tool, host, finish));
  quiet(program, host);
  try {
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
    if (thrown instanceof SetupError) {
      host.err.write(`${painter(host.err)("red", "market-signal:")} ${thrown.message}\n`);
      return 2;
    }
    if (host.signal.aborted) return 130;
    if (!(thrown instanceof ToolError))
      host.err.write(`${thrown instanceof Error ? thrown.stack : String(thrown)}\n`);
    return tellFailure(thrown, { ...host, json: false });
  }
}

/** Lets this module decide how a command ends, and where it writes. */
function quiet(command: Command, host: CliHost): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => host.out.write(text),
    writeErr: (text) => host.err.write(text),
    getOutHasColors: () => host.out.colour,
    getErrHasColors: () => host.err.colour,
  });
  command.showHelpAfterError("(--help shows the usage)").showSuggestionAfterError();
  for (const child of command.commands) quiet(child, host);
}
