import { useEffect, useRef, useState } from "react";
import { price, signedPercent } from "../views/format.ts";
import { type ChartBar, mountPriceChart, type PriceChart, type PriceChartData } from "./price-chart.ts";

interface PricePanelProps {
  readonly data: PriceChartData;
  readonly height: number;
  /** Number of bars shown at first. */
  readonly visibleBars: number;
}

/** A price chart with the figures of the bar under the pointer, by default of the last one. */
export function PricePanel({ data, height, visibleBars }: PricePanelProps) {
  const element = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<PriceChart | null>(null);
  const [hovered, setHovered] = useState<readonly [ChartBar, ChartBar | null] | null>(null);
  useEffect(() => {
    const mounted = mountPriceChart(element.current!, {
      height,
      visibleBars,
      onHover: (bar, previous) => setHovered(bar === null ? null : [bar, previous]),
    });
    setChart(mounted);
    return () => {
      setChart(null);
      mounted.destroy();
    };
  }, [height, visibleBars]);
  useEffect(() => chart?.set(data), [chart, data]);
  const [bar, previous] = hovered ?? [data.bars.at(-1), data.bars.at(-2) ?? null];
  const change = bar && previous ? (bar.close / previous.close - 1) * 100 : null;
  return (
    <div className="chart">
      {bar && (
        <div className="chart-legend num">
          <span className="muted">{bar.datetime.replace("T", " ").slice(0, 16)}</span> O {price(bar.open)} H{" "}
          {price(bar.high)} L {price(bar.low)} C <b>{price(bar.close)}</b>{" "}
          <span className={change !== null && change < 0 ? "down" : "up"}>{signedPercent(change)}</span>
        </div>
      )}
      <div ref={element} role="img" aria-label="Price chart; the table below holds its data" />
      <p className="credit">
        Charts by{" "}
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          TradingView Lightweight Charts™
        </a>
      </p>
    </div>
  );
}
