import { expect, it } from "vitest";
import { interpretedLines } from "../../../src/features/questions/lines.ts";
import { withinRoom } from "../../../src/features/questions/room.ts";

const result = (skill: string) => ({
  symbol: "XYZ",
  skill,
  figures: {},
  error: null,
  data: { words: "x".repeat(4_000) },
});

it("shows a person the notes, but not which whole answers there was no room for", () => {
  const { notes } = withinRoom([result("get_news")], { detail: "concise", first: [] });
  expect(notes).toHaveLength(1);
  const shown = interpretedLines(
    { answer: "XYZ is WAIT.", notes: ["Bars are old", ...notes], results: [] },
    (_, text) => text,
  );
  expect(shown).toBe("XYZ is WAIT.\nBars are old");
});
