import { describe, expect, it } from "vitest";
import type { OddsRecord } from "../../src/domain/odds/odds-record.ts";
import type { PublishedRecord } from "../../src/domain/track-record/track.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { getTrackRecord } from "../../tools/get-track-record.ts";
import { pro } from "../support/context.ts";
import { smallMarket } from "../support/market.ts";
import { invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";
import { oddsRow, published, rOverBase, trackRow } from "../support/track.ts";

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
const portsOf = (record: PublishedRecord | null, odds: OddsRecord | null = null) => ({
  ...smallMarket().ports,
  trackRecord: { published: async () => record, odds: async () => odds },
});
const ports = portsOf(recordOf());
const ask = (input: unknown, record: PublishedRecord | null = recordOf()) =>
  invoke(getTrackRecord, input, { ports: portsOf(record), principal: pro, transport: "test" });
const named = (answer: Awaited<ReturnType<typeof ask>>) =>
  answer.rows.map(({ asset_class, grade, direction, horizon }) => [asset_class, grade, direction, horizon]);

describe("get_track_record", () => {
  it("returns the record as it was computed, with its period and model", async () => {
    expect(await ask({})).toEqual({
      ok: true,
      rows,
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
      },
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
    expect(few).toEqual([rows[0], rows[2], rows[3]]);
    expect(notes).toContain("detail=full adds all groups, WAIT, and the outcomes after 5 and 60 bars.");
    expect((await ask({ detail: "concise", horizon: 60 })).rows).toEqual([rows[1]]);
    expect((await ask({ detail: "concise", direction: "WAIT" })).rows).toEqual([wait]);
    expect(await ask({ detail: "full" })).toEqual(await ask({}));
  });

  it("contains the ten groups with the most effective outcomes in a concise answer, and says so", async () => {
    const groups = Array.from({ length: 12 }, (_, i) => trackRow({ n: 100 * (i + 1), n_eff: 5 * (i + 1) }));
    const { rows: most, notes } = await ask({ detail: "concise" }, recordOf(groups));
    expect(most).toEqual(groups.slice(2));
    expect(notes).toContain("2 groups with fewer outcomes are left out.");
    expect((await ask({ detail: "full" }, recordOf(groups))).rows).toEqual(groups);
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
    expect(lines[1]).toBe(
      "A      LONG   equity  20    2400    120.0    61.0%   52.0% - 69.0%     56.0%   1.23%    1.75    -0.97   0.241   0.012",
    );
    expect(lines[5]).toMatch(/^C +WAIT +equity +20 +2400 +120\.0 +- +- +- +- +- +- +- +-$/);
    expect(lines.slice(6, 10)).toEqual([
      "grade  side   class   trades  R       base R  over base  95% interval",
      "all    LONG   all     2390    0.12    0.20    -0.08      -0.13 to -0.03",
      "A      LONG   all     900     0.12    0.20    0.03       -0.40 to 0.46",
      "all    SHORT  crypto  30      0.12    0.20    -0.08      -",
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
    expect((await call({})).odds).toEqual({ ...odds, reason: null });
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
      "The 80% range held the close 20 bars later in 70.0% of 400 forecasts.",
    );
    const lines = await textOf({});
    const at = lines.findIndex((line) => line.startsWith("odds of"));
    expect(lines.slice(at, at + 2)).toEqual([
      "odds of        class   bars     n       n_eff    in 50%  in 80%  in 90%  CRPS skill  touch skill  off by  method",
      "all            all     20       1000    50.0     51.0%   80.0%   90.0%   2.1%        5.0%         1.1%    odds-1.0.0",
    ]);
    expect(lines[at + 7]).toMatch(/^all +all +20 x 4h +90 /);
  });

  it("have a reason before the first outcome", async () => {
    const answer = await call({}, null);
    expect(answer.odds.reason).toContain("No stored odds have an outcome yet");
    expect(getTrackRecord.terminal!(answer, (_, text) => text)).toContain(answer.odds.reason!);
  });
});

toolContract(getTrackRecord, { ports });
