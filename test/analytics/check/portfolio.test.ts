import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountRisk, dayProfits, type Holding } from "../../../src/analytics/check/portfolio.ts";
import { draws } from "../../support/draws.ts";

/** Sample standard deviation of 40 values of which half are 1 and half are -1. */
const UNIT = Math.sqrt(40 / 39);
const signs =
  (...four: readonly number[]) =>
  (day: number) =>
    four[day % 4]!;
const A = signs(1, -1, 1, -1);
const B = signs(1, 1, -1, -1);
const both = (day: number) => A(day) + B(day);

const holding = (
  symbol: string,
  value: number,
  sign: (day: number) => number = A,
  [from, to] = [0, 40],
): Holding => ({
  symbol,
  value,
  returns: new Map(Array.from({ length: to! - from! }, (_, i) => [from! + i, 0.01 * sign(from! + i)])),
});
const near = (value: number) => expect.closeTo(value, 9);

describe("the usual daily move of an account", () => {
  it("is the sample deviation of the profit of a day, by hand", () => {
    const order = holding("B", 2_000, B);
    const { before, after } = accountRisk([holding("A", 2_000)], order);
    expect(before).toBeCloseTo(20 * UNIT, 9);
    // two that are not correlated: the root of the sum of squares
    expect(after).toBeCloseTo(20 * Math.SQRT2 * UNIT, 9);
  });

  it("grows and falls with orders of the symbol that is held, to 0 when they close it", () => {
    const afterOf = (value: number) => accountRisk([holding("A", 1_000)], holding("A", value)).after;
    expect([500, -400, -1_000, -3_000].map(afterOf)).toEqual([15, 6, 0, 20].map((move) => near(move * UNIT)));
  });

  it("falls when a short position offsets a long one", () => {
    const order = holding("TWIN", -600);
    expect(accountRisk([holding("A", 1_000)], order)).toMatchObject({
      before: near(10 * UNIT),
      after: near(4 * UNIT),
      correlation: near(-1),
    });
  });

  it("is 0 without a position", () => {
    expect(accountRisk([], holding("A", 1_000))).toEqual({
      before: 0,
      after: near(10 * UNIT),
      correlation: null,
      nearest: [],
      cluster: { holdings: [], value: 0 },
    });
  });

  it("is of the 25 largest holdings by absolute value", () => {
    const holdings = Array.from({ length: 26 }, (_, i) => holding(`S${i}`, (i % 2 ? 1 : -1) * 100 * (i + 1)));
    // 100 is left out; -300 + 200, -500 + 400, ... leave 13 times 100 and the first 200 in the sum
    const { before } = accountRisk(holdings, holding("X", 1, B));
    expect(before).toBeCloseTo(UNIT * 0.01 * (200 + 12 * 100), 9);
  });

  it("is on the same days before and after the order", () => {
    const older = holding("A", 1_000, (day) => (day < 40 ? 1 : 2) * A(day), [0, 80]);
    const { before, after } = accountRisk([older], holding("B", 1_000, A, [40, 80]));
    expect([before, after]).toEqual([near(20 * UNIT), near(30 * UNIT)]);
  });

  it("is unknown with fewer than 40 common days, after the order alone if its symbol is the new one", () => {
    const order = holding("B", 1_000, A, [1, 40]);
    expect(accountRisk([holding("A", 1_000)], order)).toMatchObject({
      before: near(10 * UNIT),
      after: null,
      correlation: null,
      nearest: [],
    });
    expect(accountRisk([holding("A", 1_000, A, [1, 40])], holding("B", 1_000))).toMatchObject({
      before: null,
      after: null,
    });
  });
});

describe("the correlation of an order", () => {
  const holdings = [
    holding("SAME", 100),
    holding("HALF", 900, both),
    holding("NONE", 500, B),
    holding("SHORT", -700),
  ];

  it("lists the three nearest other holdings, a short one with the sign of its profit", () => {
    const { nearest } = accountRisk([...holdings, holding("A", 300)], holding("A", 1_000));
    expect(nearest).toEqual([
      { symbol: "SAME", correlation: near(1) },
      { symbol: "HALF", correlation: near(Math.SQRT1_2) },
      { symbol: "NONE", correlation: near(0) },
    ]);
  });

  it("has the opposite sign for a short order", () => {
    const { nearest, cluster } = accountRisk(holdings, holding("A", -1_000));
    expect(nearest[0]).toEqual({ symbol: "SHORT", correlation: near(1) });
    expect(cluster).toEqual({ holdings: [nearest[0]], value: 700 });
  });

  it("adds up the absolute values of other holdings from 0.7 on, the same symbol not among them", () => {
    const { cluster } = accountRisk([...holdings, holding("A", 300)], holding("A", 1_000));
    expect(cluster.holdings.map(({ symbol }) => symbol)).toEqual(["SAME", "HALF"]);
    expect(cluster.value).toBe(1_000);
  });

  it("is with all holdings together: that of their profits", () => {
    // 1 of A and 2 of B: 1 / sqrt(1 + 4)
    const { correlation } = accountRisk([holding("X", 100), holding("Y", 200, B)], holding("A", 1));
    expect(correlation).toBeCloseTo(1 / Math.sqrt(5), 9);
    const opposite = accountRisk([holding("X", 100), holding("Y", 200, B)], holding("A", -1));
    expect(opposite.correlation).toBeCloseTo(-1 / Math.sqrt(5), 9);
  });

  it("counts two rows of one symbol once, with the sum of their values", () => {
    const { nearest, cluster, before } = accountRisk(
      [holding("SAME", 300), holding("SAME", 200)],
      holding("A", 1),
    );
    expect(nearest).toHaveLength(1);
    expect([cluster.value, before]).toEqual([500, near(5 * UNIT)]);
  });
});

describe("the risk of an account", () => {
  const random = fc.array(fc.double({ min: -0.1, max: 0.1, noNaN: true }), { minLength: 40, maxLength: 60 });
  const value = fc
    .tuple(fc.double({ min: 1, max: 1e6, noNaN: true }), fc.constantFrom(-1, 1))
    .map(([size, sign]) => size * sign);
  const held = fc
    .tuple(random, value)
    .map(([values, worth]) => ({ value: worth, returns: new Map(values.map((one, day) => [day, one])) }));
  const account = fc
    .array(held, { minLength: 1, maxLength: 6 })
    .map((all) => all.map((one, i) => ({ ...one, symbol: `S${i}` })));

  it("is the same for the opposite account and order, and grows with their size, for any account", () => {
    fc.assert(
      fc.property(account, held, (holdings, ordered) => {
        const order = { ...ordered, symbol: "ORDER" };
        const times = (factor: number) =>
          accountRisk(
            holdings.map((one) => ({ ...one, value: factor * one.value })),
            { ...order, value: factor * order.value },
          );
        const [risk, opposite, double] = [times(1), times(-1), times(2)];
        expect(opposite).toEqual(risk);
        expect(double.before).toBeCloseTo(2 * risk.before!, 6);
        expect(double.nearest).toEqual(risk.nearest);
        expect(double.cluster.value).toBeCloseTo(2 * risk.cluster.value, 6);
      }),
      { numRuns: draws(200) },
    );
  });

  it("after an order is at most the sum of both moves, and at least their difference", () => {
    fc.assert(
      fc.property(account, held, (holdings, ordered) => {
        const order = { ...ordered, symbol: "ORDER" };
        const { before, after } = accountRisk(holdings, order);
        const days = Math.min(...[...holdings, order].map(({ returns }) => returns.size));
        const cut = { ...order, returns: new Map([...order.returns].slice(0, days)) };
        const alone = accountRisk([], cut).after!;
        const rounding = 1e-6;
        expect(after!).toBeLessThanOrEqual(before! + alone + rounding);
        expect(after!).toBeGreaterThanOrEqual(Math.abs(before! - alone) - rounding);
      }),
      { numRuns: draws(200) },
    );
  });

  it("has the profits of the days that all holdings have", () => {
    const profits = dayProfits([holding("A", 1_000), holding("B", -500, B, [2, 40])]);
    expect(profits).toHaveLength(38);
    expect([...profits.slice(0, 4)]).toEqual([15, -5, 5, -15].map(near));
  });
});
