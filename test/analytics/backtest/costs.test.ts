import { describe, expect, it } from "vitest";
import { simulate } from "../../../src/analytics/backtest/simulate.ts";
import { FLAT, LONG, SHORT, type Stream, type Trail } from "../../../src/analytics/backtest/types.ts";
import { type Row, streamOf, testAccount } from "./tape.ts";

const quiet = (day: number, price = 100): Row => [day, price, price, price, price];
const units = (value: number) => ({ sizing: { kind: "units", value } }) as const;

/** Adds limits or trailing distances, equal at every bar, to a stream. */
const having = (
  stream: Stream,
  added: { readonly limit?: number; readonly trail?: Pick<Trail, "relative"> & { distance: number } },
): Stream => {
  const column = (value: number) => new Float64Array(stream.bars.time.length).fill(value);
  return {
    ...stream,
    decisions: {
      ...stream.decisions,
      ...(added.limit !== undefined && { limit: column(added.limit) }),
      ...(added.trail && {
        trail: { relative: added.trail.relative, distance: column(added.trail.distance) },
      }),
    },
  };
};

describe("costs, checked by hand", () => {
  it("are slippage on entry and exit, of stops too, but not of targets", () => {
    const account = testAccount({ slippage: 0.01, ...units(1) });
    const run = (exit: Row, bracket: { stop?: number; target?: number } = {}, side = LONG) =>
      simulate([streamOf("A", [quiet(0), quiet(1), exit, quiet(3)], { 0: side, 1: FLAT }, bracket)], account)
        .trades[0]!;
    expect(run(quiet(2, 200))).toMatchObject({ entryPrice: 101, exitPrice: 198, reason: "decision" });
    expect(run(quiet(2, 200), {}, SHORT)).toMatchObject({ entryPrice: 99, exitPrice: 202 });
    const bracketed = (rows: readonly Row[], bracket: { stop?: number; target?: number }) =>
      simulate([streamOf("A", rows, { 0: LONG }, bracket)], account).trades[0]!;
    const fall: Row[] = [quiet(0), quiet(1), [2, 100, 100, 80, 90]];
    const rise: Row[] = [quiet(0), quiet(1), [2, 100, 130, 100, 120]];
    expect(bracketed(fall, { stop: 90 })).toMatchObject({ exitPrice: 89.1, reason: "stop" });
    expect(bracketed(rise, { target: 125 })).toMatchObject({ exitPrice: 125, reason: "target" });
  });

  it("are commissions per unit on both sides, for which cash is kept", () => {
    const rows = [quiet(0), quiet(1), quiet(2)];
    const { trades, equity } = simulate(
      [streamOf("A", rows, { 0: LONG, 1: FLAT })],
      testAccount({ perShare: 25 }),
    );
    // 1,000 USD buy 7 units at 125 each, 25 USD of commission included
    expect(trades).toMatchObject([{ units: 7, commission: 350, profit: -350 }]);
    expect(equity.at(-1)).toBe(650);
  });

  it("are borrowing fees of shorts, by the days between bars", () => {
    const rows = [quiet(0), quiet(1), quiet(2), quiet(75)];
    const account = testAccount({ borrow: 0.365, ...units(2) });
    const short = simulate([streamOf("A", rows, { 0: SHORT, 2: FLAT })], account);
    // 200 USD for 1 and 73 days at 0.1 % a day
    expect(short.trades[0]!.profit).toBeCloseTo(-0.2 * 74, 9);
    expect(short.equity.at(-1)).toBeCloseTo(1000 - 14.8, 9);
    expect(simulate([streamOf("A", rows, { 0: LONG, 2: FLAT })], account).trades[0]!.profit).toBe(0);
  });

  it("pay dividends to positions held before the ex-date's open, and charge shorts", () => {
    const rows = [quiet(0), quiet(1), quiet(2), quiet(3)];
    const paying = (side: number, exit: number, row: number): number | undefined => {
      const dividends = new Float64Array(4);
      dividends[row] = 3;
      const stream = { ...streamOf("A", rows, { 0: side, [exit]: FLAT }), dividends };
      return simulate([stream], testAccount(units(2))).trades[0]?.profit;
    };
    expect(paying(LONG, 2, 2)).toBe(6);
    expect(paying(SHORT, 2, 2)).toBe(-6);
    // bought on the ex-date: none; sold at its open: paid
    expect(paying(LONG, 2, 1)).toBe(0);
    expect(paying(LONG, 1, 2)).toBe(6);
    expect(paying(LONG, 1, 3)).toBe(0);
  });
});

describe("trailing stops", () => {
  const rows: Row[] = [quiet(0), quiet(1), [2, 100, 120, 100, 118], [3, 118, 119, 107, 110], quiet(4, 110)];

  it("follow the best price by percent or by a distance, from the next bar on", () => {
    const run = (trail: { relative: boolean; distance: number }) =>
      simulate([having(streamOf("A", rows, { 0: LONG }), { trail })], testAccount(units(1))).trades;
    expect(run({ relative: true, distance: 0.1 })).toMatchObject([
      { exitBar: 3, exitPrice: 108, reason: "stop" },
    ]);
    expect(run({ relative: false, distance: 11 })).toMatchObject([{ exitBar: 3, exitPrice: 109 }]);
    expect(run({ relative: false, distance: 14 })).toEqual([]);
  });

  it("never move away, and mirror for shorts", () => {
    const falling: Row[] = [
      quiet(0),
      quiet(1),
      [2, 100, 100, 80, 90],
      [3, 90, 95, 89, 90],
      [4, 90, 99, 85, 90],
    ];
    const trail = { relative: true, distance: 0.2 };
    const { trades } = simulate(
      [having(streamOf("A", falling, { 0: SHORT }), { trail })],
      testAccount(units(1)),
    );
    expect(trades).toMatchObject([{ side: "SHORT", exitBar: 4, exitPrice: 96, profit: 4 }]);
  });
});

describe("limit entries", () => {
  const run = (next: Row, bracket: { stop?: number; target?: number } = {}) =>
    simulate(
      [having(streamOf("A", [quiet(0), next, quiet(2)], { 0: LONG }, bracket), { limit: 95 })],
      testAccount({ slippage: 0.01, ...units(1) }),
    );

  it("fill at the limit without slippage, at a better open, or not at all", () => {
    expect(run([1, 100, 101, 95, 99]).open).toMatchObject([{ entryPrice: 95 }]);
    expect(run([1, 90, 99, 89, 99]).open).toMatchObject([{ entryPrice: 90.9 }]);
    const missed = run([1, 100, 101, 95.5, 99]);
    expect(missed).toMatchObject({ open: [], trades: [], refused: [{ symbol: "A", reason: "limit" }] });
  });

  it("can be stopped in the bar that fills them, but do not reach a target there", () => {
    expect(run([1, 100, 120, 85, 99], { stop: 90, target: 110 }).trades).toMatchObject([
      { entryBar: 1, exitBar: 1, entryPrice: 95, exitPrice: 89.1, reason: "stop" },
    ]);
    expect(run([1, 100, 120, 94, 99], { stop: 90, target: 110 })).toMatchObject({ trades: [] });
  });
});
