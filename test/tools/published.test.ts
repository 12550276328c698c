import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { catalogue } from "../../src/app/catalogue.ts";
import { Understood } from "../../src/domain/answers.ts";
import { jsonSchemaOf } from "../../src/kernel/publish.ts";
import { carriesPrices } from "../../src/kernel/sample-label.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import {
  blocksText,
  COMMON_FIELD,
  compactText,
  expand,
  LABEL_FIELD,
  publishedDefinition,
  REQUIRED_FIELDS,
  sharedBlocks,
} from "../support/published.ts";

const FOLDER = "test/snapshots/tools";
const SHARED = "shared-blocks.json";
const tools: readonly Tool[] = Object.values(catalogue);
const definitions = new Map(tools.map((tool) => [tool.name, publishedDefinition(tool)]));
const blocks = sharedBlocks([...definitions.values()]);
const texts = new Map([...definitions].map(([name, definition]) => [name, compactText(definition, blocks)]));

// Refreshed with `vitest -u`: a change of any published definition shows in these files.
describe("the published definitions", () => {
  it("share these blocks", async () => {
    await expect(blocksText(blocks)).toMatchFileSnapshot(`../snapshots/tools/${SHARED}`);
  });

  it.each(tools.map(({ name }) => name))("match the file of %s", async (name) => {
    await expect(texts.get(name)).toMatchFileSnapshot(`../snapshots/tools/${name}.json`);
  });

  it("expand from their compact text without loss", () => {
    const shared = blocksText(blocks);
    for (const [name, definition] of definitions)
      expect(expand(texts.get(name)!, shared), name).toEqual(definition);
  });

  it("have the same field of every output", () => {
    for (const { name, output } of tools) expect(output.shape[COMMON_FIELD], name).toBe(Understood);
  });

  it("leave out required fields whose schema is that of most tools", () => {
    const { properties } = jsonSchemaOf(z.object(REQUIRED_FIELDS), "output");
    expect(properties).toEqual({
      ok: { type: "boolean", const: true },
      success: { type: "boolean", const: true },
      market: { type: "string", enum: ["sample", "files", "live"], description: "sample: simulated" },
    });
    const { output } = publishedDefinition(catalogue.listSubscriptions) as any;
    expect(Object.keys(output.properties)).toEqual(["subscriptions", "count", "hint"]);
    expect(output.required).toEqual(["ok", "success", "subscriptions", "count", "hint", "market"]);
    const other = {
      ...catalogue.listSubscriptions,
      output: z.object({ understood: Understood, market: z.enum(["sample"]) }),
    };
    expect(Object.keys((publishedDefinition(other as any).output as any).properties)).toEqual(["market"]);
  });

  it("have the same label of simulated data in every output with prices, and in no other", () => {
    const labels = tools.filter(carriesPrices).map(({ output }) => output.shape[LABEL_FIELD]!);
    expect(new Set(labels).size).toBe(1);
    expect(jsonSchemaOf(z.object({ label: labels[0]! }), "output").properties).toEqual({
      label: {
        type: "string",
        description: '"SAMPLE (simulated)" if the data is simulated, else absent',
      },
    });
    const others = tools.filter((tool) => !carriesPrices(tool));
    expect(others.filter(({ output }) => LABEL_FIELD in output.shape)).toEqual([]);
  });

  it("have a form for the terminal each", () => {
    expect(tools.filter(({ terminal }) => terminal === undefined).map(({ name }) => name)).toEqual([]);
  });

  it("have one file each, and there are no others", () => {
    const files = new Set([...definitions.keys()].map((name) => `${name}.json`).concat(SHARED));
    expect(readdirSync(FOLDER).filter((file) => !files.has(file))).toEqual([]);
  });

  it("have fewer than 7,500 lines in total", () => {
    const lines = [...texts.values(), blocksText(blocks)].map((text) => text.split("\n").length);
    expect(lines.reduce((all, count) => all + count, 0)).toBeLessThan(7_500);
  });

  it.each(["get_signal", "run_task", "get_demo", "what_changed"])("change with any value of %s", (name) => {
    const unchanged = [...mutationsOf(definitions.get(name)!)].filter(
      (mutated) => compactText(mutated, blocks) === texts.get(name),
    );
    expect(unchanged).toEqual([]);
  });
});

type Json = Parameters<typeof compactText>[0];

/** Yields the definition with one value changed, for each of its values. */
function* mutationsOf(definition: Json): Generator<Json> {
  const paths: (string | number)[][] = [];
  const walk = (value: unknown, path: (string | number)[]): void => {
    if (typeof value !== "object" || value === null) paths.push(path);
    else for (const [key, child] of Object.entries(value)) walk(child, [...path, key]);
  };
  walk(definition, []);
  // all other parts are those of the definition, so that their texts are computed once
  const changed = (value: any, [key, ...rest]: readonly (string | number)[]): any => {
    if (key === undefined) return typeof value === "string" ? `${value}x` : "changed";
    const child = changed(value[key], rest);
    return Array.isArray(value) ? value.with(Number(key), child) : { ...value, [key]: child };
  };
  for (const path of paths) yield changed(definition, path);
}
