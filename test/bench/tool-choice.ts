import { catalogue } from "../../src/app/catalogue.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { lint } from "../support/definition-lint.ts";
import { type Choice, choicesFor, queryFiles, shareRight } from "./tool-choice/choice.ts";

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/**
 * Prints the share of labelled queries for which a simple search over names and descriptions ranks the right tool
 * first, by file and by tool; `--misses` lists the others. `--lint` prints instead what is missing from each
 * definition.
 */
export function run(): void {
  const tools: readonly Tool[] = Object.values(catalogue);
  if (process.argv.includes("--lint")) printLint(tools);
  else printChoices(tools);
}

function printChoices(tools: readonly Tool[]): void {
  for (const [file, queries] of queryFiles()) {
    const choices = choicesFor(queries, tools);
    console.log(`${file}: ${queries.length} queries, right tool first ${percent(shareRight(choices))}`);
    for (const { name } of tools) {
      const own = choices.filter(({ tool }) => tool === name);
      const right = own.filter((choice) => choice.right).length;
      if (own.length > 0) console.log(`  ${name.padEnd(26)}${right} of ${own.length}`);
    }
    if (process.argv.includes("--misses"))
      console.log(
        choices
          .filter(({ right }) => !right)
          .map(missed)
          .join("\n"),
      );
  }
}

function missed({ query, tool, ranking }: Choice): string {
  const place = ranking.findIndex(({ name }) => name === tool);
  const at = (i: number) => `${ranking[i]?.name} ${ranking[i]?.score.toFixed(2)}`;
  return `  ${JSON.stringify(query)}\n    ${at(0)}; meant is ${at(place)}, place ${place + 1}`;
}

function printLint(tools: readonly Tool[]): void {
  const names = tools.map(({ name }) => name);
  const worstFirst = tools.map((tool) => lint(tool, names)).sort((a, b) => a.share - b.share);
  for (const { name, share, findings } of worstFirst) {
    console.log(`${name.padEnd(26)}${percent(share)}`);
    for (const { rule, missing } of findings)
      if (missing.length > 0) console.log(`  ${rule}: ${missing.join(", ")}`);
  }
}
