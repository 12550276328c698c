import { describe, expect, it } from "vitest";
import { escapeRegExp } from "../../src/lib/escape-regexp.ts";

describe("escapeRegExp", () => {
  it("escapes special characters only", () => {
    expect(escapeRegExp("BRK.B (A&B) a/b-c")).toBe("BRK\\.B \\(A&B\\) a/b-c");
  });

  it.each(["", "u", "v"])("makes a pattern match the text itself with the flags `%s`", (flags) => {
    const text = ".*+?^$()[]{}|\\/ a1";
    expect(new RegExp(`^${escapeRegExp(text)}$`, flags).test(text)).toBe(true);
    expect(new RegExp(`^${escapeRegExp("a.b")}$`, flags).test("axb")).toBe(false);
  });
});
