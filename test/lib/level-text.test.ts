import { describe, expect, it } from "vitest";
import { readLevel } from "../../src/lib/level-text.ts";

describe("a distance", () => {
  it.each([
    ["5%", "5%"],
    ["+5 %", "+5%"],
    ["\u22123%", "-3%"],
    ["- 3.50 percent", "-3.5%"],
    ["5% below", "-5%"],
    ["5 pct above", "+5%"],
    ["2 ATR", "2 ATR"],
    ["-2x ATR(14)", "-2 ATR"],
    ["1.5 atrs below", "-1.5 ATR"],
  ])("%s is read as %s", (text, level) => {
    expect(readLevel(text)).toBe(level);
  });

  it.each(["190.5", "$190", "+5% below", "2 ATR(20)", "five percent", "5", "%", ""])("is not %s", (text) => {
    expect(readLevel(text)).toBeNull();
  });
});
