import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { issueReceipt } from "../../tools/issue-receipt.ts";
import { verifyReceipt } from "../../tools/verify-receipt.ts";
import { NOW, pro } from "../support/context.ts";
import { smallMarket } from "../support/market.ts";
import { receiptPorts, saveAsExample } from "../support/receipts.ts";
import { toolContract } from "../support/tool-contract.ts";

const fixture = receiptPorts();
const ports = { ...smallMarket().ports, ...fixture };
const as = (account = "contract") => ({ ports, principal: { ...pro, account }, transport: "test" });
const answer = await invoke(issueReceipt, { symbol: "AAPL" }, as());
const { receipt } = answer;
const { receipt_id } = receipt;
await saveAsExample(receipt, "contract", fixture);
const verify = (input: object, account?: string) => invoke(verifyReceipt, input, as(account));
const VALID = { valid: true, signature: "valid", inputs: "intact", equal: true, differences: [] } as const;

describe("verify_receipt", () => {
  it("verifies a receipt by id, as JSON, or as the whole answer that contained it", async () => {
    for (const input of [{ receipt_id }, { receipt }, { receipt: answer }])
      expect(await verify(input)).toMatchObject({
        success: true,
        receipt_id,
        market: "sample",
        checked_at: NOW.toISOString(),
        ...VALID,
      });
  });

  it("verifies only the signature of another account's receipt, and does not find its id", async () => {
    expect(await verify({ receipt }, "two")).toMatchObject({
      valid: null,
      signature: "valid",
      inputs: "not_stored",
      equal: null,
    });
    await expect(verify({ receipt_id }, "two")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("detects a receipt that was changed in the store", async () => {
    await fixture.receipts.save(
      "spoiled",
      receipt,
      fixture.held.get(`contract ${receipt_id}`)!.inputs as Uint8Array,
    );
    const held = fixture.held.get(`spoiled ${receipt_id}`)!;
    expect((await verify({ receipt_id }, "spoiled")).valid).toBe(true);
    for (const text of [
      "no JSON",
      "7",
      JSON.stringify({ ...receipt, symbol: "MSFT" }),
      JSON.stringify(JSON.parse(fixture.held.get(`contract rc_${"0".repeat(20)}`)!.text)),
    ]) {
      held.text = text;
      expect(await verify({ receipt_id }, "spoiled"), text).toMatchObject({
        receipt_id,
        valid: false,
        signature: "invalid",
      });
    }
  });

  it.each([[{}], [{ receipt_id, receipt: { ...receipt } }]])(
    "requires either an id or a receipt",
    async (input) => {
      await expect(verify(input)).rejects.toMatchObject({
        code: "INVALID_INPUT",
        message: "Pass either receipt_id or receipt",
      });
    },
  );

  it("returns an invalid verdict for anything else than a receipt", async () => {
    for (const given of [{}, { receipt: {} }, { receipt: null }, { version: 1, inputs: [] }])
      expect(await verify({ receipt: given })).toMatchObject({
        valid: false,
        signature: "invalid",
        receipt_id: null,
      });
  });

  it("returns an invalid verdict for deeply nested input", async () => {
    const note = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`) as unknown;
    const given = { ...receipt, note };
    expect(await verify({ receipt: given })).toMatchObject({ valid: false, signature: "invalid" });
  });

  it("prints the verdict first, and every difference", async () => {
    const forged = { ...receipt, result: { ...receipt.result, grade: "B" } };
    const lines = verifyReceipt.terminal!(await verify({ receipt: forged }), (_, text) => text).split("\n");
    expect(lines[0]).toBe(`NOT VALID  ${receipt_id}`);
    expect(lines[1]).toBe("  signature invalid  inputs intact  result different");
    expect(lines.at(-1)).toBe('  grade: the receipt says "B", recomputed "A+"');
  });
});

toolContract(verifyReceipt, { ports });
