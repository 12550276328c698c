import { describe, expect, it } from "vitest";
import { planFields, pricesOf, tagColumn, tagsFor, tagsOf, tagsWidth } from "../../src/charts/plan.ts";
import { priceScale } from "../../src/charts/scale.ts";

const plan = {
  side: "LONG",
  basis: "signal",
  entry: { low: 99, high: 101 },
  stop: 90,
  targets: [110, 120],
} as const;
// 90 to 120 with padding of 1.2 at each end: 32.4 dollars on 324 pixels, 10 pixels per dollar
const scale = priceScale(pricesOf(plan), { top: 0, bottom: 324 });

describe("the price tags of a trade plan", () => {
  const place = { from: 0, x: 10, width: 100, top: 0, bottom: 324 };

  it("label each price with its distance from the close", () => {
    expect(tagsOf(100, plan).map(({ lines }) => lines.join("; "))).toEqual([
      "Close 100.00",
      "Entry zone; 99.00 - 101.00",
      "Stop 90.00 (-10.0%)",
      "T1 110.00 (+10.0%)",
      "T2 120.00 (+20.0%)",
    ]);
    expect(tagsOf(100, null)).toHaveLength(1);
  });

  it("are as wide as the widest line", () => {
    // 19 characters of 7.2246 pixels, and padding of 7 on each side
    expect(tagsWidth(tagsOf(100, plan))).toBe(Math.ceil(19 * 12 * (1233 / 2048)) + 14);
  });

  it("never overlap, even at the same price", () => {
    const close = { ...plan, stop: 100, targets: [100, 100, 100] };
    const drawn = tagColumn(tagsOf(100, close), scale, place, false);
    const boxes = [...drawn.matchAll(/<rect x="10" y="([\d.]+)" width="100" height="([\d.]+)"/g)]
      .map(([, y, height]) => [Number(y), Number(y) + Number(height)] as const)
      .sort((a, b) => a[0] - b[0]);
    expect(boxes).toHaveLength(6);
    for (let i = 1; i < boxes.length; i++) expect(boxes[i]![0]).toBeGreaterThanOrEqual(boxes[i - 1]![1]);
  });

  it("have one line each if they are too tall together, and shrink in height if that is not enough", () => {
    // heights with gaps: 24 for the close, 39 for the entry zone, 24 for the stop and each target
    const tags = tagsOf(100, plan);
    expect(tagsFor(tags, 135)).toBe(tags);
    const short = tagsFor(tags, 134);
    expect(short.map(({ lines }) => lines.length)).toEqual([1, 1, 1, 1, 1]);
    expect(short[1]!.lines).toEqual(["Entry zone 99.00 - 101.00"]);
    // 5 tags of 24 on 90 pixels: 18 each, of which 2.25 are the gap
    const drawn = tagColumn(short, scale, { ...place, bottom: 90 }, false);
    const boxes = [...drawn.matchAll(/<rect x="10" y="([\d.]+)" width="100" height="([\d.]+)"/g)];
    expect(boxes.map(([, y, height]) => [Number(y), Number(height)]).sort((a, b) => a[0]! - b[0]!)).toEqual(
      [0, 1, 2, 3, 4].map((i) => [1.13 + 18 * i, 15.75].map((value) => Math.round(value * 100) / 100)),
    );
  });

  it("have their line at the edge of the scale for a price beyond it", () => {
    // the scale ends at 121.2, at y 0; the tag is 21 high and has a gap of 3
    const far = [{ price: 1_000, lines: ["far"], colour: "#1858b8" }];
    expect(tagColumn(far, scale, place, false)).toContain('<path d="M0 0L10 12"');
  });

  it("are outlined for levels that are only watched, except the close", () => {
    const papers = (hollow: boolean) =>
      tagColumn(tagsOf(100, plan), scale, place, hollow).match(/<rect [^>]*fill="#ffffff"/g)?.length ?? 0;
    expect([papers(false), papers(true)]).toEqual([0, 4]);
  });
});

describe("the risk and reward areas of a trade plan", () => {
  const place = { left: 0, now: 80, right: 100 };

  it("reach from the worse edge of the entry zone to the stop and to the last target", () => {
    const drawn = planFields(plan, scale, place);
    // 121.2 is at the top: 101 at y 202, 90 at y 312, 120 at y 12
    expect(drawn).toContain('<rect x="80" y="202" width="20" height="110" fill="#b71c2c" opacity="0.13"/>');
    expect(drawn).toContain('<rect x="80" y="12" width="20" height="190" fill="#00796b" opacity="0.13"/>');
    expect(drawn).toContain('<rect x="80" y="202" width="20" height="20" fill="#1858b8"');
  });

  it("are mirrored for a short plan", () => {
    const sale = { ...plan, side: "SHORT", stop: 110, targets: [90] } as const;
    const drawn = planFields(sale, scale, place);
    // from 99 at y 222: up to 110 at y 112, down to 90 at y 312
    expect(drawn).toContain('<rect x="80" y="112" width="20" height="110" fill="#b71c2c"');
    expect(drawn).toContain('<rect x="80" y="222" width="20" height="90" fill="#00796b"');
  });
});
