import { countLeading } from "../lib/count-leading.ts";
import type { Columns } from "./candles.ts";
import { valueCenterX } from "./curve.ts";
import { countText } from "./figures.ts";
import { axisLabel, FRAME, level } from "./frame.ts";
import type { Heights } from "./scale.ts";
import { label, path, px } from "./svg.ts";
import { INK } from "./theme.ts";

export interface TradeMark {
  /** Exit time, epoch ms. */
  readonly time: number;
  readonly side: "LONG" | "SHORT";
  /** Profit after costs. */
  readonly profit: number;
}

/** Draws one bar per closed trade at its exit: profit upwards, loss downwards, hollow for a short trade. */
export function closedTrades(
  { time, trades }: { readonly time: Float64Array; readonly trades: readonly TradeMark[] },
  { top, bottom }: Heights,
  columns: Columns,
  right: number,
): string {
  const { left } = columns;
  const zero = (top + bottom) / 2;
  const most = trades.reduce((so, { profit }) => Math.max(so, Math.abs(profit)), 0);
  const width = trades.length > 400 ? 1 : trades.length > 150 ? 3 : 5;
  const drawn = { up: "", down: "", upShort: "", downShort: "" };
  for (const { time: closed, side, profit } of trades) {
    // the trade belongs to the last bar that began at or before its exit
    const bar = Math.max(0, countLeading(time.length, (i) => time[i]! <= closed) - 1);
    const from = Math.min(valueCenterX(bar, columns) - width / 2, right - width);
    const x = Math.round(from) + 0.5;
    const height = most > 0 ? Math.max(2, Math.round((Math.abs(profit) / most) * (zero - top))) : 2;
    const kind = `${profit > 0 ? "up" : "down"}${side === "SHORT" ? "Short" : ""}` as const;
    drawn[kind] += `M${px(x)} ${px(zero)}v${px(profit > 0 ? -height : height)}h${px(width - 1)}V${px(zero)}z`;
  }
  return [
    path(drawn.up, { fill: INK.up, stroke: INK.up, width: 1, crisp: true }),
    path(drawn.down, { fill: INK.down, stroke: INK.down, width: 1, crisp: true }),
    path(drawn.upShort, { fill: INK.paper, stroke: INK.up, width: 1, crisp: true }),
    path(drawn.downShort, { fill: INK.paper, stroke: INK.down, width: 1, crisp: true }),
    path(level(left, zero, right), FRAME),
    ...(most > 0
      ? [axisLabel(left, top + 10, `+${countText(most)}`), axisLabel(left, bottom, `-${countText(most)}`)]
      : []),
    label(left, top - 8, captionText(trades), { fill: INK.text, size: 11 }),
  ].join("");
}

function captionText(trades: readonly TradeMark[]): string {
  if (trades.length === 0) return "No closed trades";
  const won = trades.filter(({ profit }) => profit > 0).length;
  const shorts = trades.some(({ side }) => side === "SHORT") ? "; hollow: short" : "";
  return `Closed trades: ${trades.length}, profitable: ${won}. Each bar is the profit or loss of one trade after costs${shorts}`;
}
