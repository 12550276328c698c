import { readFileSync } from "node:fs";
import type { Tool } from "../../../src/kernel/tool.ts";
import { bm25, type Found } from "./bm25.ts";

/** A query and the tool that should answer it. */
interface LabelledQuery {
  readonly query: string;
  readonly tool: string;
}

/** The ranking of all tools for a query, best first. */
export interface Choice extends LabelledQuery {
  readonly ranking: readonly Found[];
  /** True when the right tool is ranked first. */
  readonly right: boolean;
}

/** Queries by tool: those used while writing the descriptions, by which tools are found too, and the held-out ones. */
const FILES = {
  tuned: new URL("../../../src/features/requests/learnt/requests.json", import.meta.url),
  "held-out": new URL("./held-out.json", import.meta.url),
} as const;

/** Reads a file of queries grouped by tool. */
export function readQueries(file: keyof typeof FILES): readonly LabelledQuery[] {
  const grouped: Record<string, readonly string[]> = JSON.parse(readFileSync(FILES[file], "utf8"));
  return Object.entries(grouped).flatMap(([tool, queries]) => queries.map((query) => ({ query, tool })));
}

/** All labelled queries by file. */
export const queryFiles = (): ReadonlyMap<string, readonly LabelledQuery[]> =>
  new Map((["tuned", "held-out"] as const).map((file) => [file, readQueries(file)]));

/** Ranks the tools for each query by names and descriptions only. */
export function choicesFor(queries: readonly LabelledQuery[], tools: readonly Tool[]): readonly Choice[] {
  const ranked = bm25(
    tools.map(({ name, description }) => ({ name, text: `${name.replaceAll("_", " ")} ${description}` })),
  );
  return queries.map(({ query, tool }) => {
    const ranking = ranked(query);
    return { query, tool, ranking, right: ranking[0]?.name === tool };
  });
}

/** Share of correct choices, 0-1. */
export const shareRight = (choices: readonly Choice[]): number =>
  choices.filter(({ right }) => right).length / choices.length;
