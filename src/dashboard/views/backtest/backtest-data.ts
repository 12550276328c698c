import type { Output } from "../../api/tools.ts";
import type { Line, Mark } from "../../charts/line-chart.tsx";

export type Backtest = Output<"get_backtest"> | Output<"run_backtest">;
type Bars = Output<"get_history">["bars"];

/** Returns the equity of a run and of holding its symbols instead. */
export function equityLines({ equity, benchmark }: Backtest): readonly Line[] {
  const held = equity.flatMap(({ time, buy_hold }) =>
    buy_hold === null ? [] : { x: Date.parse(time), y: buy_hold },
  );
  return [
    {
      name: "Strategy",
      tone: "accent",
      points: equity.map(({ time, equity: y }) => ({ x: Date.parse(time), y })),
    },
    ...(held.length < 2
      ? []
      : [
          {
            name: benchmark ?? "Buy and hold",
            tone: "flat",
            dashed: true,
            points: held,
          } as const,
        ]),
  ];
}

/** Returns the drawdown at each point of equity, in percent of the highest equity before. */
export function drawdownLine({ equity }: Pick<Backtest, "equity">): Line {
  let peak = Number.NEGATIVE_INFINITY;
  const points = equity.map(({ time, equity: value }) => {
    peak = Math.max(peak, value);
    return { x: Date.parse(time), y: peak > 0 ? (value / peak - 1) * 100 : 0 };
  });
  return { name: "Drawdown", tone: "down", points };
}

/** Returns the trades of one symbol as lines from entry to exit, over its closes where they are known. */
export function tradeLines(
  { trades, open_trades }: Pick<Backtest, "trades" | "open_trades">,
  symbol: string,
  newestFirst: Bars,
): { readonly lines: readonly Line[]; readonly marks: readonly Mark[] } {
  const closes = newestFirst.map(({ datetime, close }) => ({ x: Date.parse(datetime), y: close })).reverse();
  const first = closes[0]?.x ?? Number.NEGATIVE_INFINITY;
  const isShown = (trade: { readonly symbol: string; readonly entry_time: string }) =>
    trade.symbol === symbol && Date.parse(trade.entry_time) >= first;
  const closed = trades.filter(isShown);
  const opened = [...closed, ...open_trades.filter(isShown)];
  const entries = opened.map(
    ({ side, entry_time, entry_price }): Mark => ({
      x: Date.parse(entry_time),
      y: entry_price,
      sign: side === "LONG" ? "▲" : "▼",
      tone: side === "LONG" ? "up" : "down",
    }),
  );
  const exits = closed.map(
    ({ exit_time, exit_price }): Mark => ({
      x: Date.parse(exit_time),
      y: exit_price,
      sign: "◆",
      tone: "text",
    }),
  );
  const path = [...entries, ...exits].map(({ x, y }) => ({ x, y })).sort((a, b) => a.x - b.x);
  return {
    lines:
      closes.length > 1
        ? [{ name: "Close", tone: "flat", points: closes }]
        : path.length > 1
          ? [{ name: "Trades", tone: "flat", dashed: true, points: path }]
          : [],
    marks: [...entries, ...exits],
  };
}

/** Returns four days along a range of times, as texts. */
export function timeTicks(
  from: number,
  to: number,
): readonly { readonly x: number; readonly text: string }[] {
  const isLong = to - from > 400 * 86_400_000;
  return [0, 0.33, 0.66, 1].map((part) => {
    const x = from + part * (to - from);
    return { x, text: new Date(x).toISOString().slice(0, isLong ? 7 : 10) };
  });
}
