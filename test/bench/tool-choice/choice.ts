import { readdirSync, readFileSync } from "node:fs";
import type { Tool } from "../../../src/kernel/tool.ts";
import { bm25, type Found } from "./bm25.ts";

/** A query and the tool that should answer it. */
interface Ask {
  readonly ask: string;
  readonly tool: string;
}

/** An ask and how every tool ranks for it, best first. */
export interface Choice extends Ask {
  readonly ranking: readonly Found[];
  /** True when the right tool is ranked first. */
  readonly right: boolean;
}

const FOLDER = new URL("./", import.meta.url);

/** The files of labelled queries by name: those used while writing the descriptions, and the held-out ones. */
export const askFiles = (): ReadonlyMap<string, readonly Ask[]> =>
  new Map(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith(".json"))
      .map((name) => [name, JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"))]),
  );

/** What a search over names and descriptions, and nothing else, puts first for each ask. */
export function choicesFor(asks: readonly Ask[], tools: readonly Tool[]): readonly Choice[] {
  const ranked = bm25(
    tools.map(({ name, description }) => ({ name, text: `${name.replaceAll("_", " ")} ${description}` })),
  );
  return asks.map((one) => {
    const ranking = ranked(one.ask);
    return { ...one, ranking, right: ranking[0]?.name === one.tool };
  });
}

/** How many of some choices are right, 0-1. */
export const shareRight = (choices: readonly Choice[]): number =>
  choices.filter(({ right }) => right).length / choices.length;
