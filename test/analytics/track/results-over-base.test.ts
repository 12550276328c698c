import { describe, expect, it } from "vitest";
import type { ROverBase, TrackRow } from "../../../src/domain/track-record/track.ts";
import { kellyText, leaningText, overBaseTable, overBaseVerdict } from "../../bench/track/over-base.ts";
import { rOverBase, trackRow } from "../../support/track.ts";

const rowsOf = (long: readonly [number, number], short: readonly [number, number]): readonly ROverBase[] => [
  rOverBase({ interval: { low: long[0], high: long[1] } }),
  rOverBase({ direction: "SHORT", interval: { low: short[0], high: short[1] } }),
];
const above = rowsOf([0.01, 0.2], [0.02, 0.3]);
const heldOut = (rows: readonly ROverBase[], count = 20) => ({
  rows,
  symbols: Array.from({ length: count }, (_, i) => `S${i}`),
  from: "2010-01-04",
  until: "2020-12-31",
});

describe("the statement that the scale leans the right way", () => {
  it("requires both directions above their base in the own files and in at least 20 held-out stocks", () => {
    expect(leaningText({ own: above, heldOut: heldOut(above) })).toBe(
      "The scale leans the right way, in these files and in 20 held-out stocks.",
    );
    for (const missing of [null, heldOut(above, 19), heldOut(rowsOf([-0.01, 0.2], [0.02, 0.3]))])
      expect(leaningText({ own: above, heldOut: missing })).toBeNull();
    expect(leaningText({ own: rowsOf([0.1, 0.2], [-0.1, 0.1]), heldOut: heldOut(above) })).toBeNull();
  });
});

describe("trades against their base", () => {
  it("are above, below or not apart from it by more than the error", () => {
    expect(overBaseVerdict(rowsOf([0.01, 0.2], [-0.3, -0.1]))).toBe(
      "LONG is above its base, SHORT is below its base",
    );
    expect(overBaseVerdict(rowsOf([-0.1, 0.2], [-0.1, 0.1]))).toMatch(
      /^LONG does not differ from its base by more than the error, SHORT does not differ/,
    );
  });

  it("are shown beside those of held-out stocks", () => {
    const lines = overBaseTable({ own: above, heldOut: heldOut([rOverBase({ n: 12 })]) }).split("\n");
    expect(lines[2]!.split("|").map((cell) => cell.trim())).toEqual([
      ...["", "LONG all", "2,390", "+0.12", "+0.20", "-0.08", "+0.01 to +0.20"],
      ...["12", "+0.12", "+0.20", "-0.08", "-0.13 to -0.03", ""],
    ]);
    expect(lines[3]).toMatch(/-0\.08 .*\| +- \| +- \|/);
  });
});

describe("the Kelly fractions of a record", () => {
  it("are counted by group, naming those above 0", () => {
    const trades = (over: Partial<TrackRow["trades"]>) => ({ ...trackRow().trades, ...over });
    // of 2,000 trades counted as 100 the lower bound of .6 is .502, and .502 - .498 / 1.5 = .170
    const rows = [
      trackRow({ trades: trades({ n: 2_000, win_rate: 0.6, mean_win_r: 1.5, mean_loss_r: -1 }) }),
      trackRow({ grade: "B", trades: trades({ n: 20, win_rate: 0.6, mean_win_r: 1.5, mean_loss_r: -1 }) }),
      trackRow({ horizon: 60 }),
    ];
    expect(kellyText(rows)).toMatch(/^Kelly .*: 1 of 2 groups .*; above 0: equity LONG A \(0\.170\)/);
  });
});
