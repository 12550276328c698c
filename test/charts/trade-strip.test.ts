import { describe, expect, it } from "vitest";
import { INK } from "../../src/charts/theme.ts";
import { closedTrades, type TradeMark } from "../../src/charts/trade-strip.ts";

const strip = (trades: readonly TradeMark[]) =>
  closedTrades(
    { time: Float64Array.of(0, 10, 20, 30), trades },
    { top: 0, bottom: 40 },
    { left: 100, slot: 10 },
    140,
  );

describe("the strip of closed trades", () => {
  it("draws profits upwards and losses downwards, at the bar of the close", () => {
    const svg = strip([
      { time: 10, side: "LONG", profit: 50 },
      { time: 29, side: "LONG", profit: -25 },
    ]);
    // bars of 5 pixels around x 115 and 125; the larger trade takes half of the strip's height
    expect(svg).toContain(`<path d="M113.5 20v-20h4V20z" fill="${INK.up}"`);
    expect(svg).toContain(`<path d="M123.5 20v10h4V20z" fill="${INK.down}"`);
    expect(svg).toContain(
      ">Closed trades: 2, profitable: 1. Each bar is the profit or loss of one trade after costs<",
    );
    expect(svg).toContain(">+50.0<");
    expect(svg).toContain(">-50.0<");
  });

  it("draws short trades hollow, with a legend", () => {
    const svg = strip([{ time: 0, side: "SHORT", profit: 1 }]);
    expect(svg).toContain(`fill="${INK.paper}" stroke="${INK.up}"`);
    expect(svg).toContain("; hollow: short<");
  });

  it("draws trades outside the period at its first or last bar", () => {
    expect(strip([{ time: -5, side: "LONG", profit: 1 }])).toContain("M103.5 20");
    // the last bar, centred at x 135
    expect(strip([{ time: 99, side: "LONG", profit: 1 }])).toContain("M133.5 20");
  });

  it("reports no closed trades, and draws a break-even trade as a minimal loss", () => {
    expect(strip([])).toContain(">No closed trades<");
    const even = strip([{ time: 0, side: "LONG", profit: 0 }]);
    expect(even).toContain("M103.5 20v2h4V20z");
    expect(even).not.toMatch(/NaN|Infinity/);
  });
});
