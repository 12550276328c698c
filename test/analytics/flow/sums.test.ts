import { expect, it } from "vitest";
import { ratio, sumsOf } from "../../../src/analytics/flow/sums.ts";
import { option } from "../../support/option-chain.ts";

it("sums calls and puts, puts over calls", () => {
  const sums = sumsOf([
    option({ volume: 100, openInterest: 400, bid: 1, ask: 3 }),
    option({ strike: 105, volume: 50, openInterest: 100, last: 2 }),
    option({ type: "put", volume: 75, openInterest: 250, bid: 4, ask: 4 }),
  ]);
  expect(sums.volume).toEqual({ call: 150, put: 75, total: 225, put_call: 0.5 });
  expect(sums.openInterest).toEqual({ call: 500, put: 250, total: 750, put_call: 0.5 });
  // (100 x 2 + 50 x 2) x 100, 75 x 4 x 100
  expect(sums.premium).toEqual({ call: 30_000, put: 30_000, total: 60_000, put_call: 1 });
});

it("leaves out unknown figures, and is null if all are unknown: never 0", () => {
  const sums = sumsOf([option({ volume: 100 }), option({ strike: 105 }), option({ type: "put" })]);
  expect(sums.volume).toEqual({ call: 100, put: null, total: 100, put_call: null });
  expect(sums.openInterest).toEqual({ call: null, put: null, total: null, put_call: null });
  expect(sums.premium.call).toBeNull();
  expect(sumsOf([]).volume.total).toBeNull();
});

it("is 0 if contracts report no trades, and has no ratio without calls", () => {
  expect(sumsOf([option({ volume: 0 }), option({ type: "put", volume: 5 })]).volume).toEqual({
    call: 0,
    put: 5,
    total: 5,
    put_call: null,
  });
  expect([ratio(1, 0), ratio(null, 1), ratio(1, null), ratio(0, 4)]).toEqual([null, null, null, 0]);
});
