import type { Bars } from "../domain/market/bars.ts";
import type { PriceScale } from "./scale.ts";
import { lineTo, path, px } from "./svg.ts";
import { INK } from "./theme.ts";

/** Horizontal layout of bars: `slot` pixels each, from `left` on. */
export interface Columns {
  readonly left: number;
  readonly slot: number;
}

/** Returns the x coordinate of the middle of a bar, in pixels, aligned to the pixel grid. */
export const barCenterX = (index: number, { left, slot }: Columns): number =>
  Math.floor(left + (index + 0.5) * slot) + 0.5;

/**
 * Returns the width of a candle body: an odd number of pixels, so that it has a middle. 70% of the slot, at most 15,
 * and at least 3 if there is room, so that it can be hollow.
 */
export const bodyWidth = (slot: number): number =>
  Math.max(slot >= 3 ? 3 : 1, Math.min(15, 2 * Math.floor((slot * 0.7 - 1) / 2) + 1));

/** Returns the highest volume of any bar; 0 without trades. */
export const maxVolume = (volume: Float64Array): number =>
  volume.reduce((most, each) => (Number.isFinite(each) ? Math.max(most, each) : most), 0);

const sharp = (y: number): number => Math.round(y) + 0.5;
const known = (bars: Bars, i: number): boolean =>
  [bars.open[i], bars.high[i], bars.low[i], bars.close[i]].every(Number.isFinite);

/**
 * Draws candles: hollow if the close is at or above the open, filled if it is lower. Bars with a missing price are left
 * out.
 */
export function candles(bars: Bars, scale: PriceScale, columns: Columns): string {
  const width = bodyWidth(columns.slot);
  const drawn = { up: { wicks: "", bodies: "" }, down: { wicks: "", bodies: "" } };
  for (let i = 0; i < bars.time.length; i++) {
    if (!known(bars, i)) continue;
    const [open, close] = [bars.open[i]!, bars.close[i]!];
    const side = close >= open ? drawn.up : drawn.down;
    const x = barCenterX(i, columns);
    const [top, bottom] = [sharp(scale.y(Math.max(open, close))), sharp(scale.y(Math.min(open, close)))];
    const [high, low] = [sharp(scale.y(bars.high[i]!)), sharp(scale.y(bars.low[i]!))];
    if (high < top) side.wicks += lineTo(x, high, x, top);
    if (low > bottom) side.wicks += lineTo(x, bottom, x, low);
    side.bodies += body(x, top, bottom, width);
  }
  const { up, down } = drawn;
  return [
    path(up.wicks, { stroke: INK.up, width: 1, crisp: true }),
    path(down.wicks, { stroke: INK.down, width: 1, crisp: true }),
    path(up.bodies, { fill: INK.upFill, stroke: INK.up, width: 1, crisp: true }),
    path(down.bodies, { fill: INK.down, stroke: INK.down, width: 1, crisp: true }),
  ].join("");
}

/** Returns the outline of a candle body; a line if open and close coincide. */
function body(x: number, top: number, bottom: number, width: number): string {
  const half = (width - 1) / 2;
  if (half === 0) return lineTo(x, top - 0.5, x, Math.max(bottom, top) + 0.5);
  if (bottom - top < 1) return lineTo(x - half - 0.5, top, x + half + 0.5, top);
  return `M${px(x - half)} ${px(top)}h${px(2 * half)}V${px(bottom)}h${px(-2 * half)}z`;
}

/** Draws volume bars from the bottom of their pane, the highest as tall as the pane; empty without trades. */
export function volumes(
  bars: Bars,
  { top, bottom }: { readonly top: number; readonly bottom: number },
  columns: Columns,
): string {
  const most = maxVolume(bars.volume);
  const width = bodyWidth(columns.slot);
  const drawn = { up: "", down: "" };
  for (let i = 0; most > 0 && i < bars.time.length; i++) {
    const volume = bars.volume[i]!;
    if (!(volume > 0 && volume <= most)) continue;
    const height = Math.max(1, Math.round((volume / most) * (bottom - top)));
    const x = barCenterX(i, columns) - width / 2;
    drawn[bars.close[i]! >= bars.open[i]! ? "up" : "down"] +=
      `M${px(x)} ${px(bottom)}v${px(-height)}h${px(width)}v${px(height)}z`;
  }
  return [
    path(drawn.up, { fill: INK.up, opacity: 0.45, crisp: true }),
    path(drawn.down, { fill: INK.down, opacity: 0.6, crisp: true }),
  ].join("");
}
