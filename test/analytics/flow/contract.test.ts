import { describe, expect, it } from "vitest";
import {
  daysUntil,
  greeksAt,
  greeksOf,
  isOutOfTheMoney,
  midPrice,
  premiumOf,
  quoteTime,
  yearsUntil,
} from "../../../src/analytics/flow/contract.ts";
import { chainOf, option } from "../../support/option-chain.ts";

const terms = { type: "call", spot: 42, strike: 40, years: 0.5, iv: 0.2 } as const;

it("matches greeks calculated by hand", () => {
  // spread .2 x sqrt(.5) = .141421, d1 = ln(42/40)/.141421 + .0707107 = .415707
  const call = greeksOf(terms)!;
  expect(call.delta).toBeCloseTo(0.661187, 5);
  // exp(-d1^2/2)/sqrt(2 pi) = .365919, over 42 x .141421
  expect(call.gamma).toBeCloseTo(0.061606, 5);
  expect(greeksOf({ ...terms, type: "put" })!.delta).toBeCloseTo(0.661187 - 1, 5);
});

it.each([{ iv: 0 }, { spot: 0 }, { strike: -1 }, { years: Number.NaN }])("returns null for %j", (over) => {
  expect(greeksOf({ ...terms, ...over })).toBeNull();
});

it("counts to 16:00 New York on the last day, in daylight saving time too, and at least one hour", () => {
  const hours = (expiry: string, now: string) => 365 * 24 * yearsUntil(expiry, Date.parse(now));
  expect(hours("2026-02-20", "2026-02-19T21:00:00Z")).toBeCloseTo(24, 9);
  expect(hours("2026-07-17", "2026-07-17T14:00:00Z")).toBeCloseTo(6, 9);
  expect(hours("2026-02-20", "2026-02-25T00:00:00Z")).toBeCloseTo(1, 9);
});

describe("a contract", () => {
  it("is worth the midpoint of its quotes, if bid and ask are known and ordered", () => {
    expect(midPrice({ bid: 2, ask: 2.5 })).toBe(2.25);
    expect(midPrice({ bid: null, ask: 2.5 })).toBeNull();
    expect(midPrice({ bid: 2, ask: null })).toBeNull();
    expect(midPrice({ bid: 3, ask: 2.5 })).toBeNull();
  });

  it("has a premium of volume x midpoint x 100, or last price without a midpoint, and null without both", () => {
    expect(premiumOf(option({ volume: 10, bid: 2, ask: 2.5, last: 9 }))).toBe(2250);
    expect(premiumOf(option({ volume: 10, ask: 2.5, last: 2.1 }))).toBe(2100);
    expect(premiumOf(option({ volume: 10 }))).toBeNull();
    expect(premiumOf(option({ volume: 0 }))).toBe(0);
    expect(premiumOf(option({ last: 2 }))).toBeNull();
    expect(premiumOf(option({ volume: 10, last: 2 }), 3)).toBe(600);
  });

  it("is out of the money without intrinsic value", () => {
    const at = (type: "call" | "put", strike: number) => isOutOfTheMoney(option({ type, strike }), 100);
    expect([at("call", 101), at("call", 100), at("call", 99)]).toEqual([true, false, false]);
    expect([at("put", 99), at("put", 100), at("put", 101)]).toEqual([true, false, false]);
  });

  it("counts calendar days to its expiry", () => {
    const at = (now: string) => daysUntil("2026-02-20", Date.parse(now));
    expect([at("2026-02-20T20:59:00Z"), at("2026-02-15T00:00:00Z"), at("2026-02-21T01:00:00Z")]).toEqual([
      0, 5, -1,
    ]);
  });

  it("uses the provider's greeks, otherwise those from its volatility, otherwise null", () => {
    const now = Date.parse("2026-01-21T21:00:00Z");
    expect(greeksAt(option({ iv: 0.2, delta: 0.5, gamma: 0.01 }), 100, now)).toEqual({
      delta: 0.5,
      gamma: 0.01,
    });
    // 30 days at 20%: standard deviation .0573382, d1 is half of it.
    const own = greeksAt(option({ iv: 0.2 }), 100, now)!;
    expect(own.delta).toBeCloseTo(0.511437, 5);
    expect(own.gamma).toBeCloseTo(0.069548, 5);
    expect(greeksAt(option({ iv: 0.2, delta: 0.4 }), 100, now)!.delta).toBe(0.4);
    expect(greeksAt(option(), 100, now)).toBeNull();
  });
});

it("is the chain's time less its delay", () => {
  expect(quoteTime(chainOf([], { delayMinutes: 15 }))).toBe(Date.parse("2026-01-21T20:45:00Z"));
});
