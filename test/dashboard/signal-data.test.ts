import { describe, expect, it } from "vitest";
import { chartDataOf, planLevels, structureOf } from "../../src/dashboard/views/signal/chart-data.ts";
import { factsOf, planOf } from "../../src/dashboard/views/signal/facts.ts";

const LEVELS = {
  entry_zone: { low: 99, high: 100 },
  stop_loss: 95,
  targets: [110, 120],
  reward_to_risk: 2,
  basis: "signal" as const,
};
const PLAN = planOf(LEVELS);
const bar = (datetime: string, close: number) => ({ datetime, close }) as never;
const WYCKOFF = {
  events: [
    { type: "UTAD", date: "2026-10-02", side: "top", status: "confirmed" },
    { type: "UTAD", date: "2026-10-01", side: "top", status: "void" },
    { type: "SPRING", date: "2026-10-03", side: "bottom", status: "pending" },
  ],
  range: { low: 90, high: 110, from: "2026-09-01", to: "2026-10-01" },
};

describe("the plan of a signal", () => {
  it("is a LONG with its stop below the target, and measures R from the upper edge of the zone", () => {
    expect(PLAN).toEqual({
      side: "LONG",
      basis: "signal",
      entry: { low: 99, high: 100 },
      stop: 95,
      targets: [110, 120],
      multiples: [2, 4],
      rewardToRisk: 2,
    });
  });

  it("is a SHORT with its stop above the target, and measures R from the lower edge", () => {
    const { side, multiples } = planOf({
      ...LEVELS,
      entry_zone: { low: 100, high: 101 },
      stop_loss: 105,
      targets: [90, 80],
    });
    expect([side, multiples]).toEqual(["SHORT", [2, 4]]);
  });

  it("has the multiples that the answer states", () => {
    const target_r = { targets: [{ r: 1.9 }, { r: 3.9 }] } as never;
    expect(planOf({ ...LEVELS, target_r }).multiples).toEqual([1.9, 3.9]);
  });

  it("has a level for each price, one for a zone without width, and none without a plan", () => {
    expect(planLevels(PLAN)).toEqual([
      { price: 95, text: "stop", tone: "down" },
      { price: 99, text: "entry low", tone: "accent" },
      { price: 100, text: "entry high", tone: "accent" },
      { price: 110, text: "T1", tone: "up" },
      { price: 120, text: "T2", tone: "up" },
    ]);
    const point = planOf({ ...LEVELS, entry_zone: { low: 100, high: 100 } });
    expect(planLevels(point).filter(({ tone }) => tone === "accent")).toEqual([
      { price: 100, text: "entry", tone: "accent" },
    ]);
    expect(planLevels(null)).toEqual([]);
  });
});

describe("the structure of a signal", () => {
  it("has events with their status, a range, and the path of a count that is valid", () => {
    const elliott = { available: true, path: [{ wave: "1", date: "2026-10-02", price: 104 }] };
    expect(structureOf({ wyckoff: WYCKOFF, elliott } as never)).toEqual({
      events: [
        { date: "2026-10-02", side: "above", text: "UTAD", tone: "warn" },
        { date: "2026-10-01", side: "above", text: "UTAD void", tone: "flat" },
        { date: "2026-10-03", side: "below", text: "SPRING pending", tone: "up" },
      ],
      range: { ...WYCKOFF.range, text: "trading range" },
      path: [{ date: "2026-10-02", price: 104, text: "1" }],
    });
  });

  it("is empty without events and without a valid count", () => {
    const elliott = { available: false, path: [{ wave: "1", date: "2026-10-02", price: 104 }] };
    const empty = { events: [], range: null, path: [] };
    expect(structureOf({ wyckoff: { events: [], range: null }, elliott } as never)).toEqual(empty);
    expect(structureOf({ wyckoff: null, elliott: null })).toEqual(empty);
  });
});

describe("the chart of a signal", () => {
  const facts = { plan: PLAN, odds: null, range: null, wyckoff: null, elliott: null };
  const history = { bars: [bar("2026-10-02", 101), bar("2026-10-01", 100)], forming: null };

  it("has its bars from the oldest on, and the plan up to the first target", () => {
    const { bars, plan, fan } = chartDataOf(facts, history);
    expect(bars.map(({ datetime }) => datetime)).toEqual(["2026-10-01", "2026-10-02"]);
    expect(plan).toEqual({ entryLow: 99, entryHigh: 100, stop: 95, target: 110 });
    expect(fan).toEqual([]);
  });

  it("has a fan of all ranges, else of the one of its odds", () => {
    const odds = { bars: 20, range_90: { low: 90, high: 112 } } as never;
    expect(chartDataOf({ ...facts, odds }, history).fan).toEqual([{ bars: 20, p5: 90, p95: 112 }]);
    const range = [{ bars: 5, p5: 96, p95: 105 }] as never;
    expect(chartDataOf({ ...facts, odds, range }, history).fan).toEqual(range);
  });
});

describe("the facts of a signal card", () => {
  const card = (date: string) =>
    factsOf({
      symbol: "AAPL",
      data: {
        direction: "WAIT",
        grade: "C",
        score: 48,
        reason: "The drivers do not agree",
        price: 100,
        price_reason: null,
        source: "sample",
        as_of: "2026-11-30T00:00:00.000Z",
        entry: 100,
        stop: 95,
        target: 110,
        rr: 2,
        levels_basis: "watch",
        odds: null,
        odds_reason: "Too few bars",
        wyckoff: { events: [{ date }], range: null },
        elliottWave: { path: [] },
        conflicts: [],
        notes: [],
      },
    } as never);

  it("are those of one price, one target and daily bars", () => {
    expect(card("2026-10-01")).toMatchObject({
      symbol: "AAPL",
      timeframe: "1d",
      direction: "WAIT",
      decidedAt: "2026-11-30T00:00:00.000Z",
      plan: { side: "LONG", basis: "watch", entry: { low: 100, high: 100 }, targets: [110], multiples: [2] },
      oddsReason: "Too few bars",
    });
  });

  it("have no timeframe if its events are at times", () => {
    expect(card("2026-10-01T08:00:00Z").timeframe).toBeNull();
  });
});
