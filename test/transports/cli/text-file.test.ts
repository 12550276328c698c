import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../../src/kernel/tool.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { TEST_TOOL } from "../../support/test-tool.ts";
import { testCli } from "./test-host.ts";

/** Returns its input; one field holds the text of a file. */
const readTable = defineTool({
  ...TEST_TOOL,
  name: "read_table",
  title: "Read table",
  toolset: "market",
  plan: "member",
  route: "POST /api/v1/read-table",
  cli: { positionals: ["label", "table"] },
  input: z.object({
    label: z.string().describe("Any text"),
    table: z.string().optional().meta({ contentMediaType: "text/csv" }).describe("Its text"),
  }),
  output: z.object({ got: z.unknown().describe("The input") }),
  examples: [{ ask: "Read one", input: { label: "a", table: "x,y" } }],
  handler: (got) => ({ got }),
});

/** A new folder with a table in it. */
function folder(): string {
  const at = tempDir();
  writeFileSync(join(at, "t.csv"), "\ufeffa,b\r\n@1,2\r\n");
  return at;
}
const run = (...argv: readonly string[]) =>
  testCli({ tools: [readTable], host: { folder: folder() } }).run("read-table", ...argv, "--json");

it("takes the text of `@file`, as an argument or an option", async () => {
  for (const argv of [
    ["A", "@t.csv"],
    ["A", "--table", "@t.csv"],
    ["A", "--table=@t.csv"],
  ])
    expect(JSON.parse((await run(...argv)).out).got).toEqual({ label: "A", table: "a,b\r\n@1,2\r\n" });
});

it.each(["utf-16le", "utf-16be"])("decodes a file in %s, as Excel saves Unicode text", async (encoding) => {
  const at = folder();
  const bytes = Buffer.from("\ufeffa,b\né,2\n", "utf16le");
  writeFileSync(join(at, "u.csv"), encoding === "utf-16le" ? bytes : bytes.swap16());
  const { out } = await testCli({ tools: [readTable], host: { folder: at } }).run(
    "read-table",
    "A",
    "@u.csv",
    "--json",
  );
  expect(JSON.parse(out).got).toEqual({ label: "A", table: "a,b\né,2\n" });
});

it("passes other text unchanged, and reads no file for other fields", async () => {
  expect(JSON.parse((await run("@t.csv", "x,y")).out).got).toEqual({ label: "@t.csv", table: "x,y" });
});

it("rejects a missing file, and mentions @file in the help", async () => {
  const { code, out } = await run("A", "@none.csv");
  expect(code).toBe(2);
  expect(JSON.parse(out)).toMatchObject({
    code: "INVALID_INPUT",
    hint: "Pass @ and the path of the file, or its text.",
  });
  const { out: help } = await run("--help");
  expect(help).toMatch(/table +Its text \(text, or @file\)/);
});
