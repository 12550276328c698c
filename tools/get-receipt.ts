import { z } from "zod";
import { MarketMode, Succeeded } from "../src/domain/answers.ts";
import { Receipt, ReceiptId } from "../src/domain/receipts/receipt.ts";
import { formatReceipt } from "../src/features/receipts/receipt.text.ts";
import { requireReceipt } from "../src/features/receipts/stored-receipt.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns a stored receipt of the account, unchanged. */
export const getReceipt = defineTool({
  name: "get_receipt",
  title: "Get signal receipt",
  description:
    "Returns an existing receipt of a signal by its id (rc_ and 20 hexadecimal digits), word for word: the recorded verdict, hashes of its inputs, model version, public key and signature. Use it to show what a receipt says, or to reopen or download a signal receipt issued before. verify_receipt checks it, issue_receipt makes a new one.",
  topics: ["existing receipt", "stored receipt", "download the receipt", "receipt json", "receipt id"],
  toolset: "agents",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/receipts/:receipt_id",
  cli: { command: "receipt-of" },
  needs: ["receipts", "market"],
  input: z.object({ receipt_id: ReceiptId }),
  output: z.object({ ...Succeeded, receipt: Receipt, market: MarketMode }),
  examples: [
    { ask: `Show me receipt rc_${"0".repeat(20)} again`, input: { receipt_id: `rc_${"0".repeat(20)}` } },
  ],
  terminal: ({ receipt }, paint) => formatReceipt(receipt, paint),

  async handler({ receipt_id }, ctx) {
    const receipt = await requireReceipt(receipt_id, ctx);
    return { receipt, market: ctx.market.mode };
  },
});
