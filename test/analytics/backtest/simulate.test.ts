import { describe, expect, it } from "vitest";
import { simulate } from "../../../src/analytics/backtest/simulate.ts";
import { FLAT, LONG, SHORT } from "../../../src/analytics/backtest/types.ts";
import { describeWithData } from "../../support/test-data.ts";
import { goldenRuns } from "./golden.ts";
import { DAY, type Row, streamOf, testAccount } from "./tape.ts";

const number = (text: string | undefined) => (text === undefined || text === "" ? null : Number(text));

describeWithData("the reference runs of backtesting.py 0.6.6", ["backtest"], (directory) => {
  for (const { name, ledger, trades, stats } of goldenRuns(directory)) {
    it(`matches the trades of the reference: ${name}`, () => {
      expect(ledger.trades).toHaveLength(trades.length);
      trades.forEach(([size, ...cells], i) => {
        const [entryBar, exitBar, entryPrice, exitPrice, stop, target, profit, commission, part] =
          cells.map(number);
        const trade = ledger.trades[i]!;
        const day = (time: number) => new Date(time).toISOString().slice(0, 10);
        expect((trade.side === "LONG" ? 1 : -1) * trade.units).toBe(Number(size));
        expect([trade.entryBar, trade.exitBar]).toEqual([entryBar, exitBar]);
        expect([day(trade.entryTime), day(trade.exitTime)]).toEqual(cells.slice(9, 11));
        for (const [ours, theirs] of [
          [trade.entryPrice, entryPrice],
          [trade.exitPrice, exitPrice],
          [trade.stop, stop],
          [trade.target, target],
          [trade.profit, profit],
          [trade.commission, commission],
          [trade.return, part],
        ]) {
          if (theirs === null) expect(ours).toBeNull();
          else expect(Math.abs(ours! / theirs! - 1)).toBeLessThan(1e-9);
        }
      });
      expect(Math.abs(ledger.equity.at(-1)! / stats["Equity Final [$]"]! - 1)).toBeLessThan(1e-9);
    });
  }
});

/** A bar whose price does not move. */
const quiet = (day: number, price = 100): Row => [day, price, price, price, price];

/** All-in leaves a small margin: 1,000 USD buy 9 units at 100. */
describe("fills, checked by hand", () => {
  it("fills a decision at the next open, with slippage, and commission on the traded value", () => {
    const rows: Row[] = [quiet(0), [1, 100, 110, 100, 110], [2, 120, 120, 120, 120]];
    const account = testAccount({ commission: 1 / 16, slippage: 0.02, sizing: { kind: "units", value: 5 } });
    const ledger = simulate([streamOf("A", rows, { 0: LONG, 1: FLAT })], account);
    // bought 5 at 102 for 31.875, sold at 120 less 2 % for 36.75
    expect(ledger.trades).toEqual([
      {
        symbol: "A",
        side: "LONG",
        units: 5,
        entryBar: 1,
        exitBar: 2,
        entryTime: DAY,
        exitTime: 2 * DAY,
        entryPrice: 102,
        exitPrice: 117.6,
        stop: null,
        target: null,
        profit: expect.closeTo(9.375, 9),
        commission: 68.625,
        return: expect.closeTo(9.375 / 510, 9),
        reason: "decision",
      },
    ]);
    expect([...ledger.equity]).toEqual([1000, 1008.125, expect.closeTo(1009.375, 9)]);
  });

  it("fills a gap through the stop at the open, not at the stop", () => {
    const rows: Row[] = [quiet(0), quiet(1), [2, 80, 85, 75, 82]];
    const { trades } = simulate([streamOf("A", rows, { 0: LONG }, { stop: 90 })], testAccount());
    expect(trades).toMatchObject([{ exitBar: 2, exitPrice: 80, profit: -180, stop: 90, reason: "stop" }]);
  });

  it("fills a gap through the target at the open, even if the bar reaches the stop later", () => {
    const rows: Row[] = [quiet(0), quiet(1), [2, 130, 131, 80, 85]];
    const { trades } = simulate([streamOf("A", rows, { 0: LONG }, { stop: 90, target: 120 })], testAccount());
    expect(trades).toMatchObject([{ exitPrice: 130, profit: 270, reason: "target" }]);
  });

  it("exits at the stop if a bar reaches both stop and target, including the entry bar", () => {
    const rows: Row[] = [quiet(0), [1, 100, 125, 85, 110]];
    const { trades } = simulate([streamOf("A", rows, { 0: LONG }, { stop: 90, target: 120 })], testAccount());
    expect(trades).toMatchObject([{ entryBar: 1, exitBar: 1, exitPrice: 90, profit: -90, reason: "stop" }]);
  });

  it("mirrors stop and target for a short position", () => {
    const stopped: Row[] = [quiet(0), [1, 100, 110, 75, 100]];
    const reached: Row[] = [quiet(0), [1, 100, 105, 75, 100]];
    const run = (rows: readonly Row[]) =>
      simulate([streamOf("A", rows, { 0: SHORT }, { stop: 108, target: 80 })], testAccount()).trades;
    expect(run(stopped)).toMatchObject([{ side: "SHORT", exitPrice: 108, profit: -72, reason: "stop" }]);
    expect(run(reached)).toMatchObject([{ side: "SHORT", exitPrice: 80, profit: 180, reason: "target" }]);
  });

  it("reverses at one open: closes, then opens with the resulting cash", () => {
    const rows: Row[] = [quiet(0), quiet(1), quiet(2, 50), quiet(3, 40)];
    const ledger = simulate([streamOf("A", rows, { 0: SHORT, 1: LONG })], testAccount());
    // 9 units at 100, then 1,450 USD buy 28 units at 50.
    expect(ledger.trades).toMatchObject([
      { side: "SHORT", units: 9, exitBar: 2, exitPrice: 50, profit: 450 },
    ]);
    expect(ledger.open).toMatchObject([
      { side: "LONG", units: 28, entryBar: 2, entryPrice: 50, profit: -280 },
    ]);
    expect([...ledger.equity]).toEqual([1000, 1000, 1450, 1170]);
  });

  it("does nothing if the desired side is already held or there is nothing to close", () => {
    const rows = [0, 1, 2, 3].map((day) => quiet(day));
    const ledger = simulate([streamOf("A", rows, { 0: FLAT, 1: LONG, 2: LONG })], testAccount());
    expect(ledger).toMatchObject({ trades: [], refused: [], open: [{ entryBar: 2 }] });
  });

  it("never fills a decision of the last bar", () => {
    const ledger = simulate(
      [streamOf("A", [quiet(0), quiet(1)], { 1: LONG })],
      testAccount({ finalize: true }),
    );
    expect(ledger).toMatchObject({ trades: [], open: [] });
  });

  it("closes open positions at the last bar's open with `finalize`", () => {
    const rows: Row[] = [quiet(0), quiet(1), [2, 110, 150, 110, 150]];
    const ledger = simulate([streamOf("A", rows, { 0: LONG })], testAccount({ finalize: true }));
    expect(ledger.trades).toMatchObject([{ exitBar: 2, exitPrice: 110, profit: 90, reason: "end" }]);
    expect([...ledger.equity]).toEqual([1000, 1000, 1090]);
  });

  it("runs over one bar, and over no bars", () => {
    expect([
      ...simulate([streamOf("A", [quiet(0)], { 0: LONG })], testAccount({ finalize: true })).equity,
    ]).toEqual([1000]);
    expect(simulate([streamOf("A", [], {})], testAccount({ finalize: true })).equity).toHaveLength(0);
  });

  it("warms up on bars before `from`: fills none of their decisions and starts the ledger after them", () => {
    const rows = [0, 1, 2, 3, 4].map((day) => quiet(day));
    const stream = streamOf("A", rows, { 1: LONG, 2: SHORT });
    const ledger = simulate([stream], testAccount({ from: 2 * DAY }));
    expect([...ledger.time]).toEqual([2 * DAY, 3 * DAY, 4 * DAY]);
    expect(ledger.open).toMatchObject([{ side: "SHORT", entryBar: 1, entryTime: 3 * DAY }]);
  });

  it("closes everything at the close that ruins the account and refuses later entries", () => {
    const rows: Row[] = [quiet(0), quiet(1), [2, 100, 300, 100, 300], quiet(3), quiet(4)];
    const ledger = simulate([streamOf("A", rows, { 0: SHORT, 2: LONG, 3: LONG })], testAccount());
    expect(ledger.trades).toMatchObject([
      { units: 9, exitBar: 2, exitPrice: 300, profit: -1800, reason: "end" },
    ]);
    expect([...ledger.equity]).toEqual([1000, 1000, -800, -800, -800]);
    expect(ledger.refused).toEqual([3, 4].map((day) => ({ symbol: "A", time: day * DAY, reason: "ruin" })));
  });
});

describe("several symbols sharing one account", () => {
  it("fills entries at the same open in stream order until the cash is used up", () => {
    const rows = [0, 1, 2].map((day) => quiet(day));
    const account = testAccount({ sizing: { kind: "units", value: 6 } });
    const ledger = simulate([streamOf("A", rows, { 0: LONG }), streamOf("B", rows, { 0: LONG })], account);
    expect(ledger.open).toMatchObject([{ symbol: "A", units: 6 }]);
    expect(ledger.refused).toEqual([{ symbol: "B", time: DAY, reason: "cash" }]);
  });

  it("makes the proceeds of an exit available to another symbol at the same open", () => {
    const rows = [0, 1, 2, 3].map((day) => quiet(day));
    const account = testAccount({ sizing: { kind: "units", value: 10 } });
    const a = streamOf("A", rows, { 1: LONG });
    const b = streamOf("B", rows, { 0: LONG, 1: FLAT });
    expect(simulate([a, b], account)).toMatchObject({ refused: [], open: [{ symbol: "A", entryBar: 2 }] });
  });

  it("gives each symbol an equal share of equity when all-in", () => {
    const rows = [quiet(0), quiet(1), quiet(2, 200), quiet(3, 200)];
    const other = [0, 1, 2, 3].map((day) => quiet(day));
    const account = testAccount({ fractional: true });
    const ledger = simulate([streamOf("A", rows, { 0: LONG }), streamOf("B", other, { 1: LONG })], account);
    // 5 units of A for 500. At the next open equity is 1,500; half is 750 for B, of which 500 is available.
    expect(ledger.open[0]!.units).toBeCloseTo(5, 12);
    expect(ledger.open[1]!.units).toBeCloseTo(5, 12);
    expect(ledger.equity[3]).toBeCloseTo(1500, 9);
  });

  it("values a symbol without a bar at its last close, and fills its order at its own next open", () => {
    const a: Row[] = [quiet(0), [1, 100, 120, 100, 120], [3, 130, 130, 130, 130]];
    const b = [0, 1, 2, 3].map((day) => quiet(day));
    const account = testAccount({ sizing: { kind: "units", value: 5 } });
    const ledger = simulate([streamOf("A", a, { 0: LONG, 1: FLAT }), streamOf("B", b, {})], account);
    expect([...ledger.equity]).toEqual([1000, 1100, 1100, 1150]);
    expect(ledger.trades).toMatchObject([{ exitBar: 3, exitPrice: 130, profit: 150 }]);
  });

  it("closes a symbol whose bars ended earlier at its last close with `finalize`", () => {
    const a: Row[] = [quiet(0), [1, 100, 120, 100, 120]];
    const b = [0, 1, 2].map((day) => quiet(day));
    const ledger = simulate(
      [streamOf("A", a, { 0: LONG }), streamOf("B", b, {})],
      testAccount({ sizing: { kind: "units", value: 5 }, finalize: true }),
    );
    expect(ledger.trades).toMatchObject([{ symbol: "A", exitBar: 2, exitPrice: 120, reason: "end" }]);
  });
});
