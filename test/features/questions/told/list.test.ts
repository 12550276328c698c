import { describe, expect, it } from "vitest";
import { toldScreen } from "../../../../src/features/questions/told/list.ts";
import { readerOf } from "../../../../src/features/questions/told/reader.ts";
import type { ListAsked } from "../../../../src/features/questions/told/told.ts";

const line = (symbol: string, bias: string) => ({
  symbol,
  bias,
  grade: "C",
  overallScore: 58.84,
  close: 120,
  source: "fixture",
  as_of: "2026-01-14T21:00:00.000Z",
  actionCard: { rr: 2.284 },
});
const told = (biases: readonly string[], list: Omit<ListAsked, "shown">, total = biases.length) =>
  toldScreen(
    readerOf({
      results: biases.map((bias, i) => line(["XOM", "CVX", "COP"][i]!, bias)),
      total,
      runs: [{ runAt: "2026-01-15T03:00:00.000Z" }],
    }),
    null,
    false,
    undefined,
    { shown: 2, ...list },
  );

describe("a list in a sentence", () => {
  it("says how many lines pass where more do than are told", () => {
    expect(told(["LONG", "LONG"], {}, 23)).toMatchObject({
      figures: { total: 23 },
      sentence: expect.stringMatching(
        /^The newest nightly run, of 2026-01-15T03:00Z, lists 23, the first of them XOM \(LONG, /,
      ),
    });
    expect(told(["LONG", "LONG"], {}).sentence).toMatch(/03:00Z, lists XOM \(LONG, /);
  });

  it("says which lines are what was asked for, where not all are", () => {
    const wants = "LONG" as const;
    expect(told(["WAIT", "SHORT"], { wants }).sentence).toMatch(
      /^None of these is LONG, a buy\. The newest /,
    );
    expect(told(["LONG", "SHORT"], { wants }).sentence).toMatch(/^Only XOM of these is LONG, a buy\. /);
    expect(told(["SHORT", "WAIT"], { wants: "SHORT" }).sentence).toMatch(
      /^Only XOM of these is SHORT, a sell\. /,
    );
    expect(told(["LONG", "LONG", "WAIT"], { wants }).sentence).toMatch(/^The newest /);
    expect(told([], { wants }).sentence).toMatch(/lists nothing that passes what was asked for\.$/);
  });

  it("leaves out what a question leaves aside, and counts it nowhere", () => {
    expect(told(["LONG", "LONG", "WAIT"], { without: ["CVX"] }, 23)).toMatchObject({
      figures: { total: 22, lines: [{ symbol: "XOM" }, { symbol: "COP" }] },
      sentence: expect.not.stringContaining("CVX"),
    });
  });

  it("tells reward-to-risk where a list is in its order", () => {
    const { figures, sentence } = told(["LONG"], { rr: true });
    expect(sentence).toContain("XOM (LONG, grade C, score 58.8, reward-to-risk 2.28) (fixture");
    expect(figures).toMatchObject({ lines: [{ rr: 2.28 }] });
    expect(told(["LONG"], {}).figures).not.toHaveProperty("lines.0.rr");
  });
});
