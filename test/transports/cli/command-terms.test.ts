import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ToolError, type ToolErrorOptions } from "../../../src/kernel/errors.ts";
import { defineTool } from "../../../src/kernel/tool.ts";
import { asCommands, inCommandTerms } from "../../../src/transports/cli/command-terms.ts";
import { getMirror, getPriceTag, testCli } from "./test-host.ts";

const runOrder = defineTool({
  ...getMirror,
  name: "run_order",
  route: "POST /api/v1/order",
  cli: { command: "order", positionals: ["kind"] },
  input: z.strictObject({
    kind: z.enum(["buy", "sell"]).describe("Which"),
    as_of: z.string().describe("When"),
    from: z.string().optional(),
    symbols: z.array(z.string().min(1, "is empty")).optional(),
    legs: z.array(z.strictObject({ side: z.string() })).optional(),
    limit: z.strictObject({ low_price: z.number().optional() }).optional(),
    is_saved: z.boolean().default(true),
  }),
  examples: [{ ask: "Buy", input: { kind: "buy", as_of: "now" } }],
  handler: () => ({ ok: true, got: null }),
} as never);
const tools = [runOrder as never, getMirror];
const errorOf = async (...argv: readonly string[]) => (await testCli({ tools }).run(...argv)).err;

describe("an invalid input on the command line", () => {
  it("is described by the command, its arguments and its options", async () => {
    expect(await errorOf("order", "hold")).toBe(
      'INVALID_INPUT Invalid input for "order": <kind>: must be one of buy, sell; --as-of: is required\n' +
        "order takes <kind>, --as-of, --from, --symbols, --legs, --limit (or --low-price), --no-is-saved.\n",
    );
  });

  it.each([
    [["--symbols", "AAPL,,MSFT"], "--symbols (2): is empty"],
    [["--legs", '[{"side":"x"},{"side":true}]'], "--legs at 1/side: must be text"],
    [["--limit", '{"odd~name/x":1}'], "--limit at odd~name/x: unknown field"],
    [["--low-price", "much"], "--low-price: must be a number"],
  ])("names the field in %j as an argument or option", async (argv, message) => {
    expect(await errorOf("order", "buy", "--as-of", "now", ...argv)).toContain(`"order": ${message}`);
  });

  it("is described in JSON with pointers as well", async () => {
    const { out } = await testCli({ tools }).run("order", "buy", "--json");
    expect(JSON.parse(out)).toMatchObject({
      message: 'Invalid input for "order": --as-of: is required',
      errors: [{ pointer: "/as_of", detail: "is required" }],
    });
  });
});

describe("a tool error on the command line", () => {
  const reworded = (message: string, options: ToolErrorOptions = {}) => {
    const error = new ToolError("INVALID_INPUT", message, options);
    return inCommandTerms(error, runOrder as never) as ToolError;
  };

  it("names fields as options, and leaves ordinary words unchanged", () => {
    expect(reworded("`from` is after as_of 2026", { hint: "Leave as_of out." })).toMatchObject({
      message: "--from is after --as-of 2026",
      hint: "Leave --as-of out.",
    });
    for (const same of [
      "A kind answer from next_as_of, of the `other` limit",
      'Names of a rule: "close, as_of, volume"',
    ])
      expect(reworded(same).message).toBe(same);
  });

  it("names its command, and preserves code, data and cause", () => {
    const cause = new Error("inside");
    const late = new ToolError("DEADLINE", '"run_order" did not finish', { data: { waited: 1 }, cause });
    expect(inCommandTerms(late, runOrder as never)).toMatchObject({
      code: "DEADLINE",
      message: '"order" did not finish',
      data: { waited: 1 },
      cause,
    });
  });

  it("names other tools by their commands, whole words only", () => {
    const tools = [runOrder, getPriceTag] as never;
    const error = new ToolError("REFUSED", "None: get_price_tag makes one", {
      hint: "run_order with kind buy sends it, `run_order` with haste now; not rerun_order, run_order_2.",
    });
    expect(inCommandTerms(error, getMirror, tools)).toMatchObject({
      message: "None: `market-signal get-price-tag` makes one",
      hint: "`market-signal order buy` sends it, `market-signal order` with haste now; not rerun_order, run_order_2.",
    });
    expect(inCommandTerms(error, getMirror)).toMatchObject({ message: error.message, hint: error.hint });
    expect(asCommands("\u001b[2mrun_order\u001b[22m", tools)).toBe(
      "\u001b[2m`market-signal order`\u001b[22m",
    );
    expect(asCommands("nothing", [])).toBe("nothing");
  });

  it("keeps errors of an inner tool and other errors unchanged", () => {
    const inner = reworded('Invalid input for "get_signal": sym: is required', {
      hint: "Fields: sym.",
      data: { errors: [{ pointer: "/sym", detail: "is required" }] },
    });
    expect(inner).toMatchObject({
      message: 'Invalid input for "get_signal": sym: is required',
      hint: "Fields: sym.",
    });
    const strange = new Error("x");
    expect(inCommandTerms(strange, getPriceTag)).toBe(strange);
  });
});
