import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainText } from "../../src/lib/plain-text.ts";

describe("plainText", () => {
  it("turns control, bidi, zero-width and line characters into a space", () => {
    expect(plainText("a\u001b[2Jb\u202ec\u200bd\r\n\u2028e\u0000", 99)).toBe("a b c d e");
  });

  it.each([
    ["\u001b[31mred\u001b[0m", "red"],
    ["a\u001b[1;38;5;200mb", "a b"],
    ["\u001b]8;;http://evil.example\u0007click\u001b]8;;\u0007", "click"],
    ["\u001b]0;title\u001b\\text", "text"],
    ["a\u009b31mb", "a b"],
    ["a\u001bcb", "a b"],
    ["cut\u001b[38;5", "cut"],
    ["\u009d0;title\u009ctext", "text"],
    ["\u0098secret\u009cleft", "left"],
    ["\u009fsecret\u001b\\left", "left"],
    ["next\u0085line", "next line"],
    ["\u001bP1;2|secret\u001b\\left", "left"],
    ["[31m is no sequence", "[31m is no sequence"],
  ])("leaves nothing of the sequences in %j", (text, plain) => {
    expect(plainText(text, 99)).toBe(plain);
  });

  it("ends what is too long in an ellipsis, between characters", () => {
    expect(plainText("abcdef", 6)).toBe("abcdef");
    expect(plainText("abcdefg", 6)).toBe("abcde…");
    expect(plainText("😀😀😀", 2)).toBe("😀…");
  });

  it("never gives more than the limit, nor anything that steers", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 200 }),
        fc.integer({ min: 1, max: 50 }),
        (text, limit) => {
          const plain = plainText(text, limit);
          expect([...plain].length).toBeLessThanOrEqual(limit);
          expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        },
      ),
    );
  });
});
