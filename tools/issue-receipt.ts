import { z } from "zod";
import { Alternatives, AsOf, MarketMode, named, Succeeded, SymbolText } from "../src/domain/answers.ts";
import { TimeframeText } from "../src/domain/market/bars.ts";
import { Receipt } from "../src/domain/receipts/receipt.ts";
import { issueReceipt as issued } from "../src/features/receipts/issue.ts";
import { formatReceipt } from "../src/features/receipts/receipt.text.ts";
import { servedSignal } from "../src/features/signal/logged.ts";
import { PICTURE_PORTS, pictureOf } from "../src/features/signal/picture.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Computes the signal of one symbol, signs it with the hashes of its inputs, and stores both for the account. */
export const issueReceipt = defineTool({
  name: "issue_receipt",
  title: "Issue signal receipt",
  description:
    "Issues a new signed receipt of what a trading signal says now: hashes of the bars and facts behind it, model version, verdict, levels and an Ed25519 signature; the inputs are stored. Use it for proof: to certify, attest or put on record for an auditor what the signal said. get_receipt returns one issued before, verify_receipt checks one.",
  topics: ["issue a receipt", "signed receipt", "certify the signal", "notarize", "attest", "put on record"],
  toolset: "agents",
  plan: "pro",
  effect: "write",
  route: "POST /api/v1/receipts",
  cli: { command: "receipt" },
  needs: [...PICTURE_PORTS, "ids", "receipts", "signer", "signalLog"],
  input: z.object({
    symbol: SymbolText,
    timeframe: TimeframeText.default("1d"),
    as_of: AsOf.optional(),
  }),
  output: z.object({
    ...Succeeded,
    receipt: Receipt,
    market: MarketMode,
    alternatives: Alternatives,
  }),
  examples: [
    { ask: "Give me a signed receipt of the Apple signal", input: { symbol: "AAPL" } },
    {
      ask: "Certify what the signal on SPY said at the end of 2025",
      input: { symbol: "SPY", as_of: "2025-12-31" },
    },
  ],
  terminal: ({ receipt }, paint) =>
    [
      formatReceipt(receipt, paint),
      paint("dim", "  stored with its inputs: verify_receipt recomputes it by its id"),
    ].join("\n"),

  async handler({ symbol, timeframe, as_of }, ctx) {
    const picture = await pictureOf({ symbol, timeframe, as_of, signal: ctx.signal }, ctx);
    const { account } = ctx.principal;
    const receipt = await issued(picture, { account, past: as_of !== undefined }, ctx);
    ctx.signalLog.record(servedSignal(picture));
    return {
      receipt,
      market: ctx.market.mode,
      alternatives: picture.resolution.alternatives.map(named),
    };
  },
});
