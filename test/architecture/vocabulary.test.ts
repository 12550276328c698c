import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/app/catalogue.ts";
import { jsonSchemaOf } from "../../src/kernel/publish.ts";
import { openapiDocument } from "../../src/transports/openapi/openapi.ts";
import { SETTINGS } from "../support/http.ts";
import { proseIn, sourceFiles } from "../support/source-texts.ts";
import { testCli } from "../transports/cli/test-host.ts";

/** Words of the project's former vocabulary, banned from texts for users. */
const BANNED =
  /(?<![\w@/."`])(unsaid|told|tells|teller|lent|lends|heard|hears|kept|keeper|whoever|whom|nobody|somebody|nowhere|shelf|shelves|desk|seat|doorkeeper|outfit|believed|asked|so many|is none that|is said|are said)(?![\w/"`])/gi;
/** Words of that vocabulary in no published field or value; some of them are plain words in a sentence. */
const BANNED_IN_NAMES: ReadonlySet<string> = new Set(
  `unsaid said told tells teller lent lends heard hears silent silence kept keeper asked had have standing voice voices
  whoever whom nobody somebody nowhere shelf shelves desk seat purse custody doorkeeper outfit vendor believed judged
  whole wild`.split(/\s+/),
);

/** Returns each banned word of a text with the text around it. */
const bannedIn = (text: string): readonly string[] =>
  [...text.matchAll(BANNED)].map(
    ({ 0: word, index }) =>
      `${word}: ${text.slice(Math.max(0, index - 60), index + 60).replaceAll(/\s+/g, " ")}`,
  );

/** Returns the field names and the listed values of a JSON Schema, at any depth. */
function namesAndValues(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties, enum: values = [], const: value, ...rest } = schema as Record<string, unknown>;
  const fields = Object.entries((properties ?? {}) as Record<string, unknown>);
  return [
    ...fields.flatMap(([name, field]) => [name, ...namesAndValues(field)]),
    ...[...(values as readonly unknown[]), value].filter((text) => typeof text === "string"),
    ...Object.values(rest).flatMap(namesAndValues),
  ];
}

/** Returns the words of a name such as `told_at` or `toldAt`, or of a value. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);

const hasBannedWord = (name: string): boolean => wordsOf(name).some((word) => BANNED_IN_NAMES.has(word));

describe("published names", () => {
  it.each(["input", "output"] as const)(
    "use plain words in every field and value of the %s of tools",
    (io) => {
      const found = Object.values(catalogue).flatMap(({ name, [io]: schema }) =>
        namesAndValues(jsonSchemaOf(schema, io))
          .filter(hasBannedWord)
          .map((field) => `${name}: ${field}`),
      );
      expect(found).toEqual([]);
    },
  );

  it("are read in lists, in alternatives and as single values", () => {
    const row = { type: "object", properties: { told_at: { enum: ["kept", 5, null] }, toldAt: {} } };
    const schema = { properties: { rows: { items: row }, one: { anyOf: [{ const: "not_asked" }, row] } } };
    expect(namesAndValues(schema).filter(hasBannedWord)).toEqual([
      ...["told_at", "kept", "toldAt", "not_asked"],
      ...["told_at", "kept", "toldAt"],
    ]);
  });
});

describe("texts for users", () => {
  it("use plain words in published tool and agent definitions", () => {
    const folder = "test/snapshots/tools";
    const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
    expect(texts.flatMap(bannedIn)).toEqual([]);
  });

  it("use plain words in the OpenAPI document", async () => {
    const registry = { tools: Object.values(catalogue), unavailable: [] };
    const text = JSON.stringify(await openapiDocument({ registry, settings: SETTINGS }));
    expect(bannedIn(text)).toEqual([]);
  });

  it("use plain words in the help of every command", async () => {
    const tools = Object.values(catalogue);
    const found: string[] = [];
    const visit = async (words: readonly string[]) => {
      const { out } = await testCli({ tools }).run(...words, "--help");
      found.push(...bannedIn(out));
      const commands = words.length === 0 ? out : (/^Commands:\n((?: .*\n)*)/m.exec(out)?.[1] ?? "");
      for (const [, name] of commands.matchAll(/^ {2}([a-z][a-z-]*)(?=[| ])/gm))
        if (name !== "help" && name !== "market-signal") await visit([...words, name!]);
    };
    await visit([]);
    expect(found).toEqual([]);
  });

  it.each(["src", "tools", "agents"])("use plain words in every message of %s", (folder) => {
    const found = sourceFiles(folder).flatMap((file) =>
      proseIn(file).flatMap(({ text }) => bannedIn(text).map((use) => `${file}: ${use}`)),
    );
    expect(found).toEqual([]);
  });
});
