import { describe, expect, it } from "vitest";
import { barCenterX, bodyWidth, candles, maxVolume, volumes } from "../../src/charts/candles.ts";
import { priceScale } from "../../src/charts/scale.ts";
import type { Bars } from "../../src/domain/market/bars.ts";
import { barsAround } from "../support/synthetic-bars.ts";

// 0 to 100 dollars on 0 to 104 pixels: 4% above, nothing below zero, so y is 104 less the price.
const scale = priceScale([0, 100], { top: 0, bottom: 104 });
const columns = { left: 0, slot: 10 };
const bar = (open: number, high: number, low: number, close: number): Bars => ({
  ...barsAround([close], { high: [high], low: [low] }),
  open: Float64Array.of(open),
});

describe("candles", () => {
  it("are centred in their slots, on the pixel grid", () => {
    expect([0, 1, 2].map((i) => barCenterX(i, columns))).toEqual([5.5, 15.5, 25.5]);
    expect([1, 2.9, 3, 5, 10, 100].map(bodyWidth)).toEqual([1, 1, 3, 3, 7, 15]);
  });

  it("are hollow with wicks outside the body if the price rose", () => {
    // High 90 at y 14, close 80 at 24, open 60 at 44, low 50 at 54; plus half a pixel for sharp edges.
    expect(candles(bar(60, 90, 50, 80), scale, columns)).toBe(
      '<path d="M5.5 14.5L5.5 24.5M5.5 44.5L5.5 54.5" fill="none" stroke="#00897b" stroke-width="1" shape-rendering="crispEdges"/>' +
        '<path d="M2.5 24.5h6V44.5h-6z" fill="#ffffff" stroke="#00897b" stroke-width="1" shape-rendering="crispEdges"/>',
    );
  });

  it("are filled if the price fell", () => {
    expect(candles(bar(80, 80, 60, 60), scale, columns)).toBe(
      '<path d="M2.5 24.5h6V44.5h-6z" fill="#b71c2c" stroke="#b71c2c" stroke-width="1" shape-rendering="crispEdges"/>',
    );
  });

  it("are a line if the close equals the open", () => {
    expect(candles(bar(80, 80, 80, 80), scale, columns)).toContain('d="M2 24.5L9 24.5"');
    expect(candles(bar(80, 80, 80, 80), scale, { left: 0, slot: 2 })).toContain('d="M1.5 24L1.5 25"');
  });

  it("are omitted if a price is missing", () => {
    expect(candles(bar(80, Number.NaN, 80, 80), scale, columns)).toBe("");
  });
});

describe("volume", () => {
  const pane = { top: 0, bottom: 90 };

  it("is scaled to the maximum volume", () => {
    const bars = barsAround([1, 1], { volume: [300, 100] });
    expect(maxVolume(bars.volume)).toBe(300);
    expect(volumes(bars, pane, columns)).toContain('d="M2 90v-90h7v90zM12 90v-30h7v30z"');
  });

  it("draws nothing for bars without volume", () => {
    expect(volumes(barsAround([1, 1], { volume: [0, 0] }), pane, columns)).toBe("");
    expect(maxVolume(Float64Array.of(0, Number.NaN))).toBe(0);
  });
});
