import { describe, expect, it } from "vitest";
import { recordOf } from "../../../src/analytics/track/record.ts";
import type { ScoredSignal } from "../../../src/domain/track.ts";

const DAY = 86_400_000;
const scored = (over: Partial<ScoredSignal>): ScoredSignal => ({
  at: 0,
  known: 20 * DAY,
  asset_class: "equity",
  direction: "LONG",
  grade: "A",
  horizon: 20,
  change: 0.01,
  r: null,
  ...over,
});
const only = (all: readonly ScoredSignal[], direction = "LONG", horizon = 20) =>
  recordOf(all).find((row) => row.direction === direction && row.horizon === horizon)!;

describe("the record of signals", () => {
  const four = [
    scored({ change: 0.1, r: 2 }),
    scored({ at: 1, change: 0.02, r: 1 }),
    scored({ at: DAY, change: -0.03, r: -1 }),
    scored({ at: DAY, direction: "WAIT", grade: "C", change: -0.05 }),
  ];

  it("counts hits against the base rate of all signals, WAIT too", () => {
    expect(only(four)).toMatchObject({
      ...{ grade: "A", asset_class: "equity", n: 3, n_eff: 0.15, entry_dates: 2 },
      ...{ hit_rate: 2 / 3, base_rate: 0.5, reason: null },
    });
    // .09 / 3 - .04 / 4
    expect(only(four).mean_excess).toBeCloseTo(0.02, 12);
  });

  it("counts a short signal's hits and excess downward", () => {
    const row = only([...four, scored({ direction: "SHORT", grade: "F", change: -0.04 })], "SHORT");
    // three of five fell; the mean of all five is 0
    expect(row).toMatchObject({ n: 1, hit_rate: 1, base_rate: 3 / 5 });
    expect(row.mean_excess).toBeCloseTo(0.04, 12);
  });

  it("tells trades by their own count: those above 0 are wins", () => {
    expect(only(four).trades).toMatchObject({
      ...{ n: 3, win_rate: 2 / 3, mean_win_r: 1.5, mean_loss_r: -1 },
    });
    const flat = only([scored({ r: 0 }), scored({ r: null })]).trades;
    expect(flat).toMatchObject({ n: 1, win_rate: 0, mean_win_r: null, mean_loss_r: 0 });
  });

  it("says the trades of the 20-bar horizon at every horizon", () => {
    const both = [...four, scored({ horizon: 5, change: 0 })];
    expect(only(both, "LONG", 5)).toMatchObject({ n: 1, hit_rate: 0, trades: { n: 3, mean_win_r: 1.5 } });
  });

  it("says of WAIT how many there were and why the rest is null", () => {
    expect(only(four, "WAIT")).toEqual({
      ...{
        grade: "C",
        direction: "WAIT",
        asset_class: "equity",
        horizon: 20,
        n: 1,
        n_eff: 0.05,
        entry_dates: 1,
      },
      ...{ hit_rate: null, interval: null, base_rate: null, mean_excess: null, brier: null, skill: null },
      trades: { n: 0, n_eff: 0, win_rate: null, interval: null, mean_win_r: null, mean_loss_r: null },
      reason: "WAIT takes no side",
    });
  });

  it("keeps asset classes, grades and horizons apart", () => {
    const rows = recordOf([
      scored({}),
      scored({ asset_class: "crypto", change: -0.1 }),
      scored({ grade: "B" }),
      scored({ horizon: 60 }),
    ]);
    expect(
      rows.map(({ grade, asset_class, horizon, base_rate }) => [grade, asset_class, horizon, base_rate]),
    ).toEqual([
      ["A", "crypto", 20, 0],
      ["A", "equity", 20, 1],
      ["A", "equity", 60, 1],
      ["B", "equity", 20, 1],
    ]);
  });

  it("counts a price that did not move for neither side", () => {
    const still = [scored({ change: 0 }), scored({ direction: "SHORT", grade: "F", change: 0 })];
    expect(only(still).hit_rate).toBe(0);
    expect(only(still, "SHORT").hit_rate).toBe(0);
  });

  it("of nothing is empty", () => expect(recordOf([])).toEqual([]));
});
