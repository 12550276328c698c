import { describe, expect, it } from "vitest";
import { leanOf } from "../../../src/analytics/congress/lean.ts";
import type { Disclosure } from "../../../src/domain/congress/congress.ts";
import { disclosure } from "../../support/congress.ts";

const by = (member: number, over: Partial<Disclosure> = {}) =>
  disclosure({ id: `${member}`, member_id: `M${member}`, ...over });
const band = (low: number, high: number | null) => ({ low, high, label: "" });

describe("direction of congressional disclosures", () => {
  it("scores capped net buying over total size, checked by hand", () => {
    // Midpoints 8,000.5, 32,500.5 and 75,000.5: (8,000.5 + 32,500.5 - 75,000.5) / 115,501.5
    const lean = leanOf(
      [
        by(1),
        by(2, { amount: band(15_001, 50_000) }),
        by(3, { type: "sell", amount: band(50_001, 100_000) }),
      ],
      3,
    );
    expect(lean.lean).toBe(-0.2987);
    expect(lean).toMatchObject({
      signal: "NEUTRAL",
      reason:
        "Members and dollars disagree: 2 members bought and 1 sold, net -$34,500 (with at most $500,000 a member the lean is -0.2987)",
      members: { buying: 2, selling: 1, even: 0 },
      trades: { buys: 2, sells: 1 },
      usd: { bought: 40_501, sold: 75_001, net: -34_500 },
    });
  });

  it("is NEUTRAL if more members bought, but one sold more dollars than all of them bought", () => {
    const bought = [1, 2, 3].map((member) => by(member, { amount: band(250_001, 500_000) }));
    const sold = by(4, { type: "sell", amount: band(1_000_001, 5_000_000) });
    // each bought 375,000.50, and the seller's 3,000,000.50 count as 500,000
    expect(leanOf([...bought, sold], 3)).toMatchObject({
      lean: 0.3846,
      signal: "NEUTRAL",
      reason:
        "Members and dollars disagree: 3 members bought and 1 sold, net -$1,874,999 (with at most $500,000 a member the lean is 0.3846)",
      members: { buying: 3, selling: 1, even: 0 },
      usd: { bought: 1_125_002, sold: 3_000_001, net: -1_874_999 },
    });
  });

  it("caps the weight of a single member", () => {
    const lean = leanOf(
      [by(1, { amount: band(50_000_001, null) }), by(2, { type: "sell", amount: band(500_001, 1_000_000) })],
      1,
    );
    expect(lean.lean).toBe(0);
    expect(lean.usd.net).toBe(50_000_001 - 750_001);
  });

  it("counts a member once, however many trades they filed", () => {
    const many = Array.from({ length: 9 }, (_, i) => by(1, { id: `${i}` }));
    expect(leanOf(many, 3)).toMatchObject({
      signal: "NEUTRAL",
      reason: "Needs 3 net buyers or sellers, has 1",
      members: { buying: 1, selling: 0, even: 0 },
    });
    expect(leanOf([...many, by(2), by(3)], 3)).toMatchObject({ signal: "BUYING", lean: 1, reason: null });
  });

  it("applies the threshold to the rounded score", () => {
    // 9,999 / 50,003 is 0.19997, which rounds to 0.2; 9,991 / 50,011 is 0.19978.
    const exact = (usd: number) => ({ low: usd, high: usd, label: "" });
    const two = [by(1, { amount: exact(15_000) }), by(2, { amount: exact(15_001) })];
    const near = (sold: number) => leanOf([...two, by(3, { type: "sell", amount: exact(sold) })], 3);
    expect(near(20_002)).toMatchObject({ lean: 0.2, signal: "BUYING" });
    expect(near(20_010)).toMatchObject({ lean: 0.1998, signal: "NEUTRAL" });
  });

  it("mirrors when buys and sells are swapped", () => {
    const trades = [by(1), by(2), by(3, { amount: band(15_001, 50_000) }), by(4, { type: "sell" })];
    const turned = trades.map(
      (trade) => ({ ...trade, type: trade.type === "buy" ? "sell" : "buy" }) as const,
    );
    const [lean, mirrored] = [leanOf(trades, 3), leanOf(turned, 3)];
    expect([lean.signal, mirrored.signal]).toEqual(["BUYING", "SELLING"]);
    expect(mirrored.lean).toBe(-lean.lean!);
  });

  it("counts a member with equal buys and sells as even", () => {
    expect(leanOf([by(1), by(1, { type: "sell" })], 1)).toMatchObject({
      signal: "NEUTRAL",
      lean: null,
      members: { buying: 0, selling: 0, even: 1 },
    });
  });

  it("excludes ineligible trades and counts them", () => {
    const lean = leanOf(
      [
        by(1, { type: "exchange" }),
        by(2, { asset_type: "option" }),
        by(3, { asset_type: "bond", ticker: null }),
        by(4, { ticker: null, asset_type: null }),
        by(5, { amount: null }),
        by(6),
      ],
      1,
    );
    expect(lean.left_out).toEqual({
      exchanges: 1,
      options: 1,
      other_assets: 2,
      no_amount: 1,
      corrections: 0,
    });
    expect(lean.trades).toEqual({ buys: 1, sells: 0 });
  });

  it("counts a corrected trade once, and a correction without its original as a trade", () => {
    const first = by(1, { filing_date: "2026-01-02" });
    const again = by(1, { filing_date: "2026-01-09", amended: true, amount: band(15_001, 50_000) });
    expect(leanOf([again, first], 1)).toMatchObject({
      left_out: { corrections: 1 },
      usd: { bought: 8_001 },
    });
    expect(leanOf([again], 1)).toMatchObject({ left_out: { corrections: 0 }, usd: { bought: 32_501 } });
  });

  it("identifies members without an id by name and chamber", () => {
    const nameless = (member: string, chamber: "house" | "senate") =>
      disclosure({ member_id: null, member, chamber });
    const trades = [nameless("A B", "house"), nameless("a b", "house"), nameless("A B", "senate")];
    expect(leanOf(trades, 1).members.buying).toBe(2);
  });

  it("returns NEUTRAL with a reason for no trades", () => {
    expect(leanOf([], 3)).toMatchObject({
      signal: "NEUTRAL",
      lean: null,
      reason: "No eligible trade was filed",
    });
  });

  it("states the rule with its thresholds", () => {
    expect(leanOf([], 5).rule).toMatch(/\$500,000.*BUYING from 0\.2.*-0\.2.*under 5 members/);
  });
});
