import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wilson } from "../../../src/analytics/track/interval.ts";
import { recordFold, recordOf } from "../../../src/analytics/track/record.ts";
import { HORIZONS, type ScoredSignal } from "../../../src/domain/track-record/track.ts";

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

describe("the track record", () => {
  const four = [
    scored({ change: 0.1, r: 2 }),
    scored({ at: 1, change: 0.02, r: 1 }),
    scored({ at: DAY, change: -0.03, r: -1 }),
    scored({ at: DAY, direction: "WAIT", grade: "C", change: -0.05 }),
  ];

  it("compares hits with the base rate of all signals, including WAIT", () => {
    expect(only(four)).toMatchObject({
      grade: "A",
      asset_class: "equity",
      n: 3,
      n_eff: 0.15,
      entry_dates: 2,
      hit_rate: 2 / 3,
      base_rate: 0.5,
      reason: null,
    });
    // .09 / 3 - .04 / 4
    expect(only(four).mean_excess).toBeCloseTo(0.02, 12);
  });

  it("counts outcomes with a 60-bar horizon as one per 60, and trades as one per 20", () => {
    const after = four.map((one) => ({ ...one, horizon: 60 as const, known: one.at + 60 * DAY, r: null }));
    const row = only([...four, ...after], "LONG", 60);
    expect(row).toMatchObject({ n: 3, n_eff: 0.05, trades: { n: 3, n_eff: 0.15 } });
    expect(row.interval).toEqual(wilson(2 / 3, 0.05));
    expect(only(four).interval).toEqual(wilson(2 / 3, 0.15));
  });

  it("measures hits and excess of a short signal downward", () => {
    const row = only([...four, scored({ direction: "SHORT", grade: "F", change: -0.04 })], "SHORT");
    // Three of five fell; the mean of all five is 0.
    expect(row).toMatchObject({ n: 1, hit_rate: 1, base_rate: 3 / 5 });
    expect(row.mean_excess).toBeCloseTo(0.04, 12);
  });

  it("counts trades with R above 0 as wins", () => {
    expect(only(four).trades).toMatchObject({
      n: 3,
      win_rate: 2 / 3,
      mean_win_r: 1.5,
      mean_loss_r: -1,
    });
    const flat = only([scored({ r: 0 }), scored({ r: null })]).trades;
    expect(flat).toMatchObject({ n: 1, win_rate: 0, mean_win_r: null, mean_loss_r: 0 });
  });

  it("reports the trades of the 20-bar horizon at every horizon", () => {
    const both = [...four, scored({ horizon: 5, change: 0 })];
    expect(only(both, "LONG", 5)).toMatchObject({ n: 1, hit_rate: 0, trades: { n: 3, mean_win_r: 1.5 } });
  });

  it("reports only the count of WAIT, with a reason for the other fields", () => {
    expect(only(four, "WAIT")).toEqual({
      grade: "C",
      direction: "WAIT",
      asset_class: "equity",
      horizon: 20,
      n: 1,
      n_eff: 0.05,
      entry_dates: 1,
      hit_rate: null,
      interval: null,
      base_rate: null,
      mean_excess: null,
      brier: null,
      skill: null,
      trades: { n: 0, n_eff: 0, win_rate: null, interval: null, mean_win_r: null, mean_loss_r: null },
      reason: "WAIT takes no side",
    });
  });

  it("separates asset classes, grades and horizons", () => {
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

  it("counts an unchanged price for neither side", () => {
    const still = [scored({ change: 0 }), scored({ direction: "SHORT", grade: "F", change: 0 })];
    expect(only(still).hit_rate).toBe(0);
    expect(only(still, "SHORT").hit_rate).toBe(0);
  });

  it("is empty without signals", () => expect(recordOf([])).toEqual([]));
});

describe("the track record computed in batches", () => {
  const many = fc.array(
    fc.record({
      day: fc.nat(90),
      later: fc.nat(2),
      asset_class: fc.constantFrom("equity", "crypto"),
      direction: fc.constantFrom("LONG", "SHORT", "WAIT"),
      grade: fc.constantFrom(null, "A", "B"),
      horizon: fc.constantFrom(...HORIZONS),
      change: fc.constantFrom(-0.1, -0.02, 0, 0.03, 0.07),
      r: fc.constantFrom(null, -1, 0, 1.5),
    }),
    { maxLength: 120 },
  );
  const signalsOf = (drawn: typeof many extends fc.Arbitrary<infer T> ? T : never): ScoredSignal[] =>
    drawn
      .map(({ day, later, ...one }) => ({
        ...one,
        at: day * DAY,
        known: (day + one.horizon + later) * DAY,
        r: one.horizon === 20 ? one.r : null,
      }))
      .sort((a, b) => a.at - b.at);

  it("is the same for any batches", () => {
    fc.assert(
      fc.property(many, fc.array(fc.nat(120)), (drawn, cuts) => {
        const all = signalsOf(drawn);
        const edges = [0, ...cuts, all.length].sort((a, b) => a - b);
        const fold = recordFold();
        for (const [i, edge] of edges.entries()) fold.add(all.slice(edge, edges[i + 1]));
        expect(fold.result()).toEqual(recordOf(all));
      }),
    );
  });

  it("matches a naive recomputation over all earlier signals", () => {
    fc.assert(
      fc.property(many, (drawn) => {
        const all = signalsOf(drawn);
        for (const row of recordOf(all)) {
          const pool = all.filter(
            (one) => one.asset_class === row.asset_class && one.horizon === row.horizon,
          );
          const like = (one: ScoredSignal) => one.grade === row.grade && one.direction === row.direction;
          const group = pool.filter(like);
          expect(row.n).toBe(group.length);
          expect(row.entry_dates).toBe(new Set(group.map(({ at }) => at)).size);
          if (row.direction === "WAIT") continue;
          const overlap = row.horizon === 60 ? 60 : 20;
          const rate = (of: readonly ScoredSignal[], toward: number) =>
            (of.filter(({ change }) => change > 0).length / overlap + 20 * toward) /
            (of.length / overlap + 20);
          const errors = group.map((one) => {
            const known = pool.filter(({ known }) => known <= one.at);
            return (rate(known.filter(like), rate(known, 0.5)) - (one.change > 0 ? 1 : 0)) ** 2;
          });
          expect(row.brier).toBeCloseTo(errors.reduce((sum, error) => sum + error, 0) / errors.length, 12);
        }
      }),
    );
  });

  it("throws if signals are not in order of decision", () => {
    const fold = recordFold();
    fold.add([scored({ at: DAY })]);
    expect(() => fold.add([scored({ at: 0 })])).toThrow(RangeError);
  });
});
