import { expect, it } from "vitest";
import { gammaExposure } from "../../../src/analytics/flow/gamma.ts";
import { chainOf, option } from "../../support/option-chain.ts";

const held = (over: Parameters<typeof option>[0]) => option({ delta: 0.5, gamma: 0.02, ...over });

it("is gamma x open x 100 x price^2 x 1%, calls positive, puts negative, by strike over all expiries", () => {
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

it("leaves out contracts whose gamma or open interest is unknown, and is unknown without any", () => {
  const unknown = [held({ openInterest: null }), option({ openInterest: 10 }), held({ openInterest: 0 })];
  expect(gammaExposure(chainOf(unknown))).toBeNull();
  expect(gammaExposure(chainOf([held({ openInterest: 1 })], { price: null }))).toBeNull();
  expect(gammaExposure(chainOf([...unknown, held({ openInterest: 1 })]))!.net).toBeCloseTo(200, 9);
});
