import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../../src/app/catalogue.ts";
import type { Tool } from "../../../src/kernel/tool.ts";
import { examplesOf, normalizeArgv } from "../../../src/transports/cli/fields.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { getMirror, runList, stand } from "./stand.ts";

const tools = [getMirror, runList];

/** The words of a line as a shell reads them: quoted text and escaped characters. */
const wordsOf = (line: string): readonly string[] =>
  (line.match(/(?:'[^']*'|\\.|[^\s'])+/g) ?? []).map((word) =>
    word.replace(/'([^']*)'|\\(.)/g, (_, quoted?: string, escaped?: string) => quoted ?? escaped ?? ""),
  );

describe("a command line", () => {
  it.each([
    ["get_mirror x 1 --note_text y", "get-mirror x 1 --note-text y"],
    ["mirror x 1 --is_deep=true --is-kept=false", "mirror x 1 --is-deep --no-is-kept"],
    ["mirror x 1 --note_text=is_deep=true", "mirror x 1 --note-text=is_deep=true"],
    ["mirror x 1 --is-deep=maybe", "mirror x 1 --is-deep=maybe"],
    ["mirror --how_many 1 -- --is_deep=true", "mirror --how-many 1 -- --is_deep=true"],
    ["mirror x 1 --other_option", "mirror x 1 --other_option"],
    ["keys create --note_text=a", "keys create --note_text=a"],
  ])("%s is read as %s", (typed, read) => {
    expect(normalizeArgv(typed.split(" "), tools).join(" ")).toBe(read);
  });

  it("may be empty", () => {
    expect(normalizeArgv([], tools)).toEqual([]);
  });
});

describe("the examples of a tool", () => {
  it("are whole lines that a shell reads back", () => {
    expect(wordsOf(examplesOf(getMirror)[0]!.line).slice(2)).toEqual([
      "it's",
      "2",
      "--is-deep",
      "--tags",
      "a,b",
      "--max",
      "1",
    ]);
    expect(examplesOf(getMirror)[0]!.line).toBe(
      `market-signal mirror 'it'\\''s' 2 --is-deep --tags a,b --max 1`,
    );
    expect(examplesOf(runList)).toEqual([
      { line: "market-signal run-list stocks AAPL,MSFT", ask: "List two" },
    ]);
  });

  it.each(Object.values(catalogue as Record<string, Tool>))("of $name parse as commands", async (tool) => {
    const seen: string[] = [];
    const folder = tempDir();
    writeFileSync(join(folder, "positions.csv"), "symbol,quantity\n");
    const { run } = stand({
      tools: [tool],
      host: {
        folder,
        open: async () => {
          seen.push(tool.name);
          throw new Error("far enough");
        },
      },
    });
    for (const { line } of examplesOf(tool)) {
      const argv = wordsOf(line).slice(1);
      expect((await run(...argv)).err, line).toContain("far enough");
    }
    expect(seen).toHaveLength(tool.examples.length);
  });
});
