import { z } from "zod";
import { ReceiptId, Verification } from "../src/domain/receipts/receipt.ts";
import { MarketMode } from "../src/domain/trading/positions.ts";
import { formatVerification } from "../src/features/receipts/receipt.text.ts";
import { verifyGivenReceipt, verifyStoredReceipt } from "../src/features/receipts/stored-receipt.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Whether a receipt is this server's, unchanged, and comes out the same when its signal is computed again. */
export const verifyReceipt = defineTool({
  name: "verify_receipt",
  title: "Verify signal receipt",
  description:
    "Verifies a receipt of a signal: checks its Ed25519 signature, compares its hashes with the inputs that were kept, computes the signal from them once more and tells whether it is equal, with every difference. Use it to check whether a receipt is genuine, authentic, forged, altered or tampered with, to validate or reproduce a recorded signal. Takes its id, or the whole receipt as JSON. A receipt is made by issue_receipt and only shown by get_receipt.",
  toolset: "agents",
  plan: "pro",
  effect: "read",
  route: "POST /api/v1/receipts/verify",
  cli: { command: "verify", positionals: ["receipt_id"], verdict: "valid" },
  needs: ["receipts", "signer", "market", "clock"],
  input: z.object({
    receipt_id: ReceiptId.optional(),
    receipt: z
      .looseObject({})
      .optional()
      .describe("The whole receipt as it was given out, in place of its id"),
  }),
  output: z.object({
    success: z.literal(true),
    checked_at: z.iso.datetime(),
    ...Verification.shape,
    market: MarketMode,
  }),
  examples: [{ ask: "Is this receipt genuine?", input: { receipt_id: `rc_${"0".repeat(20)}` } }],
  terminal: formatVerification,

  async handler({ receipt_id, receipt }, ctx) {
    if ((receipt_id === undefined) === (receipt === undefined))
      throw new ToolError("INVALID_INPUT", "Give either receipt_id or receipt", {
        hint: "receipt_id for one that was issued to this account, receipt for the JSON of any.",
        data: { errors: [{ pointer: "/receipt_id", detail: "or receipt, one of them" }] },
      });
    const checked =
      receipt_id === undefined
        ? await verifyGivenReceipt(receipt!, ctx)
        : await verifyStoredReceipt(receipt_id, ctx);
    return {
      success: true as const,
      checked_at: ctx.clock.now().toISOString(),
      ...checked,
      market: ctx.market.mode,
    };
  },
});
