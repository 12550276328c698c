import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../../src/kernel/tool.ts";
import { examplesOf, fieldsOf, partsOf } from "../../../src/transports/cli/fields.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { TEST_TOOL } from "../../support/test-tool.ts";
import { testCli } from "./test-host.ts";

const whole = z.int().optional();
/** Returns its input; some fields are objects. */
const tryRule = defineTool({
  ...TEST_TOOL,
  name: "try_rule",
  title: "Try rule",
  toolset: "market",
  plan: "member",
  route: "POST /api/v1/try-rule",
  input: z.object({
    symbol: z.string().describe("Which"),
    cash: z.number().optional().describe("Purse"),
    params: z
      .strictObject({
        fast: whole.describe("Bars of the fast average"),
        slow_period: z.int().default(200).describe("Bars of the slow one"),
        kind: z.enum(["sma", "ema"]).optional(),
        is_short: z.boolean().optional().describe("Sell short"),
        cash: whole,
        json: whole,
        no_end: whole,
        shared: whole,
      })
      .optional()
      .describe("Of the strategy"),
    sizing: z.object({ value: z.number().optional(), shared: whole }).optional().describe("How much"),
    rules: z
      .object({ enter: z.object({ above: z.number() }), limit: z.number().optional() })
      .optional()
      .describe("Rules"),
    labels: z.record(z.string(), z.number()).optional().describe("Any"),
  }),
  output: z.object({ got: z.unknown().describe("The input") }),
  examples: [
    {
      ask: "Try one",
      input: {
        symbol: "AAPL",
        params: { fast: 10, is_short: false, slow_period: 20 },
        sizing: { shared: 1 },
      },
    },
  ],
  handler: (got) => ({ got }),
});
/** Its positional argument is an object. */
const setLimit = defineTool({
  ...tryRule,
  name: "set_limit",
  route: "POST /api/v1/set-limit",
  input: z.object({
    limit: z.object({ low: whole, high: whole }).describe("Bounds"),
    note: z.string().describe("Why"),
  }),
  examples: [{ ask: "Set", input: { limit: { low: 1 }, note: "x" } }],
  handler: (got: unknown) => ({ got }),
} as never);
const tools = [tryRule, setLimit as never];

const runJson = async (argv: readonly string[], folder?: string) =>
  testCli({ tools, host: folder === undefined ? {} : { folder } }).run(...argv, "--json");
async function received(argv: readonly string[], folder?: string): Promise<Record<string, unknown>> {
  const { code, out, err } = await runJson(argv, folder);
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out).got;
}
const params = async (...argv: readonly string[]) => (await received(["try-rule", "AAPL", ...argv])).params;

describe("a flat object on the command line", () => {
  it("takes one option per part, converted by its schema", async () => {
    expect(await params(..."--fast 10 --slow-period 20 --kind ema --is-short".split(" "))).toEqual({
      fast: 10,
      slow_period: 20,
      kind: "ema",
      is_short: true,
    });
    expect(await params("--no-is-short", "--fast=-3")).toEqual({
      fast: -3,
      is_short: false,
      slow_period: 200,
    });
  });

  it("also takes JSON; a part option overrides the same member", async () => {
    expect(await params("--params", '{"fast":10}')).toEqual({ fast: 10, slow_period: 200 });
    expect(await params("--params", '{"fast":10,"cash":5}', "--slow-period", "50", "--fast", "7")).toEqual({
      fast: 7,
      cash: 5,
      slow_period: 50,
    });
  });

  it("also takes the names in its schema", async () => {
    expect(await params("--slow_period", "50")).toEqual({ slow_period: 50 });
    expect(await params("--is_short=false")).toEqual({ is_short: false, slow_period: 200 });
  });

  it("has no option for a part whose option name is already used", async () => {
    // cash is a field of the tool, json an option of every command, no_end a negation, shared a part of two objects
    expect(partsOf(fieldsOf(tryRule)).map(({ of, name }) => `${of.name}.${name}`)).toEqual([
      "params.fast",
      "params.slow_period",
      "params.kind",
      "params.is_short",
      "sizing.value",
    ]);
    expect(await received(["try-rule", "AAPL", "--cash", "5", "--fast", "1"])).toMatchObject({
      cash: 5,
      params: { fast: 1 },
    });
  });

  it("has no part options if it is nested or accepts any names", async () => {
    const { code, err } = await runJson(["try-rule", "AAPL", "--limit", "1"]);
    expect(code).toBe(2);
    expect(err).toContain("unknown option '--limit'");
  });

  it("leaves invalid values to the schema, whose error names them", async () => {
    const wrong = await runJson(["try-rule", "AAPL", "--fast", "many"]);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('INVALID_INPUT Invalid input for "try-rule": --fast:');
    const broken = await runJson(["try-rule", "AAPL", "--params", "{fast}", "--fast", "1"]);
    expect(broken.err).toContain('INVALID_INPUT Invalid input for "try-rule": --params:');
  });

  it("may be given as parts alone, or as JSON plus parts, for a positional argument", async () => {
    expect(await received(["set-limit", "--low", "1", "why"])).toEqual({ limit: { low: 1 }, note: "why" });
    expect(await received(["set-limit", '{"high":9}', "--low", "1", "why"])).toEqual({
      limit: { low: 1, high: 9 },
      note: "why",
    });
  });

  it("lists its parts in the help, and in examples if every part has an option", async () => {
    const { out } = await testCli({ tools }).run("try-rule", "--help");
    expect(out).toContain(`  --params <json|@file>   Of the strategy
  --fast <number>         in params: Bars of the fast average
  --slow-period <number>  in params: Bars of the slow one [default: 200]
  --kind <text>           in params: (sma, ema)
  --is-short              in params: Sell short
  --sizing <json|@file>   How much
  --value <number>        in sizing
  --rules <json|@file>    Rules
  --labels <json|@file>   Any
`);
    expect(examplesOf(tryRule)[0]!.line).toBe(
      `market-signal try-rule AAPL --fast 10 --no-is-short --slow-period 20 --sizing '{"shared":1}'`,
    );
  });
});

describe("an object in a file", () => {
  const folderWith = (files: Readonly<Record<string, string>>) => {
    const folder = tempDir();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  };

  it("is read from the working folder, and extended by parts", async () => {
    const folder = folderWith({ "r.json": '\ufeff{"enter":{"above":2}}\n', "p.json": '{"fast":3}' });
    const argv = ["try-rule", "AAPL", "--rules", "@r.json", "--params=@p.json", "--slow-period", "9"];
    expect(await received(argv, folder)).toEqual({
      symbol: "AAPL",
      rules: { enter: { above: 2 } },
      params: { fast: 3, slow_period: 9 },
    });
  });

  it.each([
    ["@none.json", "it does not exist"],
    ["@inner", "it is not a regular file"],
    ["@big.json", "it is larger than 64 KB"],
    ["@broken.json", "it is not valid JSON"],
    ["@list.json", "it is not a JSON object"],
  ])("is rejected as %s before anything is opened: %s", async (word, why) => {
    const folder = folderWith({
      "big.json": `{"a":"${"x".repeat(65_536)}"}`,
      "broken.json": "{a}",
      "list.json": "[1]",
    });
    mkdirSync(join(folder, "inner"));
    const { run, counts } = testCli({ tools, host: { folder } });
    const { code, out, err } = await run("try-rule", "AAPL", "--rules", word);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toBe(
      `INVALID_INPUT The file "${word.slice(1)}" for --rules cannot be used: ${why}\nPass @ and the path of a file with a JSON object, or the JSON itself.\n`,
    );
    expect(counts.opened).toBe(0);
  });

  it("is limited to 64 KB", async () => {
    const text = (size: number) => `{"a":${"1".repeat(size - 6)}}`;
    const folder = folderWith({ "most.json": text(65_536), "more.json": text(65_537) });
    const at = async (name: string) =>
      (await runJson(["try-rule", "AAPL", "--labels", `@${name}`], folder)).err;
    expect(await at("most.json")).not.toContain("64 KB");
    expect(await at("more.json")).toContain("it is larger than 64 KB");
  });

  it("is not read for a text field, which may begin with @", async () => {
    expect(await received(["try-rule", "@AAPL"])).toMatchObject({ symbol: "@AAPL" });
  });
});
