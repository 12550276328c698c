import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../../src/app/catalogue.ts";
import type { Tool } from "../../../src/kernel/tool.ts";
import { examplesOf, normalizeArgv } from "../../../src/transports/cli/fields.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { getMirror, runList, testCli } from "./test-host.ts";

const tools = [getMirror, runList];

/** Splits a line into words as a shell does, with quotes and escapes. */
const wordsOf = (line: string): readonly string[] =>
  (line.match(/(?:'[^']*'|\\.|[^\s'])+/g) ?? []).map((word) =>
    word.replace(/'([^']*)'|\\(.)/g, (_, quoted?: string, escaped?: string) => quoted ?? escaped ?? ""),
  );

describe("a command line", () => {
  it.each([
    ["get_mirror x 1 --note_text y", "get-mirror x 1 --note-text y"],
    ["mirror x 1 --is_deep=true --is-saved=false", "mirror x 1 --is-deep --no-is-saved"],
    ["mirror x 1 --note_text=is_deep=true", "mirror x 1 --note-text=is_deep=true"],
    ["mirror x 1 --is-deep=maybe", "mirror x 1 --is-deep=maybe"],
    ["mirror --how_many 1 -- --is_deep=true", "mirror --how-many 1 -- --is_deep=true"],
    ["mirror x 1 --other_option", "mirror x 1 --other_option"],
    ["keys create --note_text=a", "keys create --note_text=a"],
  ])("%s is normalized to %s", (typed, normalized) => {
    expect(normalizeArgv(typed.split(" "), tools).join(" ")).toBe(normalized);
  });

  it("may be empty", () => {
    expect(normalizeArgv([], tools)).toEqual([]);
  });
});

describe("the examples of a tool", () => {
  it("are complete lines that a shell can parse", () => {
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
    let opened = 0;
    const folder = tempDir();
    writeFileSync(join(folder, "positions.csv"), "symbol,quantity\n");
    const { run } = testCli({
      tools: [tool],
      host: {
        folder,
        open: async () => {
          opened++;
          throw new Error("input accepted");
        },
      },
    });
    for (const { line } of examplesOf(tool)) {
      const argv = wordsOf(line).slice(1);
      expect((await run(...argv)).err, line).toContain("input accepted");
    }
    expect(opened).toBe(tool.examples.length);
  });
});
