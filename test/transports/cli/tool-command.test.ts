import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../../src/kernel/tool.ts";
import { getFailure, getTide } from "../../support/http-tools.ts";
import { TEST_TOOL } from "../../support/test-tool.ts";
import { getMirror, getPriceTag, runList, testCli } from "./test-host.ts";

const tools = [getMirror, runList, getPriceTag, getFailure, getTide];

/** The input received by the tool. */
async function received(...argv: readonly string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await testCli({ tools }).run(...argv, "--json");
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out).got;
}

describe("the command of a tool", () => {
  it("takes required fields as arguments and defaults for the others", async () => {
    expect(await received("get-mirror", "AAPL", "3")).toEqual({
      first_word: "AAPL",
      how_many: 3,
      is_saved: true,
      size: "small",
      detail: "full",
    });
  });

  it("takes a field by the name that REST publishes, as an option that help does not list", async () => {
    const published = { ...getMirror, http: { names: { first_word: "word" } } };
    const cli = () => testCli({ tools: [published] });
    const { out } = await cli().run("get-mirror", "--word", "AAPL", "--how-many", "3", "--json");
    expect(JSON.parse(out).got).toMatchObject({ first_word: "AAPL", how_many: 3 });
    expect((await cli().run("get-mirror", "--help")).out).not.toContain("--word");
  });

  it("converts each option to the type in its schema", async () => {
    const options = "--ratio -0.5 --is-deep --no-is-saved --size large --tags a,b --detail concise".split(
      " ",
    );
    expect(await received("mirror", "AAPL", "3", ...options)).toEqual({
      first_word: "AAPL",
      how_many: 3,
      ratio: -0.5,
      is_deep: true,
      is_saved: false,
      size: "large",
      tags: ["a", "b"],
      detail: "concise",
    });
  });

  it("reads objects and lists of objects from JSON", async () => {
    const got = await received("mirror", "x", "1", "--rules", '{"max": 2}', "--legs", '[{"side":"buy"}]');
    expect(got).toMatchObject({ rules: { max: 2 }, legs: [{ side: "buy" }] });
  });

  it.each([["{max: 2}"], ["2"], ["[]"]])(
    "leaves %s in place of an object to the schema to reject",
    async (text) => {
      const { code, err } = await testCli({ tools }).run("mirror", "x", "1", "--rules", text);
      expect(code).toBe(2);
      expect(err).toContain('INVALID_INPUT Invalid input for "mirror": --rules:');
    },
  );

  it("passes text unchanged: spaces, numbers, a leading minus", async () => {
    expect(await received("mirror", " two words ", "-3", "--note-text", "--loud")).toMatchObject({
      first_word: " two words ",
      how_many: -3,
      note_text: "--loud",
    });
    expect(await received("mirror", "007", "1", "--note-text=1e3")).toMatchObject({
      first_word: "007",
      note_text: "1e3",
    });
    expect(await received("mirror", "--first-word", "-x", "1")).toMatchObject({ first_word: "-x" });
  });

  it("also takes required fields as options; arguments fill the others", async () => {
    const whole = { first_word: "AAPL", how_many: 3 };
    expect(await received("mirror", "--first-word", "AAPL", "3")).toMatchObject(whole);
    expect(await received("mirror", "AAPL", "--how-many=3")).toMatchObject(whole);
    expect(await received("get_mirror", "--how_many", "3", "--first_word=AAPL")).toMatchObject(whole);
  });

  it("takes all remaining arguments for a final list, or its repeated option", async () => {
    const whole = { kind: "stocks", symbols: ["AAPL", "MSFT", "SPY"] };
    expect(await received("run-list", "stocks", "AAPL", "MSFT", "SPY")).toEqual(whole);
    expect(await received("run-list", "stocks", "AAPL,MSFT", "SPY")).toEqual(whole);
    expect(await received("run-list", "stocks", "--symbols", "AAPL", "--symbols", "MSFT,SPY")).toEqual(whole);
  });

  it.each([
    [["mirror", "AAPL"], "missing required argument 'how-many'"],
    [["mirror", "Apple", "Inc", "3"], "unexpected '3'. Quote text that has spaces."],
    [["mirror", "--first-word", "AAPL", "3", "4"], "unexpected '4'"],
    [["mirror", "Apple", "3", "rate cut"], "unexpected 'rate cut'. Use an option"],
    [["mirror", "AAPL", "3", "--sise", "large"], "unknown option '--sise'\n(Did you mean --size?)"],
    [["mirror", "AAPL", "3", "--size"], "argument missing"],
  ])("rejects %j and opens nothing", async (argv, message) => {
    const { run, counts } = testCli({ tools });
    const { code, out, err } = await run(...argv);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(message);
    expect(err).toContain("(--help shows the usage)");
    expect(counts.opened).toBe(0);
  });

  it("shows an optional argument in brackets", async () => {
    const loose = { ...getMirror, cli: { command: "mirror", positionals: ["first_word", "note_text"] } };
    const { out } = await testCli({ tools: [loose] }).run("mirror", "--help");
    expect(out).toContain("[options] <first-word> [note-text]");
  });

  it("shows the tool's own format, coloured if the terminal supports it", async () => {
    expect((await testCli({ tools }).run("get-price-tag")).out).toBe("SAMPLE (simulated)\ncosts 12.50\n");
    expect((await testCli({ tools, tty: true }).run("get-price-tag")).out).toBe(
      "\u001b[33mSAMPLE (simulated)\u001b[39m\ncosts \u001b[32m12.50\u001b[39m\n",
    );
  });

  it("wraps text to the width of the terminal, but not JSON", async () => {
    const argv = ["mirror", "AAPL", "1", "--note-text", "eight words of a note of some length"];
    const narrow = (await testCli({ tools, columns: 30 }).run(...argv)).out;
    expect(narrow).toContain("  note_text   eight words of a\n    note of some length\n");
    expect((await testCli({ tools }).run(...argv)).out).toContain("eight words of a note of some length\n");
    const json = (await testCli({ tools, columns: 30 }).run(...argv, "--json")).out;
    expect(json).toContain('"note_text": "eight words of a note of some length"');
    const { err } = await testCli({ tools, columns: 30 }).run("mirror", "AAPL", "1", "--size", "huge");
    expect(err).toContain(
      'INVALID_INPUT Invalid input\n  for "mirror": --size: must\n  be one of small, large\n',
    );
    const odd = await testCli({ tools, columns: 30 }).run("mirror", "AAPL", "1", "one more");
    expect(odd.err).toContain("error: too many arguments:\n  unexpected 'one more'. Use\n  an option");
  });

  it("labels a result only if its prices are simulated", async () => {
    const live = { market: { mode: "live", id: "live" } } as const;
    expect((await testCli({ tools, ports: live }).run("get-price-tag")).out).toBe("costs 12.50\n");
    expect((await testCli({ tools }).run("get-tide")).out).toBe("which  tide\n");
  });

  it("prints only JSON with --json, even on a terminal", async () => {
    const { out } = await testCli({ tools, tty: true }).run("get-price-tag", "--json");
    expect(out).toBe('{\n  "price": 12.5,\n  "label": "SAMPLE (simulated)"\n}\n');
  });

  it.each([
    ["REFUSED", 1],
    ["UNKNOWN_SYMBOL", 1],
    ["INVALID_INPUT", 2],
    ["CANCELLED", 130],
  ])("prints %s on stderr and exits with %i", async (code, exit) => {
    const { run, counts } = testCli({ tools });
    expect(await run("get-failure", code)).toEqual({
      code: exit,
      out: "",
      err: `${code} Failed with ${code}\nExpect it.\n`,
    });
    expect(counts).toEqual({ opened: 1, closed: 1 });
  });

  it.each([
    [true, 0],
    [false, 1],
    [null, 1],
  ])("exits according to the result of a check: %s gives %i", async (holds, exit) => {
    const check = defineTool({
      ...TEST_TOOL,
      name: "verify_it",
      title: "Verify it",
      plan: "open",
      route: "GET /api/v1/verify",
      output: z.object({ holds: z.boolean().nullable().describe("True if it holds") }),
      cli: { verdict: "holds" },
      terminal: () => "verified",
      handler: () => ({ holds }),
    });
    const { code, out, err } = await testCli({ tools: [check] }).run("verify-it");
    expect({ code, err }).toEqual({ code: exit, err: "" });
    expect(out).toContain("verified\n");
  });

  it("prints the error as JSON on stdout; error data cannot override code and message", async () => {
    const { code, out, err } = await testCli({ tools }).run("get-failure", "REFUSED", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({
      ok: false,
      code: "REFUSED",
      message: "Failed with REFUSED",
      hint: "Expect it.",
      symbol: "ZZZZ",
      price: null,
      data: { price: null },
      status: 200,
      type: "forged",
    });
    expect(err).toBe("REFUSED Failed with REFUSED\nExpect it.\n");
  });

  it("hides the cause of an unexpected error", async () => {
    const { code, out, err } = await testCli({ tools }).run("get-failure", "crash", "--json");
    expect(code).toBe(1);
    expect(out + err).not.toContain("secret");
    expect(err).toBe("INTERNAL The tool failed unexpectedly\n");
  });

  it("draws progress only on stderr of a terminal, and erases it afterwards", async () => {
    const slow = defineTool({
      ...getTide,
      name: "get_slow",
      route: "GET /api/v1/slow",
      handler(_: unknown, ctx: { progress(step: object): void }) {
        ctx.progress({ done: 1, total: 4, message: "one\u001b[2J" });
        ctx.progress({ done: 2, total: 4, message: "two" });
        return { which: "slow" };
      },
    } as never);
    let at = 0;
    const clock = {
      now: () => {
        at += 400;
        return new Date(at);
      },
    };
    const seen = await testCli({ tools: [slow], ports: { clock }, tty: true }).run("get-slow");
    expect(seen.err).toBe(
      `\r\u001b[K[======${" ".repeat(18)}] 1/4 one\r\u001b[K[${"=".repeat(12)}${" ".repeat(12)}] 2/4 about 3 s left two\r\u001b[K`,
    );
    expect((await testCli({ tools: [slow], ports: { clock } }).run("get-slow")).err).toBe("");
  });

  it("shows examples first, then the help of each field", async () => {
    const { code, out } = await testCli({ tools }).run("mirror", "--help");
    expect(code).toBe(0);
    expect(out).toBe(`Examples:
  market-signal mirror 'it'\\''s' 2 --is-deep --tags a,b --max 1
      Mirror it's two
  market-signal mirror x -1 --no-is-saved
      Drop it

Usage: market-signal get-mirror|mirror [options] <first-word> <how-many>

Returns its input.

Arguments:
  first-word            Any text
  how-many              How many

Options:
  --ratio <number>      Any number
  --note-text <text>    What to note
  --is-deep             Yes or no
  --no-is-saved         set is_saved to false. Saved by default [default: true]
  --tags <list>         Words
  --legs <list>         Legs of an order
  --rules <json|@file>  Limits
  --max <number>        in rules
  --size <text>         How large (small, large) [default: small]
  --detail <text>       How much (concise, full) [default: concise]
  --json                print the full result as JSON on stdout
  -h, --help            display help for command
`);
  });
});
