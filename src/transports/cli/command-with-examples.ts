import { Command } from "commander";

/** A command whose help begins with examples, each a whole line for a shell. */
export const commandWithExamples = (name: string, summary: string, examples: readonly string[]): Command =>
  new Command(name)
    .summary(summary)
    .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
    .addHelpText("before", `Examples:\n${examples.map((line) => `  ${line}\n`).join("")}`);
