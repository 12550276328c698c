import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { consensus, MODEL_VERSION } from "../../../src/analytics/score/consensus.ts";
import { GRADES, gradeOf, type Grade as Letter } from "../../../src/analytics/score/grade.ts";
import { gradeAt, gradeRank } from "../../../src/analytics/score/tape-columns.ts";
import { Grade } from "../../../src/domain/signal/signal.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

const JUST = 1e-12;

describe("gradeOf", () => {
  it.each([
    { cut: 0.7, at: "A+", below: "A" },
    { cut: 0.65, at: "A", below: "A-" },
    { cut: 0.55, at: "A-", below: "B+" },
    { cut: 0.45, at: "B+", below: "B" },
    { cut: 0.35, at: "B", below: "B-" },
    { cut: 0.25, at: "B-", below: "C+" },
    { cut: 0.1, at: "C+", below: "C" },
  ])("gives $at from $cut on, $below just under", ({ cut, at, below }) => {
    expect([gradeOf(cut), gradeOf(cut - JUST)]).toEqual([at, below]);
  });

  it.each([
    { cut: -0.1, above: "C", at: "C-" },
    { cut: -0.25, above: "C-", at: "D+" },
    { cut: -0.5, above: "D+", at: "D" },
    { cut: -0.6, above: "D", at: "D-" },
    { cut: -0.7, above: "D-", at: "F" },
  ])("gives $above only above $cut, $at at it", ({ cut, above, at }) => {
    expect([gradeOf(cut + JUST), gradeOf(cut)]).toEqual([above, at]);
  });

  it("runs from A+ to F without skipping a grade", () => {
    const seen = new Set(Array.from({ length: 201 }, (_, i) => gradeOf(1 - i / 100)));
    expect([...seen]).toEqual([...GRADES]);
  });
});

it("matches the grades of the output schema", () => {
  expect(Grade.options).toEqual([...GRADES]);
});

describe("grade ranks", () => {
  it("increase from 1 for F to 13 for A+, with 0 for no grade", () => {
    expect([null, "F", "D-", "C", "B+", "A+"].map((grade) => gradeRank(grade as Letter | null))).toEqual([
      0, 1, 2, 6, 10, 13,
    ]);
    expect(GRADES).toEqual(Grade.options);
  });

  it("convert back to the grade", () => {
    for (const grade of [null, ...GRADES]) expect(gradeAt(gradeRank(grade))).toBe(grade);
  });
});

/** Rounds to nine digits, because engines differ in the last bits of a logarithm. */
const figure = (_: string, value: unknown): unknown =>
  typeof value === "number" ? Number(value.toPrecision(9)) : value;

it("matches the stored figures of the model version: changed formulas need a new version", () => {
  const figures = [1, 2, 3, 4, 5, 6].map((seed) => {
    const bars = syntheticBars(seed, 100 * seed);
    const peers = [7, 8, 9].map((other) => syntheticBars(other, 600));
    const { model_version: _, ...whole } = consensus({
      bars,
      assetClass: seed % 2 === 0 ? "equity" : "crypto",
      benchmark: syntheticBars(10, 600),
      isBenchmark: false,
      peers,
      universe: { returns: Array.from({ length: 30 }, (_, i) => i / 30), own: seed / 7, hash: "pinned" },
    });
    return whole;
  });
  const hash = createHash("sha256").update(JSON.stringify(figures, figure)).digest("hex").slice(0, 16);
  expect({ version: MODEL_VERSION, hash }).toMatchInlineSnapshot(`
    {
      "hash": "3a0e777a445ae6d4",
      "version": "consensus-1.2.0",
    }
  `);
});
