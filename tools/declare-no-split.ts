import { z } from "zod";
import { MarketMode, Succeeded, SymbolText } from "../src/domain/answers.ts";
import { declareNoSplit as declare } from "../src/features/signal/declare-no-split.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Declares that a price change of the size of a split is none, for all accounts of the server. */
export const declareNoSplit = defineTool({
  name: "declare_no_split",
  title: "Declare no split",
  description:
    "Declares that a price change was a real move and no unadjusted split, so that signals and odds of all accounts read across it. Returns whether anything changed, a hint, and all declarations by symbol and date; without input only lists them, and `remove` takes one back. Use it when a signal is refused for a split that was none (owner or scope admin). get_corporate_actions lists real splits.",
  topics: [
    "no split",
    "not a split",
    "suspected split",
    "unadjusted split",
    "split declaration",
    "false split",
  ],
  toolset: "system",
  plan: "member",
  effect: "write",
  destructive: true,
  listed: "toolset",
  route: "POST /api/v1/no-splits",
  cli: { command: "no-split", positionals: ["symbol", "date"] },
  needs: ["noSplits", "symbols", "bars", "clock", "market"],
  input: z.object({
    symbol: SymbolText.optional(),
    date: z.iso.date().optional().describe("Date of the first session at the new price"),
    remove: z.boolean().default(false).describe("true: removes the declaration"),
  }),
  output: z.object({
    ...Succeeded,
    changed: z.boolean().describe("true: this call added or removed a declaration"),
    hint: z.string(),
    declared: z
      .array(
        z.object({
          symbol: z.string(),
          date: z.iso.date(),
          declared_at: z.iso.datetime(),
        }),
      )
      .describe("All declarations of this server"),
    market: MarketMode,
  }),
  examples: [{ ask: "Which price changes are declared to be no split?", input: {} }],
  terminal: ({ hint, declared }, paint) =>
    [hint, ...declared.map(({ symbol, date }) => `${paint("bold", symbol)} ${date} is no split`)].join("\n"),

  async handler({ symbol, date, remove }, ctx) {
    const { noSplits, symbols, market, principal } = ctx;
    const instrument = symbol === undefined ? null : symbols.resolve(symbol).instrument;
    if ((symbol === undefined) !== (date === undefined))
      throw new ToolError("INVALID_INPUT", "A declaration needs both symbol and date", {
        hint: "Pass both, or neither for a list of all declarations.",
        data: { errors: [{ pointer: symbol === undefined ? "/symbol" : "/date", detail: "is missing" }] },
      });
    const done =
      instrument === null || date === undefined
        ? { changed: false, hint: "Pass symbol and date to declare that a price change is no split." }
        : await declare({ instrument, date, remove }, principal, ctx);
    return { ...done, declared: [...(await noSplits.list())], market: market.mode };
  },
});
