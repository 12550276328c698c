import { describe, expect, it } from "vitest";
import { withinRoom } from "../../../src/features/questions/room.ts";

const result = (skill: string, characters: number) => ({
  symbol: "AAPL",
  skill,
  figures: { score: 50 },
  data: { text: "x".repeat(characters - '{"text":""}'.length) },
  error: null,
});
const kept = (detail: "concise" | "full", ...results: ReturnType<typeof result>[]) => {
  const fitted = withinRoom(results, { detail, first: ["get_news"] });
  return { data: fitted.results.map(({ data }) => data !== null), notes: fitted.notes };
};

describe("the room for whole answers", () => {
  it("is given to what was asked for first, then to the signals in order", () => {
    expect(kept("concise", result("get_signal", 2_000), result("get_news", 2_000))).toEqual({
      data: [false, true],
      notes: ["Left out for their length: whole answers of get_signal"],
    });
    expect(kept("concise", result("get_signal", 1_600), result("get_news", 2_000)).data).toEqual([
      true,
      true,
    ]);
  });

  it("is none beside many concise results, and bounded for full ones", () => {
    const many = Array.from({ length: 4 }, () => result("get_signal", 100));
    expect(kept("concise", ...many).data).toEqual([false, false, false, false]);
    const large = Array.from({ length: 4 }, () => result("get_signal", 10_000));
    expect(kept("full", ...large).data).toEqual([true, true, true, false]);
  });

  it("leaves figures and failures as they are", () => {
    const failed = {
      symbol: "X",
      skill: "get_signal",
      figures: null,
      data: null,
      error: { code: "NO_PRICE", message: "No", hint: null },
    };
    const { results, notes } = withinRoom([failed], { detail: "concise", first: [] });
    expect({ results, notes }).toEqual({ results: [failed], notes: [] });
  });
});
