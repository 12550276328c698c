import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { compact, fixed, price, signedPercent } from "../views/format.ts";
import { barTime } from "./bar-rows.ts";
import type { ChartBar, PriceChartData } from "./chart-data.ts";
import { mountPriceChart, type PriceChart } from "./price-chart.ts";

interface PricePanelProps {
  readonly data: PriceChartData;
  readonly height: number;
  /** Number of bars shown at first. */
  readonly visibleBars: number;
  /** What the chart shows, for screen readers. Default: Price chart. */
  readonly label?: string;
  /** Called with a price that is clicked; null: clicks pick nothing. */
  readonly onPick?: ((price: number) => void) | null;
}

type Hovered = readonly [ChartBar, ChartBar | null];

/** A price chart with the figures of the bar under the pointer, by default of the last one. */
export function PricePanel({
  data,
  height,
  visibleBars,
  label = "Price chart",
  onPick = null,
}: PricePanelProps) {
  const element = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<PriceChart | null>(null);
  const [hovered, setHovered] = useState<Hovered | null>(null);
  const pick = useRef(onPick);
  useEffect(() => {
    pick.current = onPick;
  }, [onPick]);
  useEffect(() => {
    const mounted = mountPriceChart(element.current!, {
      height,
      visibleBars,
      onHover: (bar, previous) => setHovered(bar === null ? null : [bar, previous]),
      onPick: (value) => pick.current?.(value),
    });
    setChart(mounted);
    return () => {
      setChart(null);
      mounted.destroy();
    };
  }, [height, visibleBars]);
  useEffect(() => chart?.set(data), [chart, data]);
  const keys = (event: KeyboardEvent) => {
    const act = chart === null ? undefined : KEYS[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(chart!);
  };
  return (
    <div className={onPick === null ? "chart" : "chart picking"}>
      <Legend data={data} hovered={hovered} />
      {/* biome-ignore lint/a11y/useSemanticElements: a group of this kind has no element of its own */}
      <div
        ref={element}
        className="chart-canvas"
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys move the crosshair and zoom
        tabIndex={0}
        aria-label={`${label}. Left and right arrow keys move from bar to bar, plus and minus zoom, Home shows the newest bars. The table below has its data.`}
        onKeyDown={keys}
      />
      <p className="credit">
        Charts by{" "}
        <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer">
          TradingView Lightweight Charts™
        </a>
      </p>
    </div>
  );
}

const KEYS: Readonly<Record<string, (chart: PriceChart) => void>> = {
  ArrowLeft: (chart) => chart.step(-1),
  ArrowRight: (chart) => chart.step(1),
  PageUp: (chart) => chart.step(-20),
  PageDown: (chart) => chart.step(20),
  "+": (chart) => chart.zoom(0.75),
  "-": (chart) => chart.zoom(1.35),
  Home: (chart) => chart.reset(),
};

function Legend({ data, hovered }: { readonly data: PriceChartData; readonly hovered: Hovered | null }) {
  const { bars, indicators = [], compare } = data;
  const [bar, previous] = hovered ?? [bars.at(-1), bars.at(-2) ?? null];
  if (bar === undefined) return null;
  const change = previous === null ? null : (bar.close / previous.close - 1) * 100;
  const index =
    hovered === null ? bars.length - 1 : bars.findIndex(({ datetime }) => datetime === bar.datetime);
  const value = (values: readonly (number | null)[]) => values[index] ?? null;
  return (
    <div className="chart-legend num" aria-live="polite">
      <div>
        <span className="muted">{barTime(bar)}</span> O {price(bar.open)} H {price(bar.high)} L{" "}
        {price(bar.low)} C <b>{price(bar.close)}</b>{" "}
        <span className={toneOf(change)}>{signedPercent(change)}</span>
        {bar.volume !== null && <span className="muted legend-volume"> V {compact(bar.volume)}</span>}
      </div>
      {(indicators.length > 0 || compare) && (
        <div className="chart-legend-more muted">
          {indicators.map(({ name, values }) => (
            <span key={name}>
              {name} <b>{indicatorText(value(values))}</b>
            </span>
          ))}
          {compare && (
            <span className="warn">
              {compare.name}, rebased <b>{price(value(compare.closes))}</b>
            </span>
          )}
        </div>
      )}
    </div>
  );
}

const toneOf = (change: number | null): string => (!change ? "muted" : change < 0 ? "down" : "up");

const indicatorText = (value: number | null): string =>
  value !== null && Math.abs(value) >= 1_000 ? compact(value) : fixed(value, 2);
