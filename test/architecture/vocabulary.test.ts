import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAst } from "vitest/node";
import { catalogue } from "../../src/app/catalogue.ts";
import { openapiDocument } from "../../src/transports/openapi/openapi.ts";
import { SETTINGS } from "../support/http.ts";
import { testCli } from "../transports/cli/test-host.ts";

/** Words of the project's former vocabulary, banned from texts for users. */
const BANNED =
  /(?<![\w@/."`])(unsaid|told|tells|teller|lent|lends|heard|hears|kept|keeper|whoever|whom|nobody|somebody|nowhere|shelf|shelves|desk|seat|doorkeeper|outfit|believed|asked|so many|is none that|is said|are said)(?![\w/"`])/gi;
/** Values of a published field that are listed in the help of its command. */
const VALUES = "undelivered, kept";

/** Returns each banned word of a text with the text around it. */
const bannedIn = (text: string): readonly string[] =>
  [...text.replaceAll(VALUES, "").matchAll(BANNED)].map(
    ({ 0: word, index }) =>
      `${word}: ${text.slice(Math.max(0, index - 60), index + 60).replaceAll(/\s+/g, " ")}`,
  );

/** Returns the string literals of a source file that hold prose, without import paths. */
function proseIn(file: string): readonly string[] {
  const texts: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { type, ...node } = value as { type?: string; value?: unknown };
    if (/^(Import|ExportAll)/.test(type ?? "")) return;
    if (type === "TemplateElement") texts.push((node.value as { raw: string }).raw);
    else if (typeof node.value === "string") texts.push(node.value);
    else Object.values(node).forEach(visit);
  };
  visit(parseAst(readFileSync(file, "utf8"), { lang: file.endsWith("x") ? "tsx" : "ts" }));
  return texts.filter((text) => text.trim().includes(" "));
}

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
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
      /\.tsx?$/.test(file),
    );
    const found = files.flatMap((file) =>
      proseIn(join(folder, file)).flatMap((text) => bannedIn(text).map((use) => `${folder}/${file}: ${use}`)),
    );
    expect(found).toEqual([]);
  });
});
