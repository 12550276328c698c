import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { getReceipt } from "../../tools/get-receipt.ts";
import { issueReceipt } from "../../tools/issue-receipt.ts";
import { pro } from "../support/context.ts";
import { smallMarket } from "../support/market.ts";
import { receiptPorts, saveAsExample } from "../support/receipts.ts";
import { toolContract } from "../support/tool-contract.ts";

const fixture = receiptPorts();
const ports = { ...smallMarket().ports, ...fixture };
const as = (account: string) => ({ ports, principal: { ...pro, account }, transport: "test" });
const { receipt } = await invoke(issueReceipt, { symbol: "AAPL" }, as("contract"));
const { receipt_id } = receipt;
await saveAsExample(receipt, "contract", fixture);

describe("get_receipt", () => {
  it("returns the receipt unchanged", async () => {
    expect(await invoke(getReceipt, { receipt_id }, as("contract"))).toEqual({
      ok: true,
      success: true,
      receipt,
      market: "sample",
      label: "SAMPLE (simulated)",
    });
  });

  it("does not find a receipt of another account, or one that was never issued", async () => {
    for (const [id, account] of [
      [receipt_id, "two"],
      [`rc_${"9".repeat(20)}`, "contract"],
    ] as const)
      await expect(invoke(getReceipt, { receipt_id: id }, as(account))).rejects.toMatchObject({
        code: "NOT_FOUND",
        message: "Receipt not found",
      });
    await expect(invoke(getReceipt, { receipt_id: "latest" }, as("contract"))).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });

  it("rejects a damaged stored receipt", async () => {
    await fixture.receipts.save("spoiled", receipt, new Uint8Array());
    for (const text of ["", "null", "[]", JSON.stringify({ ...receipt, result: null })]) {
      fixture.held.get(`spoiled ${receipt_id}`)!.text = text;
      await expect(invoke(getReceipt, { receipt_id }, as("spoiled"))).rejects.toMatchObject({
        message: "The stored receipt is damaged",
      });
    }
  });
});

toolContract(getReceipt, { ports });
