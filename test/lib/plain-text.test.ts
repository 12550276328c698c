import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainText } from "../../src/lib/plain-text.ts";

describe("plainText", () => {
  it("replaces control, bidi, zero-width and line characters by a space", () => {
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

  it("truncates long text with an ellipsis, between characters", () => {
    expect(plainText("abcdef", 6)).toBe("abcdef");
    expect(plainText("abcdefg", 6)).toBe("abcde…");
    expect(plainText("😀😀😀", 2)).toBe("😀…");
  });

  it.each([
    ["Apple\u2800\u3164\u115f\u1160\uffa0beats", "Apple beats"],
    ["\u3000\u00a0\u2800\u3164\u{13441}\u{1d159}\ufffc", ""],
    ["\u180e\u2065\u{e0041}\u{e007f}\ufff9", ""],
    ["A\u034fp\ufe0fp\u{e0100}l\u00ade", "Apple"],
    ["a\u00a0b\u2003c", "a b c"],
    ["name   price", "name   price"],
  ])("leaves nothing that is not seen in %j", (text, plain) => {
    expect(plainText(text, 99)).toBe(plain);
  });

  it.each([
    "Nestlé’s Ünïted — €5 “so”",
    "삼성전자 애플 アップル नमस्ते ก็ שלום مرحبا",
    "e\u0301a\u0308",
    "👍🏽 👩‍👩‍👧 ❤️ ✈️ 🏳️‍🌈 1️⃣ 🇩🇪",
  ])("leaves letters, marks and emoji of %s as they are", (text) => {
    expect(plainText(text, 99)).toBe(text);
  });

  it("truncates an emoji sequence between emoji, without trailing invisible characters", () => {
    expect(plainText("👩‍👩‍👧 all", 4)).toBe("👩‍👩…");
    expect(plainText("👩‍👩‍👧 all", 3)).toBe("👩…");
  });

  it("never exceeds the limit, removes control and invisible characters, and is idempotent", () => {
    const unseen = fc.constantFrom(..."\u200d\ufe0f\u20e3\u2800\u3164\u034f\u00ad1#👩❤🏽 \u00a0x");
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.string({ unit: unseen, maxLength: 60 }),
    );
    const emoji =
      /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)?(?:\u200d(?=\p{Extended_Pictographic}))?|[0-9#*]\ufe0f\u20e3/gu;
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 50 }), (given, limit) => {
        const plain = plainText(given, limit);
        expect([...plain].length).toBeLessThanOrEqual(limit);
        expect(plain.replace(emoji, "")).not.toMatch(
          /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800\u00a0]/u,
        );
        expect(plainText(plain, limit)).toBe(plain);
      }),
      { numRuns: 300 },
    );
  });
});
