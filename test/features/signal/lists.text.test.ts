import { describe, expect, it } from "vitest";
import type { ScanRow } from "../../../src/domain/nightly/scan.ts";
import { formatScan } from "../../../src/features/signal/lists.text.ts";

const odds = (stop_first: number, target_first: number, neither: number): ScanRow["odds"] => ({
  version: "odds-1.0.0",
  bars: 20,
  from: 100,
  stop_first,
  target_first,
  neither,
  expected_r: { mean: 0.051, at_neither: 0.3 },
  base: { stop_first: 0.3, target_first: 0.3, neither: 0.4, windows: 500, n_eff: 25, mean_r: -0.02 },
});
const row = (symbol: string, of: ScanRow["odds"]): ScanRow => ({
  symbol,
  name: symbol,
  asset_class: "equity",
  tier: "HOT",
  bias: "LONG",
  score: 80,
  grade: "A",
  entry: 100,
  stop: 95,
  target: 110,
  rr: 2,
  levels_basis: "signal",
  conflicts: [],
  entry_state: "inside",
  rr_now: null,
  side: "LONG",
  odds: of,
  close: 100,
  change: null,
  change_percent: null,
  volume: null,
  volume_ratio: null,
  moves_reason: "The bar has no volume",
  as_of: "2026-01-14T21:00:00.000Z",
  phase: "Markup",
  highlights: [],
  source: "fixture",
  venue: "XTST",
});
const linesOf = (results: readonly ScanRow[], columns?: number) =>
  formatScan(
    { results, errors: [], notes: [], scanned: results.length },
    Object.assign(
      (_: string, text: string) => text,
      columns !== undefined && { columns, allColumns: "--wide" },
    ),
  ).split("\n");

describe("the odds of a list", () => {
  it("are a column of cases of 100 with a line that explains it, in the given order", () => {
    const lines = linesOf([
      row("LOW", odds(0.5, 0.1, 0.4)),
      row("HIGH", odds(0.28, 0.31, 0.41)),
      row("FAR", odds(0, 0.004, 1)),
      row("NEW", null),
    ]);
    expect(lines[0]).toMatch(/ rr +odds +exp\. R +structure$/);
    expect(lines.slice(1, 5).map((line) => line.split(/ +/).toSpliced(1, 9))).toEqual([
      ["LOW", "50/10/40", "+0.05/-0.02", "Markup"],
      ["HIGH", "28/31/41", "+0.05/-0.02", "Markup"],
      ["FAR", "<1/<1/>99", "+0.05/-0.02", "Markup"],
      ["NEW", "none", "-", "Markup"],
    ]);
    expect(lines[5]).toBe("odds in 100 cases: stop first / target 1 first / neither within 20 bars");
    expect(Math.max(...lines.slice(0, 5).map((line) => line.length))).toBeLessThanOrEqual(124);
  });

  it("have no line if no row has any", () => {
    expect(linesOf([row("NEW", null)]).filter((line) => line.startsWith("odds"))).toEqual([]);
  });
});

describe("the columns of a list", () => {
  const rows = [
    { ...row("UP", odds(0.5, 0.1, 0.4)), change_percent: 1.234 },
    { ...row("DOWN", odds(0.5, 0.1, 0.4)), change_percent: -0.5 },
    row("NEW", null),
  ];
  const headsOf = (width?: number) => linesOf(rows, width)[0]!.split(/ {2,}/);

  it("have the change in percent with its sign", () => {
    const changes = linesOf(rows).map((line) => line.split(/ {2,}/)[5]);
    expect(changes.slice(0, 4)).toEqual(["change", "+1.23%", "-0.50%", "-"]);
  });

  it("leave out structure, odds and tier before the change, and the change before the reward", () => {
    const always = ["symbol", "bias", "score", "grade", "entry", "stop", "target"];
    expect(headsOf()).toEqual(
      "symbol tier bias score grade change entry stop target rr odds exp._R structure"
        .split(" ")
        .map((head) => head.replace("_", " ")),
    );
    expect(headsOf(80)).toEqual("symbol tier bias score grade change entry stop target rr odds".split(" "));
    expect(headsOf(72)).toEqual("symbol tier bias score grade change entry stop target rr".split(" "));
    expect(headsOf(66)).toEqual("symbol bias score grade change entry stop target rr".split(" "));
    expect(headsOf(57)).toEqual([...always, "rr"]);
    expect(headsOf(20)).toEqual(always);
  });

  it("name the events of the structure below the table, unless it is left out", () => {
    const of = (type: string): ScanRow => ({
      ...row(type, null),
      highlights: [{ type, date: "2026-01-12", price: 100, status: "confirmed" }],
    });
    const named = "UTAD: upthrust after distribution, LPS: last point of support";
    const list = [of("LPS"), of("UTAD"), of("SPRING"), of("LPS")].map((one, i) => ({
      ...one,
      symbol: `S${i}`,
    }));
    expect(linesOf(list)).toContain(named.split(", ").toReversed().join(", "));
    expect(linesOf([of("SPRING")]).join()).not.toContain(": ");
    expect(linesOf(list, 80).join("\n")).not.toContain("upthrust");
  });
});
