import { describe, expect, it } from "vitest";
import { displayText } from "../../../src/providers/shared/display-text.ts";

describe("a text for display", () => {
  it.each([
    ["AT&amp;T beats &#39;Street&#39; view", "AT&T beats 'Street' view"],
    ["AT&amp;amp;T", "AT&T"],
    ["Dow&nbsp;up&mdash;it&rsquo;s 3&frac12;&nbsp;years", "Dow up—it’s 3½ years"],
    ["&#x201C;Buy&#x201D; &euro;5", "“Buy” €5"],
    ["R&D; P&L; &unknown; & &", "R&D; P&L; &unknown; & &"],
    ["  two\n lines ", "two lines"],
  ])("has its entities decoded: %j", (text, expected) => {
    expect(displayText(text, 100)).toBe(expected);
  });

  it("has no control or bidi character, also not one written as an entity", () => {
    expect(displayText("a&#x202e;b&#27;[31mc&amp;#8203;d", 100)).toBe("a b c d");
  });

  it("is as long as allowed", () => {
    expect(displayText("&amp;".repeat(50), 10)).toBe("&".repeat(8));
    expect(displayText("x".repeat(50), 10)).toBe(`${"x".repeat(9)}…`);
  });
});
