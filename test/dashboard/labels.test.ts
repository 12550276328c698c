import { describe, expect, it } from "vitest";
import { LABEL_HEIGHT, type LabelWish, placeLabels } from "../../src/dashboard/charts/labels.ts";

const AREA = { width: 400, height: 300 };
const wish = (x: number, y: number, side: "above" | "below" = "above"): LabelWish => ({
  x,
  y,
  side,
  width: 40,
});

describe("the labels of a chart", () => {
  it("stand beside their points", () => {
    expect(placeLabels([wish(100, 100), wish(200, 100, "below")], AREA)).toEqual([
      { left: 80, top: 77, width: 40, height: LABEL_HEIGHT },
      { left: 180, top: 108, width: 40, height: LABEL_HEIGHT },
    ]);
  });

  it("never overlap, however near their points are", () => {
    const wishes = Array.from({ length: 24 }, (_, n) =>
      wish(150 + n * 5, 120 + (n % 3) * 4, n % 2 ? "above" : "below"),
    );
    const boxes = placeLabels(wishes, AREA).filter((box) => box !== null);
    expect(boxes.length).toBeGreaterThan(15);
    const pairs = boxes.flatMap((a, n) => boxes.slice(n + 1).map((b) => [a, b] as const));
    expect(
      pairs.filter(
        ([a, b]) =>
          a.left < b.left + b.width &&
          b.left < a.left + a.width &&
          a.top < b.top + b.height &&
          b.top < a.top + a.height,
      ),
    ).toEqual([]);
  });

  it("stay inside the chart: at its upper edge on the other side of the point", () => {
    expect(placeLabels([wish(395, 5)], AREA)).toEqual([
      { left: 358, top: 13, width: 40, height: LABEL_HEIGHT },
    ]);
  });

  it("are left out without a free place", () => {
    expect(placeLabels([wish(20, 10), wish(20, 10)], { width: 60, height: 20 })).toEqual([null, null]);
  });
});
