import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { label, path, px, rect, textWidth, xmlText } from "../../src/charts/svg.ts";

describe("text in an SVG", () => {
  it("is escaped", () => {
    expect(xmlText(`A&B <c> "d" 'e'`)).toBe("A&amp;B &lt;c&gt; &quot;d&quot; &#39;e&#39;");
  });

  it("loses control, bidi and other characters that are invisible or forbidden in XML", () => {
    expect(xmlText("a\u0000b\u202ec\ufffed\ud800e")).toBe("a b c d e");
  });

  it("is truncated before it is escaped", () => {
    expect(xmlText("&&&&", 3)).toBe("&amp;&amp;…");
  });

  it("holds no XML special characters except in entities, for any input", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(xmlText(text).replace(/&(amp|lt|gt|quot|#39);/g, "")).not.toMatch(/[&<>"'\p{Cc}]/u);
      }),
    );
  });

  it("is as wide as in DejaVu Sans Mono: 1233 of 2048 units per em", () => {
    expect(textWidth("1234567890", 20.48)).toBeCloseTo(123.3, 10);
  });
});

describe("SVG elements", () => {
  it("round coordinates to a hundredth and reject non-finite numbers", () => {
    expect([px(1.005), px(2), px(-0.001), px(1e-7)]).toEqual(["1", "2", "0", "0"]);
    expect(() => px(Number.NaN)).toThrow(RangeError);
    expect(() => px(Number.POSITIVE_INFINITY)).toThrow(RangeError);
  });

  it("are serialized with their attributes", () => {
    expect(rect({ x: 1, y: 2, width: 3, height: 4.567 }, { fill: "#fff", round: 3 })).toBe(
      '<rect x="1" y="2" width="3" height="4.57" fill="#fff" rx="3"/>',
    );
    expect(path("M0 0L1 1", { stroke: "#000", width: 1, dash: "2 2", crisp: true })).toBe(
      '<path d="M0 0L1 1" fill="none" stroke="#000" stroke-width="1" stroke-dasharray="2 2" shape-rendering="crispEdges"/>',
    );
    expect(path("", { stroke: "#000" })).toBe("");
    expect(label(1, 2, "a<b", { fill: "#000", bold: true, anchor: "end" })).toBe(
      '<text x="1" y="2" font-size="12" fill="#000" font-weight="bold" text-anchor="end">a&lt;b</text>',
    );
  });
});
