import { readFileSync } from "node:fs";
import { catalogue } from "../../src/app/catalogue.ts";
import { readRequestModels } from "../../src/app/request-model.ts";
import { createToolSearch } from "../../src/features/requests/find-tools.ts";
import { maxEffect, type Tool } from "../../src/kernel/tool.ts";

const TOOLS: readonly Tool[] = Object.values(catalogue);
const models = readRequestModels();

/** The `ToolSearch` port over some tools, with the classifiers of the last build. */
export const toolSearchOf = (tools: readonly Tool[] = TOOLS) =>
  createToolSearch(
    () => tools,
    () => models,
  );

/** A request of a user, and the tools that may answer it first. */
export interface Ask {
  readonly ask: string;
  /** Empty for a request that no tool answers. */
  readonly tools: readonly string[];
}

/** Reads a set of labelled requests. */
export const readAsks = (name: string): readonly Ask[] =>
  (
    JSON.parse(readFileSync(new URL(`../bench/asks/${name}.json`, import.meta.url), "utf8")) as readonly Ask[]
  ).map(({ ask, tools = [] }) => ({ ask, tools }));

const readers = new Set(TOOLS.flatMap((tool) => (maxEffect(tool) === "read" ? tool.name : [])));
/** Returns true for a request that a reading tool answers. */
export const isOfReader = ({ tools }: Ask): boolean => tools.some((name) => readers.has(name));
