import { expect, it } from "vitest";
import { expectedMove } from "../../../src/analytics/flow/expected-move.ts";
import { gammaExposure } from "../../../src/analytics/flow/gamma.ts";
import { ratio, sumsOf } from "../../../src/analytics/flow/sums.ts";
import { unusualIn } from "../../../src/analytics/flow/unusual.ts";
import { chainOf, option } from "../../support/option-chain.ts";

const held = (over: Parameters<typeof option>[0]) => option({ delta: 0.5, gamma: 0.02, ...over });

it("is gamma x open interest x 100 x price^2 x 1%, calls positive, puts negative, by strike over all expiries", () => {
  const gamma = gammaExposure(
    chainOf([
      held({ openInterest: 1000 }), // .02 x 1000 x 100 x 10000 x .01 = 200,000
      held({ expiry: "2026-03-20", openInterest: 500 }),
      held({ type: "put", openInterest: 250 }),
      held({ type: "put", strike: 90, openInterest: 2000, gamma: 0.01 }),
    ]),
  )!;
  expect(gamma.strikes).toEqual([
    { strike: 90, call: 0, put: expect.closeTo(-200_000, 6), net: expect.closeTo(-200_000, 6) },
    {
      strike: 100,
      call: expect.closeTo(300_000, 6),
      put: expect.closeTo(-50_000, 6),
      net: expect.closeTo(250_000, 6),
    },
  ]);
  expect(gamma.net).toBeCloseTo(50_000, 6);
});

it("omits contracts without gamma or open interest, and is null if none is left", () => {
  const unknown = [held({ openInterest: null }), option({ openInterest: 10 }), held({ openInterest: 0 })];
  expect(gammaExposure(chainOf(unknown))).toBeNull();
  expect(gammaExposure(chainOf([held({ openInterest: 1 })], { price: null }))).toBeNull();
  expect(gammaExposure(chainOf([...unknown, held({ openInterest: 1 })]))!.net).toBeCloseTo(200, 9);
});

const straddle = (expiry: string, strike: number, call: number, put: number) => [
  option({ expiry, strike, bid: call - 0.1, ask: call + 0.1 }),
  option({ expiry, strike, type: "put", bid: put - 0.1, ask: put + 0.1 }),
];

it("is the straddle nearest to the price, of the first expiry at least five days away", () => {
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

it("skips an expiry without quotes for both options near the price, and is null if none is left", () => {
  const [call] = straddle("2026-01-30", 100, 2, 2);
  const far = straddle("2026-01-30", 110, 1, 11);
  const later = straddle("2026-02-20", 100, 4, 4);
  expect(expectedMove(chainOf([call!, ...far, ...later]))).toMatchObject({ expiry: "2026-02-20" });
  expect(expectedMove(chainOf([call!, ...far]))).toBeNull();
  expect(expectedMove(chainOf(later, { price: null }))).toBeNull();
});

it("includes an expiry of exactly five days", () => {
  expect(expectedMove(chainOf(straddle("2026-01-26", 100, 1, 1)))).toMatchObject({ days: 5 });
  expect(expectedMove(chainOf(straddle("2026-01-25", 100, 1, 1)))).toBeNull();
});

it("sums calls and puts, and divides puts by calls", () => {
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

it("omits unknown values, and is null, not 0, if all are unknown", () => {
  const sums = sumsOf([option({ volume: 100 }), option({ strike: 105 }), option({ type: "put" })]);
  expect(sums.volume).toEqual({ call: 100, put: null, total: 100, put_call: null });
  expect(sums.openInterest).toEqual({ call: null, put: null, total: null, put_call: null });
  expect(sums.premium.call).toBeNull();
  expect(sumsOf([]).volume.total).toBeNull();
});

it("is 0 if no contract traded, and has no ratio without calls", () => {
  expect(sumsOf([option({ volume: 0 }), option({ type: "put", volume: 5 })]).volume).toEqual({
    call: 0,
    put: 5,
    total: 5,
    put_call: null,
  });
  expect([ratio(1, 0), ratio(null, 1), ratio(1, null), ratio(0, 4)]).toEqual([null, null, null, 0]);
});

/** Just unusual: volume 200, open interest 199, price .50, premium $10,000, one dollar out of the money, 60 days. */
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

it("finds a contract that just meets every threshold", () => {
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

it("sorts by premium, and finds none without a price of the underlying", () => {
  const large = just({ strike: 110, bid: 1, ask: 1 });
  expect(unusualIn(chainOf([just(), large])).map(({ contract }) => contract.strike)).toEqual([110, 101]);
  expect(unusualIn(chainOf([just()], { price: null }))).toEqual([]);
});
