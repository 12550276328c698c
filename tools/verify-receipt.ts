import { z } from "zod";
import { MarketMode, Succeeded } from "../src/domain/answers.ts";
import { Snapshot } from "../src/domain/receipts/check-receipt.ts";
import { ReceiptId, Verification } from "../src/domain/receipts/receipt.ts";
import { formatVerification } from "../src/features/receipts/receipt.text.ts";
import { verifyGivenReceipt, verifyStoredReceipt } from "../src/features/receipts/stored-receipt.ts";
import { isCheckReceipt, verifyCheckReceipt } from "../src/features/receipts/verify-check.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Verifies the signature and the inputs of a receipt, and recomputes its signal or its check of an order. */
export const verifyReceipt = defineTool({
  name: "verify_receipt",
  title: "Verify receipt",
  description:
    "Verifies a receipt of a signal or of check_order: checks its Ed25519 signature, compares its hashes with the inputs, recomputes the result from them and returns every difference. Use it to check whether a receipt is genuine, forged, altered or tampered with. Takes an id or the JSON of the whole receipt. issue_receipt makes one, get_receipt returns it unchecked.",
  topics: ["verify receipt", "check the receipt", "genuine receipt", "forged receipt", "receipt signature"],
  toolset: "agents",
  plan: "pro",
  effect: "read",
  route: "POST /api/v1/receipts/verify",
  cli: { command: "verify", positionals: ["receipt_id"], verdict: "valid" },
  needs: ["receipts", "signer", "market", "clock", "symbols", "bars", "marketDays", "compute"],
  secrets: { input: ["snapshot"] },
  input: z.strictObject({
    receipt_id: ReceiptId.optional(),
    receipt: z.looseObject({}).optional().describe("Or the receipt"),
    snapshot: z
      .looseObject({})
      .meta({ maxProperties: 5 })
      .pipe(Snapshot)
      .optional()
      .describe("For check_order: the quote, account, positions, open_orders and recent_trades it got"),
  }),
  output: z.object({
    ...Succeeded,
    checked_at: z.iso.datetime(),
    ...Verification.shape,
    market: MarketMode,
  }),
  examples: [{ ask: "Is this receipt genuine?", input: { receipt_id: `rc_${"0".repeat(20)}` } }],
  terminal: formatVerification,

  async handler({ receipt_id, receipt, snapshot }, ctx) {
    if ((receipt_id === undefined) === (receipt === undefined))
      throw new ToolError("INVALID_INPUT", "Pass either receipt_id or receipt", {
        hint: "Pass receipt_id for a receipt issued to this account, or receipt for the JSON of any receipt.",
        data: { errors: [{ pointer: "/receipt_id", detail: "exactly one of receipt_id and receipt" }] },
      });
    const isCheck = receipt !== undefined && isCheckReceipt(receipt);
    if (snapshot !== undefined && !isCheck)
      throw new ToolError("INVALID_INPUT", "Only the receipt of check_order has a snapshot", {
        hint: "Pass the receipt of check_order, or leave snapshot out.",
        data: { errors: [{ pointer: "/snapshot", detail: "needs receipt, of check_order" }] },
      });
    const caller = { account: ctx.principal.account, signal: ctx.signal, ports: ctx };
    const checked = isCheck
      ? await verifyCheckReceipt(receipt, snapshot, caller)
      : receipt === undefined
        ? await verifyStoredReceipt(receipt_id!, ctx)
        : await verifyGivenReceipt(receipt, ctx);
    return {
      checked_at: ctx.clock.now().toISOString(),
      ...checked,
      market: ctx.market.mode,
    };
  },
});
