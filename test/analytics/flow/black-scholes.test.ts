import { expect, it } from "vitest";
import { greeksOf, yearsUntil } from "../../../src/analytics/flow/contract.ts";

const terms = { type: "call", spot: 42, strike: 40, years: 0.5, iv: 0.2 } as const;

it("agrees with greeks worked by hand", () => {
  // spread .2 x sqrt(.5) = .141421, d1 = ln(42/40)/.141421 + .0707107 = .415707
  const call = greeksOf(terms)!;
  expect(call.delta).toBeCloseTo(0.661187, 5);
  // exp(-d1^2/2)/sqrt(2 pi) = .365919, over 42 x .141421
  expect(call.gamma).toBeCloseTo(0.061606, 5);
  expect(greeksOf({ ...terms, type: "put" })!.delta).toBeCloseTo(0.661187 - 1, 5);
});

it.each([{ iv: 0 }, { spot: 0 }, { strike: -1 }, { years: Number.NaN }])("says nothing of %j", (over) => {
  expect(greeksOf({ ...terms, ...over })).toBeNull();
});

it("counts to 16:00 New York of the last day, summer time included, and an hour at the least", () => {
  const hours = (expiry: string, now: string) => 365 * 24 * yearsUntil(expiry, Date.parse(now));
  expect(hours("2026-02-20", "2026-02-19T21:00:00Z")).toBeCloseTo(24, 9);
  expect(hours("2026-07-17", "2026-07-17T14:00:00Z")).toBeCloseTo(6, 9);
  expect(hours("2026-02-20", "2026-02-25T00:00:00Z")).toBeCloseTo(1, 9);
});
