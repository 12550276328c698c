import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Receipt } from "../../../src/domain/receipts/receipt.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { canonicalJson } from "../../../src/lib/canonical-json.ts";
import { checkReceipts, ORDER, SNAPSHOT } from "../../support/check-receipts.ts";
import { stoppedClock, usualRules } from "../../support/context.ts";
import { climbingBars, quote, simulatedMarket } from "../../support/market.ts";
import { receiptPorts, resign } from "../../support/receipts.ts";

type Json = Readonly<Record<string, any>>;
const VALID = { valid: true, signature: "valid", inputs: "intact", equal: true, differences: [] } as const;
const { check, verify, ports } = checkReceipts();
const answer = await check({ ...ORDER, ...SNAPSHOT });
const receipt = answer.receipt as Json;
/** The receipt with these changes, signed again by the same server. */
const signedAgain = async (change: object) =>
  (await resign(receipt as Receipt, change as Partial<Receipt>, ports)) as Json;

describe("a receipt of a check", () => {
  it("holds the order, the versions, the hashes and the verdict", () => {
    const { public_key, signature, snapshot_sha256, bars_sha256, result_sha256, ...rest } = receipt;
    expect(rest).toEqual({
      kind: "order_check",
      version: 1,
      issued_at: "2026-01-15T15:00:00.000Z",
      market: { mode: "sample", id: "test" },
      rules_version: "rules-1.0.0",
      odds_version: "odds-1.1.0",
      order: {
        symbol: "AAPL",
        side: "buy",
        quantity: "12",
        type: "market",
        stop_loss: "134.25",
        take_profit: "145",
        extended_hours: false,
        horizon: 20,
      },
      quote: { price: "138", source: "live_quote", at: "2026-01-15T14:50:00.000Z", session: "regular" },
      limits: {},
      verdict: answer.verdict,
    });
    for (const hash of [snapshot_sha256, bars_sha256, result_sha256]) expect(hash).toMatch(/^[\w-]{43}$/);
    const { signature: _, ...signed } = receipt;
    expect(ports.signer.verify(canonicalJson(signed), signature, public_key)).toBe(true);
  });

  it("is returned only for receipt: true, and nothing is stored", async () => {
    expect(await check({ ...ORDER, receipt: false })).not.toHaveProperty("receipt");
    expect(ports.held.size).toBe(0);
  });

  it("is valid with the snapshot, and its check is repeated the same", async () => {
    const concise = await check({ ...ORDER, ...SNAPSHOT, detail: "concise" });
    for (const given of [receipt, answer, concise.receipt, concise])
      expect(await verify({ receipt: given, snapshot: SNAPSHOT })).toMatchObject({
        ...VALID,
        receipt_id: null,
        reason: expect.stringMatching(
          /^The signature is valid and from this server\. Snapshot and bars are those of the receipt, and rules-1\.0\.0 with odds-1\.1\.0 compute the same result from them\. Taken from the receipt: the quote /,
        ),
      });
    expect(concise.receipt).toEqual(receipt);
  });

  it("without the snapshot has a valid signature, and is undecided", async () => {
    expect(await verify({ receipt })).toMatchObject({
      valid: null,
      signature: "valid",
      inputs: "not_stored",
      equal: null,
      differences: [],
      reason:
        "The signature is valid and from this server. The snapshot was not given, so the check was not repeated.",
    });
    const without = await check(ORDER);
    expect(await verify({ receipt: without.receipt }), "no snapshot was sent").toMatchObject(VALID);
  });

  it("is invalid with any changed, added or removed value", async () => {
    const paths = leavesOf(receipt);
    expect(paths.length).toBe(25);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(undefined)),
        async (path, value) => {
          const changed = withValue(receipt, path, value);
          fc.pre(canonicalJson(changed) !== canonicalJson(receipt));
          const found = await verify({ receipt: changed, snapshot: SNAPSHOT }).catch(({ code }) => code);
          // without its kind it is no receipt of a check, and takes no snapshot
          if (path[0] === "kind") expect(found).toBe("INVALID_INPUT");
          else expect(found).toMatchObject({ valid: false, signature: "invalid" });
        },
      ),
      { numRuns: 300 },
    );
    for (const changed of [
      { ...receipt, note: "added" },
      { ...receipt, order: { ...receipt.order, quantity: "13" } },
      { ...receipt, order: { ...receipt.order, quantity: 12 } },
      { ...receipt, verdict: "ok" },
      { ...receipt, signature: `${receipt.signature.slice(0, -1)}_` },
    ])
      expect(await verify({ receipt: changed })).toMatchObject({ valid: false, signature: "invalid" });
  });

  it("of another server is of another key, and is not repeated", async () => {
    const other = receiptPorts();
    const theirs = await resign(receipt as Receipt, {}, other);
    expect(await verify({ receipt: theirs, snapshot: SNAPSHOT })).toMatchObject({
      valid: false,
      signature: "other_key",
      equal: null,
      reason: expect.stringContaining("signed by another key"),
    });
    expect(await verify({ receipt }, { signer: other.signer })).toMatchObject({ signature: "other_key" });
    const { public_key } = theirs;
    expect(await verify({ receipt: { ...receipt, public_key } })).toMatchObject({ signature: "invalid" });
  });

  it.each<[string, Json]>([
    ["another equity", { account: { ...SNAPSHOT.account, equity: 48_731.2 } }],
    ["a number as text", { account: { ...SNAPSHOT.account, equity: "48731.19" } }],
    ["fewer positions", { positions: SNAPSHOT.positions.slice(1) }],
    ["no quote", { quote: undefined }],
    ["an empty list", { recent_trades: [] }],
  ])("with a snapshot of %s names the difference", async (_, over) => {
    const found = await verify({ receipt, snapshot: { ...SNAPSHOT, ...over } });
    expect(found).toMatchObject({
      valid: false,
      signature: "valid",
      inputs: "changed",
      equal: null,
      differences: [{ field: "snapshot_sha256", receipt: JSON.stringify(receipt.snapshot_sha256) }],
    });
  });

  it("lists each field in which the answer beside it was changed", async () => {
    const changed = { ...answer, verdict: "ok", loss: { ...answer.loss, at_stop: 1 } };
    const found = await verify({ receipt: changed, snapshot: SNAPSHOT });
    expect(found).toMatchObject({ valid: false, signature: "valid", equal: false });
    expect(found.differences.map(({ field }) => field)).toEqual(["verdict", "result_sha256", "loss.at_stop"]);
    expect(found.reason).toContain("The answer given with the receipt is not the signed one.");
    const {
      passed: _,
      rules_version: __,
      ...concise
    } = await check({
      ...ORDER,
      ...SNAPSHOT,
      detail: "concise",
    });
    const shorter = { ...concise, rules: [] };
    expect(await verify({ receipt: shorter, snapshot: SNAPSHOT })).toMatchObject({
      valid: false,
      differences: [{ field: "rules.0" }, { field: "rules.1" }],
    });
    expect(await verify({ receipt: shorter })).toMatchObject({
      valid: null,
      reason: expect.stringContaining("only the verdict was compared"),
    });
    expect(await verify({ receipt: { ...answer, summary: "OK" } }), "by the hash alone").toMatchObject({
      valid: false,
      differences: [{ field: "result_sha256" }],
    });
  });

  it("that this server signed with another result is invalid", async () => {
    const forged = await signedAgain({ verdict: "ok", result_sha256: receipt.bars_sha256 });
    expect(await verify({ receipt: forged, snapshot: SNAPSHOT })).toMatchObject({
      valid: false,
      signature: "valid",
      inputs: "intact",
      equal: false,
      differences: [{ field: "verdict", receipt: '"ok"', computed: '"warn"' }, { field: "result_sha256" }],
    });
  });

  it("is undecided once the bars here have changed", async () => {
    const AAPL = climbingBars({ step: 0.25 });
    const later = checkReceipts({ bars: { AAPL, MSFT: AAPL, NVDA: AAPL } }).ports.bars;
    const found = await verify({ receipt, snapshot: SNAPSHOT }, { bars: later });
    expect(found).toMatchObject({ valid: null, signature: "valid", inputs: "changed", equal: null });
    expect(found.differences[0]).toMatchObject({ field: "bars_sha256" });
    expect(found.reason).toContain("do not decide");
    const bars = { history: ports.bars.history };
    expect(await verify({ receipt, snapshot: SNAPSHOT }, { bars })).toMatchObject(VALID);
  });

  it("of other rules, of another market or of an unknown symbol is undecided", async () => {
    for (const [change, reason] of [
      [{ rules_version: "rules-0.9.0" }, "computed by rules-0.9.0 with odds-1.1.0"],
      [{ odds_version: "odds-0.9.0" }, "computed by rules-1.0.0 with odds-0.9.0"],
      [{ market: { mode: "live", id: "live" } }, "a different market"],
      [{ order: { ...receipt.order, symbol: "ZZZZZ" } }, "cannot be repeated here"],
    ] as const)
      expect(await verify({ receipt: await signedAgain(change), snapshot: SNAPSHOT })).toMatchObject({
        valid: null,
        signature: "valid",
        inputs: "intact",
        equal: null,
        reason: expect.stringContaining(reason),
      });
  });

  it("keeps the limits, the kill switch, the quote and the report date of its time", async () => {
    const set = { max_trade_risk_pct: "0.01", max_adv_pct: null, symbols: ["AAPL"] };
    const killSwitch = async () => ({ engaged: true, since: null, reason: null });
    const limits = async () => ({ ...(await usualRules.limits("")), set, setAt: null });
    const next = async () =>
      ({ next: { date: "2026-01-20", hour: "after_close", confirmed: true }, reason: null }) as const;
    const here = {
      tradeRules: { ...usualRules, killSwitch, limits },
      earnings: { ...ports.earnings, next },
      quotes: { latest: async () => quote({ price: 137.123456 }) },
    };
    const { quote: _, ...rest } = SNAPSHOT;
    const strict = await check({ ...ORDER, ...rest, detail: "concise" }, here);
    expect(strict.receipt).toMatchObject({
      limits: set,
      kill_switch: true,
      report_date: "2026-01-20",
      quote: { price: "137.123456" },
      verdict: "stop",
    });
    expect(strict.rules.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(["kill_switch", "trade_risk", "earnings_inside"]),
    );
    expect(await verify({ receipt: strict, snapshot: rest })).toMatchObject(VALID);
  });

  it.each<[string, object]>([
    [
      "a limit order of the past",
      { symbol: "AAPL", side: "buy", notional: 900, type: "limit", limit_price: 120, as_of: "2025-11-20" },
    ],
    ["an order of today's date", { symbol: "AAPL", side: "sell", quantity: 1, as_of: "2026-01-15" }],
    ["a coin", { symbol: "BTC-USD", side: "buy", quantity: "0.01", stop_loss: 120 }],
    [
      "a trailing stop",
      { symbol: "MSFT", side: "sell", quantity: 5, type: "trailing_stop", trail_percent: 4 },
    ],
    [
      "an option",
      { symbol: "AAPL 2026-02-20 140 call", side: "buy_to_open", quantity: 1, type: "limit", limit_price: 3 },
    ],
    ["a price nobody has", { symbol: "NVDA", side: "buy", quantity: 3, stop_loss: 110 }],
  ])("of %s is repeated the same", async (_, order) => {
    for (const snapshot of [SNAPSHOT, { account: { equity: 10_000 } }]) {
      const { receipt: issued } = await check({ ...order, ...snapshot });
      expect(await verify({ receipt: issued, snapshot })).toMatchObject(VALID);
    }
  });

  it("is repeated the same days later", async () => {
    const signing = receiptPorts();
    const then = { ...simulatedMarket("2026-05-20T15:00:00Z"), ...signing };
    const later = { ...simulatedMarket("2026-05-28T19:00:00Z"), ...signing };
    for (const order of [ORDER, { symbol: "NVDA", side: "sell_short", quantity: 4, horizon: 60 }]) {
      const issued = await check({ ...order, ...SNAPSHOT }, then as Partial<typeof ports>);
      expect(issued.receipt).toMatchObject({ issued_at: "2026-05-20T15:00:00.000Z", quote: {} });
      expect(
        await verify({ receipt: issued, snapshot: SNAPSHOT }, later as Partial<typeof ports>),
      ).toMatchObject(VALID);
    }
  });

  it("never contains a figure of the snapshot", async () => {
    const figure = fc.integer({ min: 100_003, max: 999_999 }).map((cents) => cents / 1000 + 7_000);
    const row = fc.record({
      symbol: fc.constantFrom("MSFT", "NVDA", "KO"),
      quantity: figure,
      price: figure,
      note: fc.stringMatching(/^[a-z]{12}$/),
    });
    const snapshots = fc.record({
      account: fc.record({
        equity: figure,
        buying_power: figure,
        account_number: fc.stringMatching(/^[A-Z]{10}$/),
      }),
      positions: fc.array(row, { maxLength: 4 }),
      open_orders: fc.array(row, { maxLength: 2 }),
      recent_trades: fc.array(row, { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(snapshots, async (snapshot) => {
        const given = { ...snapshot, quote: { price: 137.77, bid: 137.71, ask: 137.83 } };
        const { receipt: issued } = await check({ ...ORDER, ...given });
        const text = JSON.stringify(issued);
        for (const path of leavesOf(given)) {
          const value = String(path.reduce((inner: any, name) => inner[name], given));
          if (!["MSFT", "NVDA", "KO"].includes(value)) expect(text).not.toContain(value);
        }
        expect(text).not.toMatch(/MSFT|NVDA|KO"|equity|account|positions|137\.7|137\.8/);
        expect(await verify({ receipt: issued, snapshot: given })).toMatchObject(VALID);
      }),
      { numRuns: 40 },
    );
  });

  it("is refused if it is nested deeply, not of its shape, or has a snapshot that is not", async () => {
    const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`) as unknown;
    for (const given of [
      { ...receipt, note: deep },
      { ...answer, rules: deep },
      { kind: "order_check" },
      { kind: "order_check", receipt: { kind: "order_check", order: deep } },
      { ...receipt, version: 2 },
      { ...receipt, limits: { symbols: "AAPL" } },
      { ...receipt, order: { ...receipt.order, account: { equity: 1 } } },
    ])
      expect(await verify({ receipt: given })).toMatchObject({
        valid: false,
        signature: "invalid",
        inputs: "not_stored",
      });
    for (const snapshot of [
      { open_order: [] },
      { account: { deep } },
      { positions: Array.from({ length: 201 }, () => ({})) },
      { positions: "all" },
    ])
      await expect(verify({ receipt, snapshot })).rejects.toMatchObject({ code: "INVALID_INPUT" });
  });

  it("lists long differences of a hostile answer briefly", async () => {
    const long = "x".repeat(1_000);
    const rows = Array.from({ length: 300 }, () => ({ [`\u001b[31m${long}`]: long }));
    const { differences } = await verify({
      receipt: { ...answer, verdict: long, rules: rows },
      snapshot: SNAPSHOT,
    });
    expect(differences.length).toBe(50);
    expect(JSON.stringify(differences).length).toBeLessThan(30_000);
    for (const { field } of differences) expect(field).not.toContain("\u001b");
  });

  it("passes an outage on, since it may be repeated later", async () => {
    const history = () => Promise.reject(new ToolError("UPSTREAM_UNAVAILABLE", "No provider responds"));
    await expect(verify({ receipt, snapshot: SNAPSHOT }, { bars: { history } })).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  });

  it("is the only one that takes a snapshot", async () => {
    for (const input of [{ receipt_id: `rc_${"0".repeat(20)}` }, { receipt: { version: 1 } }])
      await expect(verify({ ...input, snapshot: {} })).rejects.toMatchObject({
        code: "INVALID_INPUT",
        message: "Only the receipt of check_order has a snapshot",
      });
  });

  it("is verified by any account, at any time", async () => {
    const clock = stoppedClock(new Date("2027-03-01T00:00:00Z"));
    expect(await verify({ receipt, snapshot: SNAPSHOT }, { clock })).toMatchObject(VALID);
  });
});

/** Paths of all values of an object that are neither objects nor lists. */
function leavesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

/** The object with the value at a path replaced; undefined removes it. */
function withValue(object: Json, [name, ...rest]: readonly string[], value: unknown): Json {
  return { ...object, [name!]: rest.length === 0 ? value : withValue(object[name!], rest, value) };
}
