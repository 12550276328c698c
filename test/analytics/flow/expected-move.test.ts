import { expect, it } from "vitest";
import { expectedMove } from "../../../src/analytics/flow/expected-move.ts";
import { chainOf, option } from "../../support/option-chain.ts";

const straddle = (expiry: string, strike: number, call: number, put: number) => [
  option({ expiry, strike, bid: call - 0.1, ask: call + 0.1 }),
  option({ expiry, strike, type: "put", bid: put - 0.1, ask: put + 0.1 }),
];

it("is the straddle nearest to the price of the first expiry at least five days away", () => {
  const chain = chainOf([
    ...straddle("2026-01-23", 100, 1, 1),
    ...straddle("2026-01-30", 97.5, 4, 1.5),
    ...straddle("2026-01-30", 100, 2.5, 2.25),
    ...straddle("2026-02-20", 100, 4, 4),
  ]);
  expect(expectedMove(chain)).toEqual({
    expiry: "2026-01-30",
    days: 9,
    strike: 100,
    dollars: 4.75,
    percent: 4.75,
    low: 95.25,
    high: 104.75,
  });
});

it("passes over an expiry without both quoted near the price, and is null without any", () => {
  const [call] = straddle("2026-01-30", 100, 2, 2);
  const far = straddle("2026-01-30", 110, 1, 11);
  const later = straddle("2026-02-20", 100, 4, 4);
  expect(expectedMove(chainOf([call!, ...far, ...later]))).toMatchObject({ expiry: "2026-02-20" });
  expect(expectedMove(chainOf([call!, ...far]))).toBeNull();
  expect(expectedMove(chainOf(later, { price: null }))).toBeNull();
});

it("takes an expiry of exactly five days", () => {
  expect(expectedMove(chainOf(straddle("2026-01-26", 100, 1, 1)))).toMatchObject({ days: 5 });
  expect(expectedMove(chainOf(straddle("2026-01-25", 100, 1, 1)))).toBeNull();
});
