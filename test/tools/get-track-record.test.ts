import { describe, expect, it } from "vitest";
import { ODDS_VERSION } from "../../src/analytics/odds/odds.ts";
import type { OddsBucket, OddsRecord } from "../../src/domain/odds/odds-record.ts";
import type { PublishedRecord } from "../../src/domain/track-record/track.ts";
import { shownTrackRow } from "../../src/domain/track-record/track.ts";
import type { SymbolOutcomes } from "../../src/domain/track-record/track-port.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { getTrackRecord } from "../../tools/get-track-record.ts";
import { pro } from "../support/context.ts";
import { smallMarket } from "../support/market.ts";
import { callerOf, invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";
import {
  noPages,
  oddsBucket,
  oddsForecast,
  oddsRow,
  published,
  rOverBase,
  trackRow,
} from "../support/track.ts";

const wait = trackRow({
  grade: "C",
  direction: "WAIT",
  hit_rate: null,
  interval: null,
  base_rate: null,
  mean_excess: null,
  brier: null,
  skill: null,
  reason: "WAIT takes no side",
  trades: { n: 0, n_eff: 0, win_rate: null, interval: null, mean_win_r: null, mean_loss_r: null },
});
const rows = [
  trackRow(),
  trackRow({ horizon: 60, n: 6_000, n_eff: 100 }),
  trackRow({ grade: "F", direction: "SHORT", n: 40, n_eff: 2 }),
  trackRow({ asset_class: "crypto", grade: "B" }),
  wait,
];
const compared = [
  rOverBase(),
  rOverBase({ grade: "A", n: 900, over_base: 0.03, interval: { low: -0.4, high: 0.46 } }),
  rOverBase({ direction: "SHORT", asset_class: "crypto", n: 30, interval: null, reason: "few" }),
];
const recordOf = (over: readonly (typeof rows)[number][] = rows) =>
  published(over, { r_over_base: compared });
const portsOf = (
  record: PublishedRecord | null,
  odds: OddsRecord | null = null,
  pages: SymbolOutcomes = noPages(),
) => ({
  ...smallMarket().ports,
  trackRecord: { published: async () => record, odds: async () => odds, ofSymbol: () => pages },
});
const ports = portsOf(recordOf());
const ask = (input: unknown, record: PublishedRecord | null = recordOf()) =>
  invoke(getTrackRecord, input, { ports: portsOf(record), principal: pro, transport: "test" });
const named = (answer: Awaited<ReturnType<typeof ask>>) =>
  answer.rows.map(({ asset_class, grade, direction, horizon }) => [asset_class, grade, direction, horizon]);

const UNMEASURED =
  "Odds by side and volatility are not measured: no group has 500 forecasts of odds-1.1.0 with an outcome, the largest has 0.";

describe("get_track_record", () => {
  it("returns the record as it was computed, with its period and model", async () => {
    expect(await ask({})).toEqual({
      ok: true,
      rows: rows.map(shownTrackRow),
      count: 5,
      r_over_base: compared,
      odds: {
        forecasts: 0,
        from: null,
        until: null,
        rows: [],
        reason: expect.stringContaining(
          "the first outcomes of signals, get_odds and nightly runs need 5 more bars",
        ),
        buckets: [],
      },
      checks: {
        orders: 0,
        from: null,
        until: null,
        rows: [],
        reason: "No checked order has an outcome yet: its bars must close first",
      },
      summary: [UNMEASURED],
      signals: 4_800,
      from: "2020-01-02T21:00:00.000Z",
      until: "2025-12-15T21:00:00.000Z",
      computed_at: "2026-01-15T00:11:00.000Z",
      label: "SAMPLE (simulated)",
      model_version: "consensus-1.2.0",
      reason: null,
      notes: [expect.stringContaining("simulated market"), expect.stringContaining("move together")],
      market: "sample",
      source: "sample",
    });
  });

  it("returns only the requested rows", async () => {
    expect(named(await ask({ horizon: 60 }))).toEqual([["equity", "A", "LONG", 60]]);
    expect(named(await ask({ grade: "F" }))).toEqual([["equity", "F", "SHORT", 20]]);
    expect(named(await ask({ direction: "WAIT" }))).toEqual([["equity", "C", "WAIT", 20]]);
    expect(named(await ask({ asset_class: "crypto", direction: "LONG" }))).toEqual([
      ["crypto", "B", "LONG", 20],
    ]);
    expect((await ask({ min_n_eff: 100 })).count).toBe(4);
  });

  it("contains only sides after 20 bars in a concise answer, unless others are requested", async () => {
    const { rows: few, notes } = await ask({ detail: "concise" });
    expect(few).toEqual([rows[0]!, rows[2]!, rows[3]!].map(shownTrackRow));
    expect(notes).toContain("detail=full adds all groups, WAIT, and the outcomes after 5 and 60 bars.");
    expect((await ask({ detail: "concise", horizon: 60 })).rows).toEqual([shownTrackRow(rows[1]!)]);
    expect((await ask({ detail: "concise", direction: "WAIT" })).rows).toEqual([shownTrackRow(wait)]);
    expect(await ask({ detail: "full" })).toEqual(await ask({}));
  });

  it("contains the ten groups with the most effective outcomes in a concise answer, and says so", async () => {
    const groups = Array.from({ length: 12 }, (_, i) => trackRow({ n: 100 * (i + 1), n_eff: 5 * (i + 1) }));
    const { rows: most, notes } = await ask({ detail: "concise" }, recordOf(groups));
    expect(most).toEqual(groups.slice(2).map(shownTrackRow));
    expect(notes).toContain("2 groups with fewer outcomes are left out.");
    expect((await ask({ detail: "full" }, recordOf(groups))).rows).toEqual(groups.map(shownTrackRow));
  });

  it("compares the R of trades with its base, by grade only in a full answer or if requested", async () => {
    const comparedBy = async (input: object) => (await ask(input)).r_over_base;
    expect(await comparedBy({ detail: "concise" })).toEqual([compared[0], compared[2]]);
    expect(await comparedBy({ grade: "A" })).toEqual([compared[1]]);
    expect(await comparedBy({ direction: "SHORT" })).toEqual([compared[2]]);
    expect(await comparedBy({ asset_class: "equity" })).toEqual([]);
    expect(await comparedBy({ min_n_eff: 100 })).toEqual([compared[0]]);
    const { r_over_base, notes } = await ask({}, published(rows));
    expect(r_over_base).toEqual([]);
    expect(notes.at(-1)).toMatch(
      /without R over base: the owner of the server adds it by replaying history\.$/,
    );
  });

  it("notes the missing symbols of a real market, and that a simulated one says nothing about it", async () => {
    const notesIn = async (mode: "sample" | "files" | "live") => {
      const market = { mode, id: mode } as const;
      const ports = { ...portsOf(recordOf()), market };
      return (await invoke(getTrackRecord, {}, { ports, principal: pro, transport: "test" })).notes[0];
    };
    expect(await notesIn("live")).toContain("lacks delisted symbols");
    expect(await notesIn("files")).toContain("lacks delisted symbols");
    expect(await notesIn("sample")).toContain("docs/sample-market.md");
  });

  it("states why there are no rows", async () => {
    expect(await ask({ grade: "A+" })).toMatchObject({
      rows: [],
      count: 0,
      signals: 4_800,
      reason: "No matching signal has an outcome",
    });
    expect(await ask({}, null)).toMatchObject({
      rows: [],
      count: 0,
      signals: 0,
      from: null,
      until: null,
      computed_at: null,
      model_version: null,
      reason: expect.stringContaining("The owner of the server can build a record from history."),
      notes: [],
    });
  });

  it.each([
    [{ horizon: 10 }, "/horizon"],
    [{ grade: "E" }, "/grade"],
    [{ direction: "UP" }, "/direction"],
    [{ asset_class: "bonds" }, "/asset_class"],
    [{ min_n_eff: -1 }, "/min_n_eff"],
  ])("refuses %j", async (input, pointer) => {
    await expect(ask(input)).rejects.toMatchObject(invalidField(pointer));
  });

  it("prints a table, with a dash for missing figures", async () => {
    const lines = getTrackRecord.terminal!(await ask({}), (_, text) => text).split("\n");
    expect(lines[0]).toBe(UNMEASURED);
    expect(lines[2]).toBe(
      "A      LONG   equity    20  2400  120.0  61.0%  52.0% - 69.0%  56.0%   1.23%   1.75   -0.97  0.241  0.012",
    );
    expect(lines[6]).toMatch(/^C +WAIT +equity +20 +2400 +120\.0 +- +- +- +- +- +- +- +-$/);
    expect(lines.slice(7, 11)).toEqual([
      "grade  side   class   trades     R  base R  over base  95% interval",
      "all    LONG   all       2390  0.12    0.20      -0.08  -0.13 to -0.03",
      "A      LONG   all        900  0.12    0.20       0.03  -0.40 to 0.46",
      "all    SHORT  crypto      30  0.12    0.20      -0.08  -",
    ]);
    expect(lines.at(-1)).toBe("4800 signals, decided 2020-01-02 to 2025-12-15, consensus-1.2.0");
    expect(getTrackRecord.terminal!(await ask({}, null), (_, text) => text)).toContain(
      "The owner of the server can build a record from history.",
    );
  });
});

describe("the odds of get_track_record", () => {
  const oddsRows = [
    oddsRow(),
    oddsRow({ version: "odds-closed-form-1.0.0", n: 204, n_eff: 10.2, cover_80: 0.75 }),
    oddsRow({ period: "last_250_days", n: 300, n_eff: 15 }),
    oddsRow({ period: "2025", n: 300, n_eff: 15 }),
    oddsRow({ horizon: 60, n: 600, n_eff: 10, plan: null, cover_80: 0.9 }),
    oddsRow({ asset_class: "crypto", n: 400, n_eff: 20, cover_80: 0.7 }),
    oddsRow({ timeframe: "4h", n: 90, n_eff: 4.5 }),
  ];
  const record: OddsRecord = {
    computed_at: "2026-01-15T00:11:00.000Z",
    forecasts: 1_294,
    from: "2024-01-02T21:00:00.000Z",
    until: "2025-12-15T21:00:00.000Z",
    rows: oddsRows,
  };
  const call = (input: unknown, odds: OddsRecord | null = record) =>
    invoke(getTrackRecord, input, { ports: portsOf(recordOf(), odds), principal: pro, transport: "test" });
  const places = async (input: object) =>
    (await call(input)).odds.rows.map((row) =>
      oddsRows.findIndex(
        (one) => JSON.stringify({ ...one, touch: null }) === JSON.stringify({ ...row, touch: null }),
      ),
    );

  it("are returned as they were computed", async () => {
    const { computed_at: _, ...odds } = record;
    const { buckets: _buckets, ...answer } = (await call({})).odds;
    expect(answer).toEqual({ ...odds, reason: null });
  });

  it("are filtered by asset class, horizon and effective number", async () => {
    expect(await places({ asset_class: "crypto" })).toEqual([5]);
    expect(await places({ horizon: 60 })).toEqual([4]);
    expect(await places({ min_n_eff: 20 })).toEqual([0, 5]);
    const { rows: none, reason } = (await call({ asset_class: "etf" })).odds;
    expect([none, reason]).toEqual([[], "No matching odds have an outcome"]);
  });

  it("are in sum over daily bars, all years and the last 250 days in a concise answer, without bins", async () => {
    expect(await places({ detail: "concise" })).toEqual([0, 1, 2]);
    expect(await places({ detail: "concise", horizon: 60 })).toEqual([4]);
    expect(await places({ detail: "concise", asset_class: "crypto" })).toEqual([5]);
    const [row] = (await call({ detail: "concise" })).odds.rows;
    expect(row!.touch).toEqual({ n: 4_000, brier_skill: 0.05, calibration_error: 0.011 });
  });

  it("begin the text with how often the 80% range held, over all methods", async () => {
    const textOf = async (input: object) =>
      getTrackRecord.terminal!(await call(input), (_, text) => text).split("\n");
    // (1000 x 0.8 + 204 x 0.75) / 1204
    expect((await textOf({}))[0]).toBe(
      "The 80% range held the close 20 bars later in 79.2% of 1,204 forecasts.",
    );
    expect((await textOf({ horizon: 60 }))[0]).toBe(
      "The 80% range held the close 60 bars later in 90.0% of 600 forecasts.",
    );
    expect((await textOf({ asset_class: "crypto" }))[0]).toBe(
      "The 80% range held the close 20 bars later in 70.0% of 400 forecasts (under 500: not measured).",
    );
    const lines = await textOf({});
    const at = lines.findIndex((line) => line.startsWith("odds of"));
    expect(lines.slice(at, at + 2)).toEqual([
      "odds of        class   bars        n  n_eff  in 50%  in 80%  in 90%  CRPS skill  touch skill  off by  method",
      "all            all     20       1000   50.0   51.0%   80.0%   90.0%        2.1%         5.0%    1.1%  odds-1.0.0",
    ]);
    expect(lines[at + 7]).toMatch(/^all +all +20 x 4h +90 /);
  });

  it("have a reason before the first outcome", async () => {
    const answer = await call({}, null);
    expect(answer.odds.reason).toContain("No stored odds have an outcome yet");
    expect(getTrackRecord.terminal!(answer, (_, text) => text)).toContain(answer.odds.reason!);
  });
});

describe("the odds of get_track_record by bars, side and volatility", () => {
  const off = oddsBucket({ horizon: 60, side: "SHORT", happened: 0.45, n: 1_200 });
  const buckets = [
    oddsBucket(),
    off,
    oddsBucket({ event: "in_80_range", side: null, odds: 0.8, happened: 0.7, volatility: "over 60%" }),
    oddsBucket({ asset_class: "crypto", n: 120 }),
  ];
  const record = (over: Partial<OddsRecord> = {}): OddsRecord => ({
    computed_at: "2026-01-15T00:11:00.000Z",
    forecasts: 1_000,
    from: "2024-01-02T21:00:00.000Z",
    until: "2025-12-15T21:00:00.000Z",
    rows: [oddsRow()],
    buckets,
    ...over,
  });
  const call = (input: unknown, odds: OddsRecord | null = record()) =>
    invoke(getTrackRecord, input, { ports: portsOf(recordOf(), odds), principal: pro, transport: "test" });

  const shown = (
    { asset_class: _class, version: _version, ...bucket }: OddsBucket,
    within_3_points: boolean | null,
  ) => ({
    ...bucket,
    interval: { low: expect.any(Number), high: expect.any(Number) },
    within_3_points,
  });

  it("name those of 500 or more that are off by more than 3 points, worst first, in data and text", async () => {
    const answer = await call({});
    expect(answer.odds.buckets).toEqual([
      shown(buckets[0]!, true),
      shown(off, false),
      shown(buckets[2]!, false),
    ]);
    expect(answer.summary).toEqual([
      "The 80% range held the close 20 bars later in 80.0% of 1,000 forecasts.",
      "Odds by bars, side and volatility: 1 of 3 groups of 500 or more forecasts are within 3 points of what happened.",
      "Off by more: touch below at 60 bars, volatility 20-35%: said 30.0%, happened 45.0% (1,200 forecasts, about 20 independent); close in the 80% range at 20 bars, volatility over 60%: said 80.0%, happened 70.0% (1,000 forecasts, about 50 independent).",
    ]);
    const text = getTrackRecord.terminal!(answer, (_, line) => line).split("\n");
    expect(text.slice(0, 3)).toEqual(answer.summary);
  });

  it("are filtered by horizon, asset class and direction; a concise answer has only those that are off", async () => {
    const bucketsOf = async (input: object) => (await call(input)).odds.buckets;
    expect(await bucketsOf({ horizon: 60 })).toEqual([shown(off, false)]);
    // 1,200 forecasts of 60 bars count as 20
    expect((await bucketsOf({ horizon: 60 }))[0]?.interval).toEqual({ low: 0.2582, high: 0.6579 });
    expect((await bucketsOf({ direction: "SHORT" })).map(({ side }) => side)).toEqual(["SHORT", null]);
    expect((await bucketsOf({ detail: "concise" })).map(({ horizon }) => horizon)).toEqual([60, 20]);
    expect(await bucketsOf({ asset_class: "crypto" })).toEqual([shown(buckets[3]!, null)]);
    expect((await call({ asset_class: "crypto" })).summary).toEqual([
      "Odds by side and volatility are not measured: no group has 500 forecasts of odds-1.1.0 with an outcome, the largest has 120.",
    ]);
  });

  it("are not measured in a record of an earlier version or method", async () => {
    const { buckets: _, ...earlier } = record();
    const older = buckets.map((bucket) => ({ ...bucket, version: "odds-1.0.0" }));
    expect((await call({}, record({ buckets: older }))).odds.buckets).toEqual([]);
    expect((await call({}, earlier)).summary.at(-1)).toContain("the next nightly run computes them");
  });
});

describe("the record of one symbol", () => {
  const at = Date.UTC(2025, 9, 1);
  const happened = { close: 0.01, high: 0.06, low: -0.01, planEnd: "target", planSide: "LONG" } as const;
  const signal = {
    at,
    known: at + 1,
    symbol: "AAPL",
    asset_class: "equity",
    grade: "A",
    horizon: 20,
  } as const;
  const pages: SymbolOutcomes = {
    model_version: "consensus-1.0.0",
    async *scored() {
      yield [
        { ...signal, direction: "LONG", change: 0.02, r: 1.5 },
        { ...signal, direction: "LONG", change: -0.02, r: -1 },
        { ...signal, direction: "WAIT", grade: "C", change: 0.01, r: null },
      ];
    },
    async *observed(timeframe) {
      if (timeframe !== "1d") return;
      const outcomes = [{ bars: 20, ...happened, replayed: false } as const];
      yield [
        {
          symbol: "AAPL",
          at,
          asset_class: "equity",
          forecast: oddsForecast({ version: ODDS_VERSION }),
          outcomes,
        } as const,
      ];
    },
  };
  const call = (input: object, own?: SymbolOutcomes) =>
    invoke(getTrackRecord, input, {
      ports: portsOf(recordOf(), null, own),
      principal: pro,
      transport: "test",
    });

  it("has its signals and odds alone, in sentences that come first", async () => {
    const { rows, odds, summary, signals, from, reason } = await call({ symbol: "aapl" }, pages);
    expect({ signals, from, reason }).toEqual({
      signals: 3,
      from: "2025-10-01T00:00:00.000Z",
      reason: null,
    });
    expect(rows.map(({ direction, n, hit_rate }) => [direction, n, hit_rate])).toEqual([
      ["LONG", 2, 0.5],
      ["WAIT", 1, null],
    ]);
    expect(odds).toMatchObject({ forecasts: 1, buckets: expect.any(Array) });
    expect(odds.rows[0]).toMatchObject({ n: 1, asset_class: null, cover_80: 1 });
    expect(summary).toEqual([
      "AAPL LONG: 50.0% of 2 signals closed higher after 20 bars, 66.7% of all its signals did.",
      "The 80% range held the close 20 bars later in 100.0% of 1 forecasts (under 500: not measured).",
      "Odds by side and volatility are not measured: no group has 500 forecasts of odds-1.1.0 with an outcome, the largest has 1.",
    ]);
  });

  it("has no figure but a reason without an outcome", async () => {
    const none = await call({ symbol: "AAPL" });
    expect(none).toMatchObject({
      signals: 0,
      from: null,
      computed_at: null,
      rows: [],
      reason: expect.stringContaining("AAPL has no record of its own"),
    });
    expect(getTrackRecord.terminal!(none, (_, line) => line)).toContain(none.reason!);
  });
});

describe("the record of checked orders", () => {
  const row = { n: 40, n_eff: 12, odds: 0.61, happened: 0.55, interval: { low: 0.3, high: 0.8 }, base: 0.5 };
  const reliability = [{ odds: 0.61, happened: 0.55, n: 40 }];
  const group = (asset_class: "equity" | null, side: "LONG" | null) => ({
    event: "fill" as const,
    asset_class,
    side,
    ...row,
    reliability,
  });
  const record = {
    computed_at: "2026-01-15T00:11:00.000Z",
    version: ODDS_VERSION,
    orders: 40,
    from: "2025-10-01T15:00:00.000Z",
    until: "2025-12-01T15:00:00.000Z",
    rows: [group(null, null), group(null, "LONG"), group("equity", null), group("equity", "LONG")],
  };
  const read = callerOf(getTrackRecord, {
    ...ports,
    checkedOrders: { record: () => {}, published: async () => record },
  });

  it("is returned beside the published record; concise omits its bins", async () => {
    const { checks, summary } = await read({ detail: "concise" });
    expect(checks.rows).toEqual([{ event: "fill", asset_class: null, side: null, ...row }]);
    expect(summary.at(-1)).toBe(
      "Odds of 40 checked orders: fill: stated odds 61.0%, happened 55.0% (95% interval 30.0% to 80.0%), 40 orders.",
    );
  });

  it("is selected by class and direction, and never by symbol", async () => {
    const { checks } = await read({ asset_class: "equity", direction: "LONG" });
    expect(checks.rows).toEqual([group("equity", "LONG")]);
    const ofSymbol = await read({ symbol: "AAPL" });
    expect(ofSymbol.checks).toMatchObject({
      orders: 0,
      rows: [],
      reason: "Checked orders are not counted by symbol",
    });
  });
});

toolContract(getTrackRecord, { ports });
