import { z } from "zod";
import { MarketMode, outsideTextNotice, Succeeded, SymbolText } from "../src/domain/answers.ts";
import { OrderNumber } from "../src/domain/check/check.ts";
import { CLAIMS_OUTSIDE_TEXT, Claim, ClaimRule } from "../src/domain/claims/claims.ts";
import { ofKind } from "../src/domain/recognisers/field-kinds.ts";
import { SideText } from "../src/domain/signal/signal.ts";
import { formatClaim } from "../src/features/claims/claims.text.ts";
import { newClaim } from "../src/features/claims/record-claim.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Records a call of anybody on later prices, dated now. */
export const recordClaim = defineTool({
  name: "record_claim",
  title: "Record claim",
  description:
    "Records a call on later prices that a newsletter, model, friend or you make now: symbol, side, levels, deadline and the rule by which it is right. Never edited; settled from later bars; shown beside its base in past windows. Use it to keep score of a source. get_claims shows the record.",
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
    author: z.string().trim().min(1).max(200).describe("Who says it"),
    symbol: SymbolText,
    side: SideText.describe("LONG: expects a rise"),
    rule: ClaimRule.optional(),
    target: OrderNumber.describe("USD; of close_beyond by default the price"),
    stop: OrderNumber.describe("USD, for target_first"),
    entry: OrderNumber.describe("USD. Default: now"),
    deadline: ofKind(z.iso.date(), "coming_day").describe("Last day that counts"),
  }),
  output: z.object({
    ...Succeeded,
    outside_text: outsideTextNotice(CLAIMS_OUTSIDE_TEXT),
    recorded: z.boolean().describe("false: it was before"),
    claim: Claim,
    market: MarketMode,
  }),
  examples: [
    {
      ask: "Record that my newsletter sees Apple higher at the end of June 2027",
      input: { author: "My newsletter", symbol: "AAPL", side: "LONG", deadline: "2027-06-30" },
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
