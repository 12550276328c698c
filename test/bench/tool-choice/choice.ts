import { readdirSync, readFileSync } from "node:fs";
import type { Tool } from "../../../src/kernel/tool.ts";
import { bm25, type Found } from "./bm25.ts";

/** What somebody says, and the tool whose business it is. */
interface Ask {
  readonly ask: string;
  readonly tool: string;
}

/** An ask and how every tool ranks for it, best first. */
export interface Choice extends Ask {
  readonly ranking: readonly Found[];
  /** Whether the right tool stands first. */
  readonly right: boolean;
}

const FOLDER = new URL("./", import.meta.url);

/** The files of labelled asks beside this one, by name: those the descriptions were written by, and those kept apart. */
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
