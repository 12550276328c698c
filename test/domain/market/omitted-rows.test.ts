import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  describeOmittedRows,
  mergeOmittedRows,
  OMISSION_REASONS,
  type OmittedRow,
} from "../../../src/domain/market/omitted-rows.ts";

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);

describe("rows left out", () => {
  it("have one entry for each time and reason", () => {
    const rows: readonly OmittedRow[] = [
      { time: START, reason: "invalid" },
      { time: START, reason: "repeated" },
      { time: START, reason: "invalid" },
      { time: START + DAY, reason: "invalid" },
    ];
    const merged = mergeOmittedRows(rows);
    expect(merged).toEqual([
      { time: START, reason: "invalid", count: 2 },
      { time: START, reason: "repeated" },
      { time: START + DAY, reason: "invalid" },
    ]);
    expect(describeOmittedRows(merged, "1d")).toBe(describeOmittedRows(rows, "1d"));
    expect(describeOmittedRows(merged, "1d")).toBe(
      "4 rows of bars were left out: 3 without a valid price (first 2024-01-01), 1 with a repeated or out-of-order time (2024-01-01).",
    );
  });

  it("are described alike when millions of them share a few entries", () => {
    const rows = Array.from(
      { length: 300_000 },
      (_, i): OmittedRow => ({ time: START + i * 60_000, reason: OMISSION_REASONS[i % 3]! }),
    );
    const merged = mergeOmittedRows(rows);
    expect(merged.length).toBeLessThanOrEqual(4_000);
    expect(describeOmittedRows(merged, "1m")).toBe(describeOmittedRows(rows, "1m"));
  });

  it("are described alike after every merge", () => {
    const row = fc.record({
      time: fc.integer({ min: 0, max: 3 }).map((days) => START + days * DAY),
      reason: fc.constantFrom(...OMISSION_REASONS),
    });
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        expect(describeOmittedRows(mergeOmittedRows(rows), "1d")).toBe(describeOmittedRows(rows, "1d"));
      }),
    );
  });
});
