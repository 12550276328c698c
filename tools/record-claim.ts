import { z } from "zod";
import {
  MarketMode,
  outsideTextNotice,
  Succeeded,
  SymbolText,
  withTimeProblem,
} from "../src/domain/answers.ts";
import { OrderNumber } from "../src/domain/check/check.ts";
import { AuthorText, CLAIMS_OUTSIDE_TEXT, Claim, ClaimRule } from "../src/domain/claims/claims.ts";
import { ofKind } from "../src/domain/recognisers/field-kinds.ts";
import { SideText } from "../src/domain/signal/signal.ts";
import { formatClaim } from "../src/features/claims/claims.text.ts";
import { newClaim } from "../src/features/claims/record-claim.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Records a claim about a future price, dated by the server. */
export const recordClaim = defineTool({
  name: "record_claim",
  title: "Record claim",
  description:
    "Records a claim: a stock tip, call or prediction of a newsletter, friend or model, with target, stop, deadline and rule. Dated now and never edited; settled from later bars. Use it to keep score: log, register or write down what a pundit predicts or expects, hold him to it, put it on record. get_claims shows the record.",
  topics: [
    "record a claim",
    "keep score of",
    "log a prediction",
    "newsletter call",
    "track a forecast",
    "stock tip",
  ],
  toolset: "signal",
  plan: "pro",
  effect: "write",
  listed: "toolset",
  route: "POST /api/v1/claims",
  cli: { command: "claim", positionals: ["symbol", "side", "deadline"] },
  needs: ["claims", "symbols", "bars", "quotes", "clock", "compute", "market"],
  input: z.object({
    author: AuthorText.describe("Who says it"),
    symbol: SymbolText,
    side: SideText.describe("LONG: price rises"),
    rule: ClaimRule.optional(),
    target: OrderNumber.describe("USD; close_beyond defaults to the price"),
    stop: OrderNumber.describe("USD, for target_first"),
    entry: OrderNumber.describe("USD. Default: now"),
    deadline: ofKind(
      z.iso.date({
        error: ({ input }) => withTimeProblem(input, "must be a date on the calendar, such as 2027-01-29"),
      }),
      "coming_day",
    )
      .optional()
      .describe("Last day that counts. Default: in 30 days"),
  }),
  output: z.object({
    ...Succeeded,
    outside_text: outsideTextNotice(CLAIMS_OUTSIDE_TEXT),
    recorded: z.boolean().describe("false: an equal claim existed"),
    claim: Claim,
    market: MarketMode,
  }),
  examples: [
    {
      ask: "Record that my newsletter sees Apple higher in a month",
      input: { author: "My newsletter", symbol: "AAPL", side: "LONG" },
    },
  ],
  terminal: ({ claim, recorded }, paint) =>
    [recorded ? "recorded" : "recorded before", formatClaim(claim, paint)].join("\n"),

  async handler(input, ctx) {
    const { claims, market, principal, signal } = ctx;
    const { claim, isNew } = await claims.add(principal.account, await newClaim(input, signal, ctx));
    return { recorded: isNew, claim, market: market.mode };
  },
});
