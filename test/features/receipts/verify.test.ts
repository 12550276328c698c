import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../src/domain/receipts/receipt.ts";
import { issueReceipt, signedText } from "../../../src/features/receipts/issue.ts";
import { verifyReceipt } from "../../../src/features/receipts/verify.ts";
import { pictureOf } from "../../../src/features/signal/picture.ts";
import { smallMarket } from "../../support/market.ts";
import { receiptPorts, resign } from "../../support/receipts.ts";

const { ports } = smallMarket();
const { signal } = new AbortController();

/** A receipt of the signal of AAPL for one account, with its ports. */
async function issuedHere() {
  const fixture = receiptPorts();
  const here = { ...ports, ...fixture };
  const picture = await pictureOf({ symbol: "AAPL", timeframe: "1d", signal }, here);
  const receipt = await issueReceipt(picture, { account: "ada", past: false }, here);
  const verify = (said: object = receipt, account = "ada", over: Partial<typeof here> = {}) =>
    verifyReceipt(said, { account }, { ...here, ...over });
  return {
    fixture,
    here,
    receipt,
    verify,
    held: fixture.held.get(`ada ${receipt.receipt_id}`)!,
  };
}

describe("a receipt", () => {
  it("holds the signal and its inputs, signed over sorted JSON", async () => {
    const { receipt, fixture } = await issuedHere();
    expect(receipt).toMatchObject({
      receipt_id: expect.stringMatching(/^rc_[0-9a-f]{20}$/),
      version: 1,
      symbol: "AAPL",
      timeframe: "1d",
      market: { mode: "sample", id: "test" },
      source: "fixture",
      venue: "XTST",
      adjustment: "split",
      as_of: null,
      issued_at: "2026-01-15T15:00:00.000Z",
      decided_at: "2026-01-14T21:00:00.000Z",
      model_version: "consensus-1.2.0",
      // computed by hand in the test of get_signal
      result: {
        direction: "LONG",
        grade: "A+",
        tier: "HOT",
        reason: null,
        close: 137.375,
        coverage: 0.8,
        entry_zone: { low: 137.13, high: 137.63 },
        stop_loss: 135.87,
        targets: [141.63, 143.38, 145.13],
      },
    });
    expect(receipt.result).toMatchObject({ confidence: receipt.result.odds!.target_first });
    const { signature, ...rest } = receipt;
    const text = signedText(receipt);
    expect(JSON.parse(text)).toEqual(rest);
    expect(text.startsWith('{"adjustment":"split","as_of":null,"decided_at":')).toBe(true);
    expect(fixture.signer.verify(text, signature, receipt.public_key)).toBe(true);
  });

  it("is valid, and its signal is recomputed the same", async () => {
    const { verify, receipt } = await issuedHere();
    const found = {
      receipt_id: receipt.receipt_id,
      valid: true,
      signature: "valid",
      inputs: "intact",
      equal: true,
      differences: [],
      reason:
        "The signature is valid and from this server. The inputs are intact, and consensus-1.2.0 computes the same result from them.",
    };
    expect(await verify()).toEqual(found);
    const reordered = Object.fromEntries(Object.entries(receipt).reverse());
    expect(await verify(JSON.parse(JSON.stringify(reordered, null, 2)))).toEqual(found);
  });

  it.each(["consensus-1.0.0", "consensus-1.1.0"])(
    "of %s is compared by drivers and score alone",
    async (model_version) => {
      const { verify, receipt, fixture } = await issuedHere();
      const { odds: _, ...signal } = receipt.result;
      const result = {
        ...signal,
        direction: "WAIT" as const,
        entry_zone: { low: 137.125, high: 137.625 },
        stop_loss: 135.875,
        reward_to_risk: 16 / 7,
        confidence: 0.99,
      };
      expect(await verify(await resign(receipt, { model_version, result }, fixture))).toMatchObject({
        valid: true,
        inputs: "intact",
        equal: true,
        differences: [],
        reason: expect.stringMatching(
          /consensus-1\.2\.0 computes the same drivers and score from them\. Direction, levels, odds and confidence of consensus-1\.[01]\.0 come from an earlier method and are not compared\.$/,
        ),
      });
      const forged = await resign(receipt, { model_version, result: { ...result, score: 1 } }, fixture);
      expect(await verify(forged)).toMatchObject({
        valid: false,
        equal: false,
        differences: [{ field: "score" }],
      });
    },
  );

  it("with other odds than its inputs give is invalid", async () => {
    const { verify, receipt, fixture } = await issuedHere();
    const odds = { ...receipt.result.odds!, stop_first: 0.5, neither: 0.5 };
    const forged = await resign(receipt, { result: { ...receipt.result, odds } }, fixture);
    expect(await verify(forged)).toMatchObject({
      valid: false,
      equal: false,
      differences: [{ field: "odds.stop_first" }, { field: "odds.neither" }],
    });
  });

  it("is invalid with any change, and lists the differences", async () => {
    const { verify, receipt } = await issuedHere();
    expect(await verify({ ...receipt, result: { ...receipt.result, grade: "B" } })).toEqual({
      receipt_id: receipt.receipt_id,
      valid: false,
      signature: "invalid",
      inputs: "intact",
      equal: false,
      differences: [{ field: "grade", receipt: '"B"', computed: '"A+"' }],
      reason:
        "The signature is invalid: the receipt was changed after signing. The inputs are intact, and consensus-1.2.0 computes another result from them.",
    });
    const targets = [141.63, 143.38];
    expect((await verify({ ...receipt, result: { ...receipt.result, targets } })).differences).toEqual([
      { field: "targets.2", receipt: "null", computed: "145.13" },
    ]);
    for (const changed of [
      { ...receipt, symbol: "MSFT" },
      { ...receipt, note: "added" },
      { ...receipt, result: { ...receipt.result, confidence: 0.9 } },
      { ...receipt, result: { ...receipt.result, entry_zone: { ...receipt.result.entry_zone, mid: 1 } } },
    ])
      expect(await verify(changed)).toMatchObject({ valid: false, signature: "invalid" });
  });

  it("is of another key when another server signed it", async () => {
    const { verify, receipt } = await issuedHere();
    const forged = await resign(receipt, {}, receiptPorts());
    expect(await verify(forged)).toMatchObject({
      valid: false,
      signature: "other_key",
      inputs: "intact",
      equal: true,
      reason: expect.stringContaining("signed by another key"),
    });
    expect(await verify({ ...receipt, public_key: forged.public_key })).toMatchObject({
      valid: false,
      signature: "other_key",
    });
    const { signer } = receiptPorts();
    expect(await verify(receipt, "ada", { signer })).toMatchObject({ signature: "other_key", valid: false });
  });

  it("is invalid when the stored inputs differ", async () => {
    const { verify, held, here, receipt } = await issuedHere();
    const bytes = held.inputs as Uint8Array;
    const changed = { valid: false, signature: "valid", inputs: "changed", equal: null };
    for (const at of [0, 40, Math.floor(bytes.length / 2), bytes.length - 1]) {
      held.inputs = Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ 1 : byte));
      expect(await verify(), `byte ${at}`).toMatchObject(changed);
    }
    held.inputs = "damaged";
    expect(await verify()).toMatchObject(changed);
    const other = await pictureOf({ symbol: "MSFT", timeframe: "1d", signal }, here);
    const second = await issueReceipt(other, { account: "bob", past: false }, here);
    held.inputs = here.held.get(`bob ${second.receipt_id}`)!.inputs;
    expect(await verify()).toMatchObject(changed);
    held.inputs = bytes;
    expect(await verify({ ...receipt, inputs: receipt.inputs.slice(1) })).toMatchObject({
      inputs: "changed",
      valid: false,
    });
  });

  it("is not recomputed without stored inputs: only the signature is checked", async () => {
    const { verify, held } = await issuedHere();
    const undecided = { valid: null, signature: "valid", inputs: "not_stored", equal: null };
    expect(await verify(undefined, "bob")).toMatchObject(undecided);
    const market = { mode: "live", id: "live" } as const;
    expect(await verify(undefined, "ada", { market })).toMatchObject({
      ...undecided,
      reason: expect.stringContaining("a different market"),
    });
    held.inputs = null;
    expect(await verify()).toMatchObject({
      ...undecided,
      reason: expect.stringContaining("newest 1,000 receipts"),
    });
  });

  it("of another model is not compared, with its name", async () => {
    const { verify, receipt, fixture } = await issuedHere();
    const older = await resign(receipt, { model_version: "consensus-0.9.0" }, fixture);
    expect(await verify(older)).toMatchObject({
      valid: null,
      signature: "valid",
      inputs: "intact",
      equal: null,
      differences: [],
      reason:
        "The signature is valid and from this server. The inputs are intact, but the result is not comparable: it was computed by consensus-0.9.0, this server runs consensus-1.2.0.",
    });
  });

  it("signed by this server is invalid when its result does not follow from its inputs", async () => {
    const { verify, receipt, fixture } = await issuedHere();
    const result = { ...receipt.result, score: 12.5 };
    const { differences } = await verify(await resign(receipt, { result }, fixture));
    expect(differences).toEqual([{ field: "score", receipt: "12.5", computed: `${receipt.result.score}` }]);
    expect(await verify(await resign(receipt, { result }, fixture))).toMatchObject({
      valid: false,
      signature: "valid",
      equal: false,
    });
  });

  it.each([
    ["nothing", {}],
    ["a list", []],
    ["another kind of receipt", { version: 2 }],
    ["a number as text", { result: { score: "100" } }],
  ])("is invalid as %s", async (_, over) => {
    const { verify, receipt } = await issuedHere();
    const said = Object.keys(over).length === 0 ? over : { ...receipt, ...over };
    expect(await verify(said)).toMatchObject({ valid: false, signature: "invalid", receipt_id: null });
  });

  it("is invalid under another id", async () => {
    const { receipt, here } = await issuedHere();
    const id = `rc_${"1".repeat(20)}`;
    const found = await verifyReceipt(receipt satisfies Receipt, { account: "ada", id }, here);
    expect(found).toMatchObject({
      valid: false,
      receipt_id: id,
      reason: "Another receipt is stored under this id: none of its content is verified.",
    });
  });
});
