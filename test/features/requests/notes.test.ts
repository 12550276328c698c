import { describe, expect, it } from "vitest";
import { answerNotes } from "../../../src/features/requests/notes.ts";

const of = (symbol: string | null, ...notes: string[]) => ({
  result: { symbol, skill: "get_x", figures: {}, data: {}, error: null },
  notes,
});

describe("the notes of answers", () => {
  it("appear once, with their symbols unless every answer has them", () => {
    expect(answerNotes([of("A", "old"), of("B", "old", "hole"), of(null, "old")], "full")).toEqual([
      "old",
      "B: hole",
    ]);
    expect(answerNotes([of("A", "old"), of("A", "late")], "full")).toEqual(["old", "late"]);
    expect(answerNotes(["A", "B", "C", "D"].map((one) => of(one, "old")).concat(of("E")), "full")).toEqual([
      "A, B, C and 1 more: old",
    ]);
  });

  it("are limited in a concise answer, with the number omitted", () => {
    const notes = [..."abcdefgh"];
    expect(answerNotes([of("A", ...notes)], "concise")).toEqual([
      ..."abcdef",
      "2 more notes; name fewer symbols to read them",
    ]);
    expect(answerNotes([of("A", ...notes)], "full")).toEqual(notes);
  });
});
