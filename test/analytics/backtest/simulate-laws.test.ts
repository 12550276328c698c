import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { simulate } from "../../../src/analytics/backtest/simulate.ts";
import type { Account, Ledger, Stream } from "../../../src/analytics/backtest/types.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { randomFrom, syntheticBars } from "../../support/synthetic-bars.ts";
import { DAY, testAccount } from "./tape.ts";

/** Random markets with random decisions, half of them with a stop and a target. */
const streams = fc
  .record({ seed: fc.integer({ min: 1, max: 1e6 }), symbols: fc.integer({ min: 1, max: 3 }) })
  .map(({ seed, symbols }) =>
    Array.from({ length: symbols }, (_, s): Stream => {
      const bars = syntheticBars(seed + s, 120 - 10 * s, s === 1 ? "UTC" : "America/New_York");
      const random = randomFrom(seed + 31 * s);
      const action = Uint8Array.from(bars.close, () => (random() < 0.4 ? Math.floor(4 * random()) : 0));
      const near = (by: number) => bars.close.map((price) => (random() < 0.5 ? price * by : Number.NaN));
      const long = action.map((wanted) => (wanted === 1 ? 1 : 0));
      const stop = near(0.97).map((price, i) => (long[i] ? price : (price / 0.97) * 1.03));
      const target = near(1.04).map((price, i) => (long[i] ? price : (price / 1.04) * 0.96));
      return { symbol: `S${s}`, bars, decisions: { start: 15, action, stop, target } };
    }),
  );

const sizing = fc.constantFrom<Account["sizing"]>(
  { kind: "all_in", value: null },
  { kind: "units", value: 2 },
  { kind: "percent", value: 30 },
  { kind: "volatility", value: 1 },
  { kind: "kelly", value: 0.25 },
);
const accounts = fc
  .record({ sizing, fractional: fc.boolean(), finalize: fc.boolean(), slippage: fc.constantFrom(0, 0.001) })
  .map((changes) => testAccount({ cash: 10_000, ...changes }));

const total = (ledger: Ledger) =>
  [...ledger.trades, ...ledger.open].reduce((sum, { profit }) => sum + profit, 0);

describe("invariants of every run", () => {
  it("ends with the initial cash plus all realised and unrealised profits, whatever the costs", () => {
    fc.assert(
      fc.property(streams, accounts, fc.constantFrom(0, 0.002), (market, account, commission) => {
        const ledger = simulate(market, { ...account, commission });
        expect(ledger.equity.at(-1)! - account.cash).toBeCloseTo(total(ledger), 6);
      }),
    );
  });

  it("doubles units and profit with twice the cash if units are fractional", () => {
    fc.assert(
      fc.property(streams, accounts, (market, account) => {
        fc.pre(account.sizing.kind !== "units");
        const once = simulate(market, { ...account, fractional: true, commission: 0.001 });
        const twice = simulate(market, { ...account, fractional: true, commission: 0.001, cash: 20_000 });
        expect(twice.trades.map(({ units, profit }) => [units, profit])).toEqual(
          once.trades.map(({ units, profit }) => [2 * units, 2 * profit]),
        );
        expect([...twice.equity]).toEqual(Array.from(once.equity, (worth) => 2 * worth));
      }),
    );
  });

  it("does not depend on later bars: a run over a prefix is the prefix of the run", () => {
    fc.assert(
      fc.property(streams, accounts, fc.integer({ min: 1, max: 119 }), (market, account, days) => {
        const first = market[0]!.bars.time[0]!;
        const whole = simulate(market, { ...account, finalize: false });
        const part = simulate(
          market.map((stream) => before(stream, first + days * DAY)),
          { ...account, finalize: false },
        );
        expect([...part.equity]).toEqual([...whole.equity.subarray(0, part.equity.length)]);
        expect(part.trades).toEqual(whole.trades.slice(0, part.trades.length));
      }),
    );
  });

  it("exits within the bar's range, and never at a better price than the stop", () => {
    fc.assert(
      fc.property(streams, accounts, (market, account) => {
        for (const trade of simulate(market, { ...account, finalize: false }).trades) {
          const { bars } = market.find(({ symbol }) => symbol === trade.symbol)!;
          const row = bars.time.indexOf(trade.exitTime);
          const side = trade.side === "LONG" ? 1 : -1;
          // an exit at the market fills worse than its price by the slippage
          const slipped = trade.reason === "target" ? 1 : 1 - side * account.slippage;
          const before = trade.exitPrice / slipped;
          expect(before).toBeLessThanOrEqual(bars.high[row]! + 1e-9);
          expect(before).toBeGreaterThanOrEqual(bars.low[row]! - 1e-9);
          if (trade.reason === "stop") expect(side * trade.exitPrice).toBeLessThanOrEqual(side * trade.stop!);
          if (trade.reason === "target")
            expect(side * trade.exitPrice).toBeGreaterThanOrEqual(side * trade.target!);
        }
      }),
    );
  });

  it("never ends with more equity at a higher commission for the same units", () => {
    fc.assert(
      fc.property(streams, accounts, (market, account) => {
        const at = (commission: number) =>
          simulate(market, { ...account, cash: 1e6, sizing: { kind: "units", value: 2 }, commission });
        const ends = [0, 0.001, 0.01].map((commission) => at(commission).equity.at(-1)!);
        expect(ends).toEqual(ends.toSorted((a, b) => b - a));
      }),
    );
  });

  it("never commits more than the available cash", () => {
    fc.assert(
      fc.property(streams, accounts, (market, account) => {
        const { trades, open } = simulate(market, account);
        const first = [...trades, ...open].reduce((a, b) => (a.entryBar <= b.entryBar ? a : b), {
          entryBar: Number.POSITIVE_INFINITY,
          units: 0,
          entryPrice: 0,
        });
        expect(first.units * first.entryPrice).toBeLessThanOrEqual(account.cash);
      }),
    );
  });
});

/** A stream truncated at the given time. */
function before({ symbol, bars, decisions }: Stream, end: number): Stream {
  const count = bars.time.filter((time) => time < end).length;
  const cut: Bars = sliceBars(bars, 0, count);
  const action = decisions.action.slice(0, count);
  return {
    symbol,
    bars: cut,
    decisions: {
      ...decisions,
      action,
      stop: decisions.stop!.slice(0, count),
      target: decisions.target!.slice(0, count),
    },
  };
}
