import { describe, expect, it } from "vitest";
import { notesTold } from "../../../src/features/questions/notes.ts";

const of = (symbol: string | null, ...notes: string[]) => ({
  result: { symbol, skill: "get_x", figures: {}, data: {}, error: null },
  notes,
});

describe("the notes of the skills asked", () => {
  it("stand once, with whose they are where not all say them", () => {
    expect(notesTold([of("A", "old"), of("B", "old", "hole"), of(null, "old")], "full")).toEqual([
      "old",
      "B: hole",
    ]);
    expect(notesTold([of("A", "old"), of("A", "late")], "full")).toEqual(["old", "late"]);
    expect(notesTold(["A", "B", "C", "D"].map((one) => of(one, "old")).concat(of("E")), "full")).toEqual([
      "A, B, C and 1 more: old",
    ]);
  });

  it("are few in a concise answer, which says how many more there are", () => {
    const notes = [..."abcdefgh"];
    expect(notesTold([of("A", ...notes)], "concise")).toEqual([
      ..."abcdef",
      "2 more notes of this kind; name fewer symbols to read them",
    ]);
    expect(notesTold([of("A", ...notes)], "full")).toEqual(notes);
  });
});
