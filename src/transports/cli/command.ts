import { Command } from "commander";
import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import type { Clock } from "../../domain/ports.ts";
import type { Paint } from "../../domain/terminal.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Progress } from "../../kernel/tool.ts";
import type { CliHost, OpenedInstallation, Screen } from "./host.ts";
import { painter, progressBar, wrapToScreen, writeFailure } from "./screen.ts";

/** Creates a command whose help starts with examples, each a complete command line. */
export const commandWithExamples = (name: string, summary: string, examples: readonly string[]): Command =>
  new Command(name)
    .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
    .addHelpText("before", `Examples:\n${examples.map((line) => `  ${line}\n`).join("")}`);

export const withJson = (command: Command): Command => command.option("--json", "print JSON on stdout");

/** Result of a command: a JSON document, and the same content as lines for a terminal. */
export interface CommandOutput {
  readonly json: object;
  readonly lines: readonly string[];
}

/** Writes a result as JSON, or as lines wrapped to the terminal. */
export function writeOutput(out: Screen, { json, lines }: CommandOutput, asJson: boolean): void {
  out.write(asJson ? `${JSON.stringify(json, null, 2)}\n` : wrapToScreen(out, `${lines.join("\n")}\n`));
}

/** Prefixes lines with the label of simulated data in the sample market. */
export const withSampleLabel = (
  { ports }: Pick<OpenedInstallation, "ports">,
  lines: readonly string[],
  paint: Paint,
): readonly string[] => (ports.market.mode === "sample" ? [paint("yellow", SAMPLE_LABEL), ...lines] : lines);

/** One run of the command line. */
export interface Cli {
  readonly host: CliHost;
  readonly paint: Paint;
  /** Receives the exit code. */
  finish(code: number): void;
  /**
   * Returns a commander action that opens what the command works on, runs the task with the command's options and first
   * argument, writes the result and closes it again. A task that wrote its output itself returns the exit code. A
   * ToolError is written and sets the exit code; any other error is thrown.
   */
  action<Opened extends Closable, Options extends { readonly json?: boolean }, Argument = unknown>(
    open: () => Promise<Opened>,
    task: (opened: Opened, options: Options, argument: Argument) => Promise<CommandOutput | number>,
  ): (...parameters: readonly unknown[]) => Promise<void>;
}

interface Closable {
  close(): Promise<void>;
}

/** Creates the run of a command line; `finish` receives the exit code. */
export function createCli(host: CliHost, finish: (code: number) => void): Cli {
  const { out, err } = host;
  return {
    host,
    paint: painter(out),
    finish,
    action:
      (open, task) =>
      async (...parameters) => {
        const options = parameters.at(-2) as Parameters<typeof task>[1];
        const argument = (parameters.length > 2 ? parameters[0] : undefined) as Parameters<typeof task>[2];
        const { json = false } = options;
        const opened = await open();
        try {
          const result = await task(opened, options, argument);
          if (typeof result !== "number") writeOutput(out, result, json);
          finish(typeof result === "number" ? result : 0);
        } catch (thrown) {
          if (!(thrown instanceof ToolError)) throw thrown;
          finish(writeFailure(thrown, { out, err, json }));
        } finally {
          await opened.close();
        }
      },
  };
}

/** Runs work with a progress bar on stderr; removes the bar at the end. */
export async function withProgressBar<T>(
  err: Screen,
  clock: Clock,
  work: (step: (progress: Progress) => void) => Promise<T>,
): Promise<T> {
  const now = () => clock.now().getTime();
  const bar = progressBar(err, now(), now);
  try {
    return await work(bar.step);
  } finally {
    bar.end();
  }
}
