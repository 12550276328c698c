import { describe, expect, it } from "vitest";
import { withinSize } from "../../../../src/features/questions/results/result-size.ts";

const result = (skill: string, characters: number) => ({
  symbol: "AAPL",
  skill,
  figures: { score: 50 },
  data: { text: "x".repeat(characters - '{"text":""}'.length) },
  error: null,
});
const wholeAnswers = (detail: "concise" | "full", ...results: ReturnType<typeof result>[]) => {
  const fitted = withinSize(results, { detail, first: ["get_news"] });
  return { data: fitted.results.map(({ data }) => data !== null), notes: fitted.notes };
};

describe("the size limit of full answers", () => {
  it("is allocated to the named skills first, then to the signals in order", () => {
    expect(wholeAnswers("concise", result("get_signal", 1_600), result("get_news", 1_600))).toEqual({
      data: [false, true],
      notes: ["Omitted because of their length: full answers of get_signal"],
    });
    expect(wholeAnswers("concise", result("get_signal", 1_400), result("get_news", 1_600)).data).toEqual([
      true,
      true,
    ]);
  });

  it("is zero for many concise results and bounded for full ones", () => {
    const many = Array.from({ length: 4 }, () => result("get_signal", 100));
    expect(wholeAnswers("concise", ...many).data).toEqual([false, false, false, false]);
    const large = Array.from({ length: 4 }, () => result("get_signal", 10_000));
    expect(wholeAnswers("full", ...large).data).toEqual([true, true, true, false]);
  });

  it("leaves figures and errors unchanged", () => {
    const failed = {
      symbol: "X",
      skill: "get_signal",
      figures: null,
      data: null,
      error: { code: "NO_PRICE", message: "No", hint: null },
    };
    const { results, notes } = withinSize([failed], { detail: "concise", first: [] });
    expect({ results, notes }).toEqual({ results: [failed], notes: [] });
  });
});
