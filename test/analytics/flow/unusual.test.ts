import { expect, it } from "vitest";
import { unusualIn } from "../../../src/analytics/flow/unusual.ts";
import { chainOf, option } from "../../support/option-chain.ts";

/** Just unusual: 200 contracts over 199 open at .50, $10,000, a dollar outside, 60 days. */
const just = (over: Parameters<typeof option>[0] = {}) =>
  option({
    strike: 101,
    expiry: "2026-03-22",
    volume: 200,
    openInterest: 199,
    bid: 0.5,
    ask: 0.5,
    ...over,
  });

it("finds a contract that just is", () => {
  expect(unusualIn(chainOf([just()]))).toEqual([{ contract: just(), premium: 10_000 }]);
  expect(unusualIn(chainOf([just({ type: "put", strike: 99 })]))).toHaveLength(1);
});

it.each([
  ["volume of the open interest", { openInterest: 200 }],
  ["199 contracts", { volume: 199, openInterest: 1, bid: 9, ask: 9 }],
  ["less premium", { bid: 0.49, ask: 0.5 }],
  ["61 days", { expiry: "2026-03-23" }],
  ["an expiry that is over", { expiry: "2026-01-20" }],
  ["a strike at the price", { strike: 100 }],
  ["a put inside the money", { type: "put" }],
  ["unknown open interest", { openInterest: null }],
  ["unknown volume", { volume: null }],
  ["no price", { bid: null, ask: null }],
] as const)("leaves out %s", (_, over) => {
  expect(unusualIn(chainOf([just(over)]))).toEqual([]);
});

it("orders by premium, and finds none without a price of the underlying", () => {
  const large = just({ strike: 110, bid: 1, ask: 1 });
  expect(unusualIn(chainOf([just(), large])).map(({ contract }) => contract.strike)).toEqual([110, 101]);
  expect(unusualIn(chainOf([just()], { price: null }))).toEqual([]);
});
