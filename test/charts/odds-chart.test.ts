import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chartSvg } from "../../src/charts/chart.ts";
import { type OddsPicture, oddsAltText, oddsChartOf } from "../../src/charts/odds-chart.ts";
import { SAMPLE_LABEL } from "../../src/domain/market/market.ts";
import type { OddsAnswer } from "../../src/domain/odds/odds.ts";
import { barsAround } from "../support/synthetic-bars.ts";
import { oddsAnswer, rangeOf } from "./odds-answer.ts";
import { expectWithinPicture, textsIn } from "./svg-content.ts";

/** 300 flat bars with a high of 101 and a low of 99. */
const bars = barsAround(Array<number>(300).fill(100), {
  high: Array<number>(300).fill(101),
  low: Array<number>(300).fill(99),
});
const pictureOf = (odds: OddsAnswer, over: Partial<OddsPicture> = {}): OddsPicture => ({
  instrument: { symbol: "AAPL", name: "Apple" },
  series: { bars, source: "fixture", venue: "XTST", as_of: "2026-01-14T21:00:00.000Z" },
  odds,
  horizon: 20,
  simulated: null,
  ...over,
});
const svgOf = (odds: OddsAnswer, over: Partial<OddsPicture> = {}) =>
  chartSvg(oddsChartOf(pictureOf(odds, over)));

/** Boxes of the labels at the right edge, from top to bottom. */
const tagsIn = (svg: string) =>
  [...svg.matchAll(/<rect x="[\d.]+" y="([\d.]+)" width="\d+" height="([\d.]+)"[^>]* rx="3"/g)]
    .map(([, y, height]) => ({ top: Number(y), bottom: Number(y) + Number(height) }))
    .sort((a, b) => a.top - b.top);

describe("a chart of odds", () => {
  it("shows the last 120 bars, the range ahead, the levels and their odds, without averages", () => {
    const texts = textsIn(svgOf(oddsAnswer()));
    expect(texts).toEqual(
      expect.arrayContaining([
        "AAPL 1d",
        "fixture (XTST)  |  adjustment split  |  120 closed bars, 2020-06-29 to 2020-10-26  |  as of 2026-01-14 21:00 UTC",
        "In 90 of 100 cases its close after 20 bars (1d) lies between 86.00 and 117.00 (base range in the past: 85.00 to 119.00).",
        "Close 100.00",
        "110.00 (+10.0%)",
        "touch 31, base 28",
        "Stop 95.00 (-5.0%)",
        "first 48, base 55",
        "Range of the close over 20 bars, of 100 cases:",
        "After 20 bars, of 100 cases:",
        "20 bars ahead",
      ]),
    );
    expect(texts.filter((text) => text.startsWith("SMA"))).toEqual([]);
  });

  it("draws the cone to scale, and the horizon and the levels up to it", () => {
    const svg = svgOf(oddsAnswer({ plan: null }), { horizon: 5 });
    // the widest label is "↑ 1,000.00 (+900.0%)": 20 letters
    const right = 1200 - 20 - (Math.ceil(20 * 12 * (1233 / 2048)) + 14) - 16;
    const slot = (right - 68) / 140;
    const xOf = (ahead: number) => Math.floor(68 + (119.5 + ahead) * slot) + 0.5;
    // prices from 86 to 117, 4% more at each end, on the pixels from 138 (below two lines) to 520
    const y = (price: number) => Math.round(100 * (520 - ((price - 84.76) * 382) / 33.48)) / 100;
    const [widest] = [...svg.matchAll(/<path d="([^"]*)" fill="#3d4f7c"/g)].map(([, area]) => area);
    expect(widest).toBe(
      `M${xOf(0)} ${y(100)}L${xOf(1)} ${y(103)}L${xOf(5)} ${y(108)}L${xOf(20)} ${y(117)}L${xOf(20)} ${y(86)}L${xOf(5)} ${y(93)}L${xOf(1)} ${y(97)}z`,
    );
    expect(svg).toContain(`<path d="M${xOf(5)} 138L${xOf(5)} 520"`);
    expect(svg).toContain(`<path d="M${Math.round(68 + 120 * slot)} ${y(110)}L${xOf(5)} ${y(110)}"`);
  });

  it("is not flattened by a level far away: only its label shows it", () => {
    const axisOf = (svg: string) =>
      textsIn(svg.replace(/<text(?![^>]*text-anchor="end")[^>]*>[^<]*<\/text>/g, ""));
    const [near, far] = oddsAnswer().levels;
    const [alone, both] = [[near!], [near!, far!]].map((levels) => svgOf(oddsAnswer({ levels, plan: null })));
    expect(axisOf(both!)).toEqual(axisOf(alone!));
    expect(textsIn(both!)).toContain("↑ 1,000.00 (+900.0%)");
  });

  it("has room for 24 levels and a plan: no label overlaps another or leaves the picture", () => {
    const [level] = oddsAnswer().levels;
    const levels = Array.from({ length: 24 }, (_, i) => ({ ...level!, price: 88 + i + (i > 11 ? 1 : 0) }));
    const svg = svgOf(oddsAnswer({ levels }));
    expectWithinPicture(svg);
    const tags = tagsIn(svg);
    expect(tags).toHaveLength(27);
    for (const [i, { bottom }] of tags.slice(0, -1).entries())
      expect(tags[i + 1]!.top).toBeGreaterThanOrEqual(bottom);
    // below three lines, down to the end of the volume
    expect(tags[0]!.top).toBeGreaterThanOrEqual(152);
    expect(tags.at(-1)!.bottom).toBeLessThanOrEqual(632);
    expect(textsIn(svg)).toContain("Stop 95.00 (-5.0%) first 48, base 55");
  });

  it("stays inside the picture with finite numbers for any range and any levels", () => {
    const price = fc.oneof(
      fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
      fc.constantFrom(0.00000123, 1, 100, 700_000),
    );
    const quantiles = fc
      .array(price, { minLength: 7, maxLength: 7 })
      .map((prices) => prices.toSorted((a, b) => a - b));
    const [level] = oddsAnswer().levels;
    fc.assert(
      fc.property(
        quantiles,
        fc.array(price, { maxLength: 24 }),
        price,
        price,
        (sorted, prices, stop, target) => {
          const { ranges, plan } = oddsAnswer();
          const last = { ...rangeOf(20, sorted), base: null };
          const levels = prices.map((each) => ({ ...level!, price: each }));
          expectWithinPicture(
            svgOf(
              oddsAnswer({ ranges: [...ranges.slice(0, 2), last], levels, plan: { ...plan!, stop, target } }),
            ),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it("marks simulated prices in the picture and in its text, and real ones in neither", () => {
    const picture = pictureOf(oddsAnswer(), { simulated: SAMPLE_LABEL });
    expect(textsIn(chartSvg(oddsChartOf(picture))).filter((text) => text === SAMPLE_LABEL)).toHaveLength(2);
    expect(oddsAltText(picture)).toContain("candlestick chart of simulated prices");
    expect(svgOf(oddsAnswer())).not.toContain("SAMPLE");
    expect(oddsAltText(pictureOf(oddsAnswer()))).not.toContain("simulated");
  });

  it("is described in text with the same odds", () => {
    expect(oddsAltText(pictureOf(oddsAnswer()))).toBe(
      "AAPL 1d candlestick chart: 120 closed bars from 2020-06-29 to 2020-10-26, low 99.00, high 101.00, last close 100.00 (+0.0% since the first). " +
        "In 90 of 100 cases its close after 20 bars (1d) lies between 86.00 and 117.00 (base range in the past: 85.00 to 119.00). " +
        "LONG from 100.00, stop 95.00, target 112.00: stop first in 48 of 100 cases, target in 23, neither within 20 bars in 29 (any close of this symbol: stop 55, target 22, neither 23; 480 past windows). " +
        "110.00 (+10.0%) is touched within 20 bars in 31 of 100 cases (base rate in the past: 28). " +
        "1,000.00 (+900.0%) is touched within 20 bars in less than 1 of 100 cases (base rate in the past: less than 1).",
    );
  });
});
