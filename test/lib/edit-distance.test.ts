import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editDistance } from "../../src/lib/edit-distance.ts";

describe("editDistance", () => {
  test.each([
    ["aapl", "aapl", 0],
    ["aapl", "appl", 1],
    ["tlsa", "tsla", 1],
    ["gogle", "google", 1],
    ["nvidiaa", "nvidia", 1],
    ["", "abc", 3],
    ["kitten", "sitting", 3],
    // No position may be edited twice, so the swap "ca" -> "ac" cannot be split by a later "b".
    ["ca", "abc", 3],
  ])("turns %o into %o in %i steps", (a, b, steps) => {
    expect(editDistance(a, b, 9)).toBe(steps);
  });

  test("returns max + 1 for any larger distance", () => {
    expect(editDistance("kitten", "sitting", 2)).toBe(3);
    expect(editDistance("kitten", "sitting", 1)).toBe(2);
    expect(editDistance("a", "abcdefgh", 2)).toBe(3);
  });

  test("is symmetric, and a limit affects only larger distances", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
    fc.assert(
      fc.property(word, word, fc.nat(5), (a, b, max) => {
        const whole = editDistance(a, b, 16);
        expect(editDistance(b, a, 16)).toBe(whole);
        expect(editDistance(a, b, max)).toBe(Math.min(whole, max + 1));
      }),
    );
  });
});
