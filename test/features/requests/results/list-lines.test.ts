import { describe, expect, it } from "vitest";
import { readerOf } from "../../../../src/features/requests/results/answer-reader.ts";
import { type ListRequest, listOf } from "../../../../src/features/requests/results/list-lines.ts";

const SYMBOLS = ["XOM", "CVX", "COP"];
const row = (symbol: string, bias: string) => ({
  symbol,
  bias,
  grade: "C",
  overallScore: 58.84,
  score: 58.84,
  close: 120,
  source: "fixture",
  as_of: "2026-01-14T21:00:00.000Z",
  actionCard: { rr: 2.284 },
});
const TEXT = ["symbol  bias", ...SYMBOLS.map((symbol) => `${symbol}  row`), "3 of 3"].join("\n");
const list = (
  biases: readonly string[],
  request: Omit<ListRequest, "shown">,
  { total = biases.length, isScreen = true } = {},
) =>
  listOf(
    isScreen,
    readerOf({
      results: biases.map((bias, i) => row(SYMBOLS[i]!, bias)),
      total,
      runs: [{ runAt: "2026-01-15T03:00:00.000Z" }],
    }),
    TEXT,
    { shown: 2, ...request },
  );

describe("the lines of a list", () => {
  it("are the first rows of the tool's own text, with the number that match", () => {
    const { figures, text } = list(["LONG", "LONG", "LONG"], {}, { total: 23 });
    expect(text).toBe(
      "Newest nightly run, of 2026-01-15T03:00Z: 23 match, the first 2.\nsymbol  bias\nXOM  row\nCVX  row",
    );
    expect(figures).toMatchObject({
      total: 23,
      run: "2026-01-15T03:00Z",
      lines: [{ symbol: "XOM", score: 58.8, rr: 2.28 }, { symbol: "CVX" }],
    });
  });

  it.each<[readonly string[], "LONG" | "SHORT", string | null]>([
    [["WAIT", "SHORT"], "LONG", "None of these is LONG."],
    [["LONG", "SHORT"], "LONG", "Only XOM of these is LONG."],
    [["SHORT", "WAIT"], "SHORT", "Only XOM of these is SHORT."],
    [["LONG", "LONG"], "LONG", null],
    [[], "LONG", null],
  ])("state which have the wanted direction: %j, %s", (biases, wants, sentence) => {
    const { text } = list(biases, { wants });
    if (sentence === null) expect(text).not.toContain("of these");
    else expect(text).toContain(sentence);
  });

  it("leave out excluded symbols, also from the total", () => {
    const { figures, text } = list(["LONG", "LONG", "WAIT"], { without: ["CVX"] }, { total: 23 });
    expect(figures).toMatchObject({ total: 22, lines: [{ symbol: "XOM" }, { symbol: "COP" }] });
    expect(text).not.toContain("CVX");
  });

  it("of a scan are filtered here and may start with the weakest", () => {
    const { figures, text } = list(
      ["LONG", "SHORT", "LONG"],
      { filters: { bias: "LONG", sort: "score_asc" } },
      { isScreen: false },
    );
    expect(figures).toMatchObject({ total: 2, run: null, lines: [{ symbol: "COP" }, { symbol: "XOM" }] });
    expect(text).toMatch(/^No nightly run has finished yet; .*\nsymbol {2}bias\nCOP {2}row\nXOM {2}row$/);
    expect(list(["LONG"], { filters: { bias: "SHORT" } }, { isScreen: false }).text).toContain(
      "Nothing in the list matches.",
    );
  });
});
