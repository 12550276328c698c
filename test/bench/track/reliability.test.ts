import { describe, expect, it } from "vitest";
import { type ReliabilityChart, reliabilityLayout, reliabilitySvg } from "./reliability.ts";

const shareOf = (share: number, n = 100) => ({
  n,
  share,
  isThin: false,
  interval: { low: share - 0.1, high: share + 0.1 },
});
const picture: ReliabilityChart = {
  title: "A record",
  summary: "No skill",
  facts: ["consensus-0", "10 signals"],
  groupsTitle: "By grade",
  groups: [
    { ...shareOf(0.6), name: "A", base: 0.5 },
    { ...shareOf(0.4, 25), name: "F & G", base: 0.5, isThin: true },
  ],
  base: 0.5,
  binsTitle: "By forecast",
  bins: [
    { ...shareOf(0.5), forecast: 0.25 },
    { ...shareOf(0.75), forecast: 0.75 },
  ],
  forecastBase: 0.5,
  notes: ["No promise"],
};

describe("the track record chart", () => {
  it("maps forecasts and outcomes to a square from 0 to 1, 396 pixels in each direction", () => {
    const { bins, across, up, forecastBase } = reliabilityLayout(picture);
    expect([across(0), across(1), up(0), up(1)]).toEqual([774, 1170, 548, 152]);
    const rounded = bins.map(({ x, y, top, bottom }) => [x, y, top, bottom].map((each) => each.toFixed(1)));
    expect(rounded).toEqual([
      ["873.0", "350.0", "310.4", "389.6"],
      ["1071.0", "251.0", "211.4", "290.6"],
    ]);
    expect(forecastBase).toBe(350);
  });

  it("places calibrated bins on the diagonal, higher outcomes above and lower ones below it", () => {
    const bins = [0.6, 0.5, 0.4].map((happened) => ({ ...shareOf(happened), forecast: 0.5 }));
    // The diagonal runs from (774, 548) to (1170, 152): y is 1322 - x on it.
    const heights = reliabilityLayout({ ...picture, bins }).bins.map(
      ({ x, y }) => Math.round((1322 - x - y) * 100) / 100,
    );
    expect(heights).toEqual([39.6, 0, -39.6]);
  });

  it("gives each group a separate column with its share, interval and base on one scale", () => {
    const { groups, base, scale } = reliabilityLayout(picture);
    // Two columns between 74 and 668.
    expect(groups.map(({ x }) => x)).toEqual([222.5, 519.5]);
    // Shares from 30 % to 70 % cover 396 pixels with a margin of 4 % of the range at either end.
    expect([scale.low, scale.high].map((share) => share.toFixed(3))).toEqual(["0.284", "0.716"]);
    const unit = 396 / 0.432;
    expect(base).toBeCloseTo(350, 9);
    expect(groups.map((one) => one.base)).toEqual([base, base]);
    expect(groups[0]!.y).toBeCloseTo(350 - 0.1 * unit, 9);
    expect(groups[0]!.top).toBeCloseTo(350 - 0.2 * unit, 9);
    expect(groups[0]!.bottom).toBeCloseTo(350, 9);
    expect(groups[1]!.y).toBeCloseTo(350 + 0.1 * unit, 9);
  });

  it("draws points and whiskers there, sized by weight and pale if there are few outcomes", () => {
    const svg = reliabilitySvg(picture);
    // The largest point is 15 pixels; a quarter of its weight gives 6 + 9 / 2.
    expect(svg).toContain('<rect x="865.5" y="342.5" width="15" height="15"');
    expect(svg).toContain('d="M873 310.4L873 389.6M869 310.4L877 310.4M869 389.6L877 389.6"');
    expect(svg).toMatch(/<rect x="514.25" [^>]*width="10.5" [^>]*opacity="0.4"/);
    expect(svg.match(/opacity="0.4"/g)).toHaveLength(2);
    // The diagonal, and the base line across the square.
    expect(svg).toContain('d="M774 548L1170 152"');
    expect(svg).toContain('d="M774 350L1170 350"');
  });

  it("shows its title, verdict, source and labels, escaped", () => {
    const svg = reliabilitySvg(picture);
    for (const text of ["A record", "No skill", "consensus-0  |  10 signals", "F &amp; G", "No promise"])
      expect(svg).toContain(`>${text}</text>`);
    expect(svg).toContain(">every close 50.0%</text>");
  });
});
