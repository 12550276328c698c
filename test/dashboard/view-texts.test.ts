import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { barRows } from "../../src/dashboard/charts/bar-rows.ts";
import { withOpacity } from "../../src/dashboard/charts/colors.ts";
import { tokensOf } from "../../src/dashboard/mcp/host-style.ts";
import { partText } from "../../src/dashboard/views/dial/part-text.ts";
import {
  barDay,
  compact,
  dayText,
  fixed,
  MISSING,
  momentText,
  percent,
  plainName,
  price,
  shortMoment,
  signed,
  signedPercent,
  signedR,
  whole,
  withMinus,
} from "../../src/dashboard/views/format.ts";

describe("the texts of views", () => {
  it.each([
    [price(1234.5), "1,234.50"],
    [price(0.0938), "0.0938"],
    [fixed(-1.5, 2), "−1.50"],
    [whole(1234.6), "1,235"],
    [compact(12_345_678), "12.3M"],
    [signed(1.26, 1), "+1.3"],
    [signed(-0.5, 2), "−0.50"],
    [signed(-0.004, 2), "0.00"],
    [signedPercent(0), "0.00 %"],
    [signedR(2), "+2.00 R"],
    [percent(0.256), "26 %"],
    [percent(0.256, 1), "25.6 %"],
    [withMinus("-0.14 is (-3) at 2026-11-29"), "−0.14 is (−3) at 2026-11-29"],
    [plainName("stop_loss_side"), "stop loss side"],
    [dayText("2026-11-30T23:59:00Z"), "30 Nov 2026"],
    [momentText("2026-11-30"), "30 Nov 2026"],
    [momentText("2026-11-30T14:30:00Z"), "30 Nov 2026, 14:30 UTC"],
    [shortMoment("2026-11-30T14:30:00Z"), "30 Nov, 14:30 UTC"],
    [barDay("2026-11-30T00:00:00.000Z"), "29 Nov"],
    [barDay("2026-11-30T21:00:00.000Z"), "30 Nov"],
  ])("write %s", (text, expected) => {
    expect(text).toBe(expected);
  });

  it("are a dash for what is missing", () => {
    const texts = [
      price(null),
      fixed(undefined, 1),
      whole(null),
      signed(null, 1),
      signedR(null),
      percent(null),
    ];
    expect(texts).toEqual(texts.map(() => MISSING));
  });

  it("have a sign exactly where a figure is shown that is not 0", () => {
    fc.assert(
      fc.property(fc.double({ min: -100, max: 100, noNaN: true }), (value) => {
        const text = signed(value, 1);
        const shown = Number(text.replace("−", "-"));
        expect(text.charAt(0)).toBe(shown > 0 ? "+" : shown < 0 ? "−" : "0");
        expect(Math.abs(shown - value)).toBeLessThanOrEqual(0.0501);
      }),
    );
  });
});

describe("the bars as a table", () => {
  const bar = (datetime: string, volume: number | null) => ({
    datetime,
    open: 99,
    high: 102,
    low: 98.5,
    close: 101,
    volume,
  });

  it("are the newest first, with an indicator each", () => {
    const indicators = [{ name: "rsi(14)", values: [null, 55.5] }];
    expect(barRows([bar("2026-11-27", null), bar("2026-11-30T14:30:00Z", 1200)], indicators)).toEqual({
      columns: ["Time", "Open", "High", "Low", "Close", "Volume", "rsi(14)"],
      rows: [
        ["2026-11-30 14:30", "99.00", "102.00", "98.50", "101.00", "1,200", "55.50"],
        ["2026-11-27", "99.00", "102.00", "98.50", "101.00", "–", "–"],
      ],
    });
  });
});

describe("the text of a part of an index", () => {
  it.each([
    [{ part: "momentum", reading: -0.028 }, "SPY −2.80 % from its 125-day mean"],
    [{ part: "risk_appetite", reading: 0.42 }, "42 % of coins above their 50-day mean"],
    [{ part: "another", reading: 1.5 }, "1.50"],
    [{ part: "breadth_now", as_of: "2026-11-30T14:30:00Z" }, "as of 30 Nov 2026, 14:30 UTC"],
    [{ part: "sentiment", reading: null, as_of: null }, ""],
  ])("of %j", (part, text) => {
    expect(partText(part)).toBe(text);
  });
});

describe("the colours of a chart", () => {
  it("get an opacity in hex", () => {
    expect(withOpacity("#36c994", "22")).toBe("#36c99422");
    expect(withOpacity("red", "22")).toBe("red");
  });

  it("follow from the background and the text of a host", () => {
    expect(tokensOf({ background: [0, 0, 0], text: [255, 255, 255], muted: null })).toEqual({
      bg: "#000000",
      surface: "#000000",
      text: "#ffffff",
      muted: "#adadad",
      "surface-2": "#0f0f0f",
      grid: "#0f0f0f",
      line: "#242424",
    });
    const { muted } = tokensOf({ background: [255, 253, 245], text: [20, 20, 19], muted: [94, 93, 89] });
    expect(muted).toBe("#5e5d59");
  });
});
