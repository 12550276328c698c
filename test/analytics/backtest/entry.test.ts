import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { simulate } from "../../../src/analytics/backtest/simulate.ts";
import { LONG } from "../../../src/analytics/backtest/types.ts";
import { assess } from "../../../src/analytics/risk/assess.ts";
import { DEFAULT_LIMITS } from "../../../src/analytics/risk/limits.ts";
import type { Situation } from "../../../src/analytics/risk/situation.ts";
import { DAY, type Row, streamOf, testAccount } from "./tape.ts";

const DAILY = 1_440;
/** Days at 100 with a low of 90: a long position is stopped out at 95 within the day, a loss of 5 each. */
const falling = (days: number): Row[] => Array.from({ length: days }, (_, day) => [day, 100, 100, 90, 100]);
const always = (days: number) => Object.fromEntries(Array.from({ length: days }, (_, row) => [row, LONG]));
const run = (changes: Parameters<typeof testAccount>[0], days = 7) =>
  simulate(
    [streamOf("A", falling(days), always(days), { stop: 95 })],
    testAccount({ sizing: { kind: "units", value: 1 }, ...changes }),
  );
const summaryOf = ({ trades, refused }: ReturnType<typeof run>) => ({
  entered: trades.map(({ entryBar }) => entryBar),
  refused: refused.map(({ time, reason }) => `${time / DAY} ${reason}`),
});

describe("a run with a cooldown", () => {
  it("opens no position during the cooldown after a stop-out", () => {
    expect(summaryOf(run({ cooldown: { stopOuts: 1, minutes: 3 * DAILY } }))).toEqual({
      entered: [1, 5],
      refused: ["2 cooldown", "3 cooldown", "4 cooldown", "6 cooldown"],
    });
  });

  it("counts the cooldown from the first stop-out", () => {
    expect(summaryOf(run({ cooldown: { stopOuts: 2, minutes: 3 * DAILY } }))).toEqual({
      entered: [1, 2, 5, 6],
      refused: ["3 cooldown", "4 cooldown"],
    });
  });

  it("counts from the bar's close: the default, 3 stop-outs in a day, blocks the next day's open", () => {
    const { cooldown_stop_outs: stopOuts, cooldown_minutes: minutes } = DEFAULT_LIMITS;
    expect([stopOuts, minutes]).toEqual([3, DAILY]);
    const symbols = ["A", "B", "C"];
    const ledger = simulate(
      symbols.map((symbol) => streamOf(symbol, falling(6), always(6), { stop: 95 })),
      testAccount({ sizing: { kind: "units", value: 1 }, cooldown: { stopOuts: stopOuts!, minutes } }),
    );
    // All three are stopped out within day 1, which closes at the start of day 2; day 3 is the first open 1,440 minutes
    // later.
    expect(ledger.trades.map(({ symbol, entryBar }) => `${entryBar} ${symbol}`)).toEqual(
      [1, 3, 5].flatMap((day) => symbols.map((symbol) => `${day} ${symbol}`)),
    );
    expect(ledger.refused).toEqual(
      [2, 4].flatMap((day) => symbols.map((symbol) => ({ symbol, time: day * DAY, reason: "cooldown" }))),
    );
  });

  it("does not count a stop without a loss", () => {
    // Bought at 94 with a stop at 95, so the open is already below the stop.
    const low: Row[] = [0, 1, 2, 3].map((day) => [day, 94, 94, 94, 94]);
    const ledger = simulate(
      [streamOf("A", low, always(4), { stop: 95 })],
      testAccount({ sizing: { kind: "units", value: 1 }, cooldown: { stopOuts: 1, minutes: 99 * DAILY } }),
    );
    expect(ledger.trades.map(({ reason, profit }) => [reason, profit])).toEqual([
      ["stop", 0],
      ["stop", 0],
      ["stop", 0],
    ]);
    expect(ledger.refused).toEqual([]);
  });
});

describe("a run with a drawdown halt", () => {
  it("opens no position while drawdown exceeds the limit", () => {
    // 1,000 less 5 a day: a drawdown of 1 % after two days, more after three.
    expect(summaryOf(run({ haltDrawdown: 1 }))).toEqual({
      entered: [1, 2, 3],
      refused: ["4 halt", "5 halt", "6 halt"],
    });
  });

  it("is off by default", () => {
    expect(summaryOf(run({}))).toEqual({ entered: [1, 2, 3, 4, 5, 6], refused: [] });
  });
});

describe("the rules of a run", () => {
  it("refuse the same entries as the risk rules for orders", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 6 }),
        // Cash amounts at which repeated losses of 5 reach the limit exactly, and others.
        fc.constantFrom(...[200, 250, 500, 1_000, 5_000, 777.77]),
        fc.integer({ min: 1, max: 50 }),
        (stopOuts, days, cash, tenths) => {
          const cooldown = { stopOuts, minutes: days * DAILY };
          const halt = tenths / 10;
          const { trades, refused } = run({ cooldown, haltDrawdown: halt, cash }, 20);
          for (let day = 1; day < 20; day++) {
            const before = trades.filter(({ exitBar }) => exitBar < day);
            const situation: Situation = {
              intent: {
                symbol: "A",
                side: "buy",
                type: "market",
                quantity: "1",
                time_in_force: "day",
                limit_price: null,
                stop_price: null,
                take_profit: null,
                stop_loss: "95",
              },
              assetClass: "equity",
              accountType: "paper",
              killSwitch: false,
              now: day * DAY,
              price: "100",
              tick: "0.01",
              pricedAt: day * DAY,
              session: "regular",
              step: "1",
              offStep: [],
              held: "0",
              shorting: true,
              equity: String(cash - 5 * before.length),
              buyingPower: String(cash),
              openRisk: "0",
              riskAUnit: null,
              equityBefore: String(cash),
              equityPeak: String(cash),
              orders: [],
              stopOuts: before.map(({ exitTime }) => exitTime + DAY),
            };
            const checks = assess(situation, {
              ...DEFAULT_LIMITS,
              halt_drawdown_pct: String(halt),
              cooldown_stop_outs: stopOuts,
              cooldown_minutes: cooldown.minutes,
            });
            const barred = checks.filter(
              ({ rule, state }) =>
                state !== "passed" && ["cooldown_minutes", "halt_drawdown_pct"].includes(rule),
            );
            const noted = refused.some(({ time }) => time === day * DAY);
            expect(barred.length > 0, `day ${day}`).toBe(noted);
          }
        },
      ),
    );
  });
});
