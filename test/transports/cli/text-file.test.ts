import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../../src/kernel/tool.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { stand } from "./stand.ts";

/** Answers with the input it was given; one field holds what is in a file of a kind. */
const readTable = defineTool({
  name: "read_table",
  title: "Read table",
  description: "Says what it was asked.",
  toolset: "market",
  plan: "member",
  effect: "read",
  route: "POST /api/v1/read-table",
  needs: [],
  cli: { positionals: ["label", "table"] },
  input: z.object({
    label: z.string().describe("Any text"),
    table: z.string().optional().meta({ contentMediaType: "text/csv" }).describe("Its text"),
  }),
  output: z.object({ got: z.unknown().describe("The input") }),
  examples: [{ ask: "Read one", input: { label: "a", table: "x,y" } }],
  handler: (got) => ({ got }),
});

/** A folder of the running test with a table in it. */
function folder(): string {
  const at = tempDir();
  writeFileSync(join(at, "t.csv"), "\ufeffa,b\r\n@1,2\r\n");
  return at;
}
const run = (...argv: readonly string[]) =>
  stand({ tools: [readTable], host: { folder: folder() } }).run("read-table", ...argv, "--json");

it("takes the text of a file that is named in its place, by its word or its option", async () => {
  for (const argv of [
    ["A", "@t.csv"],
    ["A", "--table", "@t.csv"],
    ["A", "--table=@t.csv"],
  ])
    expect(JSON.parse((await run(...argv)).out).got).toEqual({ label: "A", table: "a,b\r\n@1,2\r\n" });
});

it("takes text that names no file as it is, and other fields for no file", async () => {
  expect(JSON.parse((await run("@t.csv", "x,y")).out).got).toEqual({ label: "@t.csv", table: "x,y" });
});

it("refuses a file that is not there, and shows that one may be named", async () => {
  const { code, out } = await run("A", "@none.csv");
  expect(code).toBe(2);
  expect(JSON.parse(out)).toMatchObject({
    code: "INVALID_INPUT",
    hint: "Say @ and where the file is, or its text.",
  });
  const { out: help } = await run("--help");
  expect(help).toMatch(/table +Its text \(text, or @ and a file with it\)/);
});
