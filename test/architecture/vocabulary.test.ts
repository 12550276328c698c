import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/app/catalogue.ts";
import { openapiDocument } from "../../src/transports/openapi/openapi.ts";
import { SETTINGS } from "../support/http.ts";
import { proseIn, sourceFiles } from "../support/source-texts.ts";
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
