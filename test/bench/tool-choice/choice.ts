import { readdirSync, readFileSync } from "node:fs";
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

const FOLDER = new URL("./", import.meta.url);

/** Reads a file of queries grouped by tool. */
export function readQueries(file: string): readonly LabelledQuery[] {
  const grouped: Record<string, readonly string[]> = JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"));
  return Object.entries(grouped).flatMap(([tool, queries]) => queries.map((query) => ({ query, tool })));
}

/** All labelled queries by file: those used while writing the descriptions, and the held-out ones. */
export const queryFiles = (): ReadonlyMap<string, readonly LabelledQuery[]> =>
  new Map(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith(".json"))
      .map((name) => [name, readQueries(name)]),
  );

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
