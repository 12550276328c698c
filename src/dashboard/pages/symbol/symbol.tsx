import "../../views/signal/signal.css";
import "./symbol.css";
import { Skeleton } from "@mantine/core";
import { useDebouncedValue, useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { useSearchParams } from "wouter";
import { call } from "../../api/client.ts";
import type { Input } from "../../api/tools.ts";
import { barRows } from "../../charts/bar-rows.ts";
import { rebased } from "../../charts/chart-data.ts";
import { PricePanel } from "../../charts/price-panel.tsx";
import { DataTable } from "../../views/data-table.tsx";
import { planOf, signalFacts } from "../../views/signal/facts.ts";
import { CopyAs } from "../shared/copy-as.tsx";
import { Failure } from "../shared/failure.tsx";
import { Dates, News, OffExchange } from "./around.tsx";
import { chartOf, LAYERS, type LayerName } from "./chart-of.ts";
import { Head } from "./head.tsx";
import { orderLevels } from "./order-form.ts";
import { pastDayOf, signalAt } from "./past.ts";
import { SignalPanels, Why } from "./signal-panels.tsx";
import { Then, TimeTravel } from "./time-travel.tsx";
import { Toolbar } from "./toolbar.tsx";
import { useHistory } from "./use-history.ts";
import { useLevels } from "./use-levels.ts";
import {
  pageInput,
  type SymbolPage as SymbolAnswer,
  TIMEFRAMES,
  type Timeframe,
  useSymbol,
} from "./use-symbol.ts";

// the fields of forms are a tenth of the code of this page, and stand below the chart
const OrderPanel = lazy(() => import("./order-panel.tsx"));
const LevelsPanel = lazy(() => import("./levels-panel.tsx"));

/** Bars after a signal by whose last close it was right or wrong. */
const JUDGED_AFTER = 20;
const DEFAULT_INDICATORS = ["rsi(14)", "macd(12,26,9)"] as const;

/** Everything about one symbol, now or as of a past day. */
export default function SymbolPage({ symbol }: { readonly symbol: string }) {
  const [search, setSearch] = useSearchParams();
  const given = search.get("tf");
  const timeframe = TIMEFRAMES.find((each) => each === given) ?? "1d";
  const asOf = pastDayOf(search.get("as_of"), Date.now());
  const put = useCallback(
    (name: string, value: string | null) =>
      setSearch(
        (previous) => {
          const next = new URLSearchParams(previous);
          if (value === null) next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
    [setSearch],
  );
  const [indicators, setIndicators] = useState<readonly string[]>(DEFAULT_INDICATORS);
  const [layers, setLayers] = useState<ReadonlySet<LayerName>>(new Set(Object.keys(LAYERS) as LayerName[]));
  const [compare, setCompare] = useState<string | null>(null);
  const [picked, setPicked] = useState<number | null>(null);
  const [order, setOrder] = useState<Input<"check_order"> | null>(null);
  const [isDrawing, setDrawing] = useState(false);
  const [showsLater, setShowsLater] = useState(true);
  const [settledAsOf] = useDebouncedValue(asOf, 250);
  const isNarrow = useMediaQuery("(max-width: 800px)", false, { getInitialValueInEffect: false });

  const request = { symbol, timeframe, indicators: indicators.join(", "), asOf };
  const found = useSymbol(request, settledAsOf);
  const { now, shown, bars, later, forming, error } = found;
  const [isRibbonOpen, openRibbon] = useState(false);
  const history = useHistory({
    symbol,
    timeframe,
    asOf: settledAsOf,
    newest: now === undefined ? null : newestDay(now),
    isOpen: isRibbonOpen,
  });
  const levels = useLevels(symbol, now !== undefined);
  const other = useCompare(compare, timeframe, asOf);
  const pastRow = asOf === null || shown !== undefined ? null : signalAt(history.rows, asOf);
  const plan = useMemo(() => (shown?.signal ? signalFacts(shown.signal).plan : null), [shown]);
  const data = useMemo(
    () =>
      chartOf({
        page: shown ?? null,
        plan: pastRow?.plan ? planOf(pastRow.plan) : null,
        bars,
        forming,
        later: showsLater ? later : [],
        indicators: found.indicators,
        layers,
        saved: levels.saved,
        order: order === null ? [] : orderLevels(order),
        compare:
          other.bars === null || compare === null
            ? null
            : { name: compare, closes: rebased(bars, other.bars, Math.max(0, bars.length - 120)) },
      }),
    [
      shown,
      pastRow,
      bars,
      forming,
      later,
      showsLater,
      found.indicators,
      layers,
      levels.saved,
      order,
      compare,
      other.bars,
    ],
  );
  const pick = useCallback((price: number) => {
    setPicked(Number(price.toPrecision(6)));
    setDrawing(false);
  }, []);

  if (now === undefined)
    return (
      <>
        <h1 className="hidden">{symbol}</h1>
        {error === null ? <Loading /> : <Failure error={error} />}
      </>
    );
  const newest = newestDay(now);
  return (
    <div className="symbol-page">
      <Head page={now} shown={shown} asOf={asOf} plan={plan} />
      {found.isStale && <p className="warn">The server does not answer; these figures are older.</p>}
      <div className="symbol-main">
        <div className="symbol-column">
          <section className="card" aria-label="Chart">
            <div className="card-head">
              <Toolbar
                timeframe={timeframe}
                indicators={indicators}
                layers={layers}
                compare={compare}
                isDrawing={isDrawing}
                onTimeframe={(value) => put("tf", value === "1d" ? null : value)}
                onIndicators={setIndicators}
                onLayers={setLayers}
                onCompare={setCompare}
                onDraw={() => setDrawing(!isDrawing)}
              />
              <CopyAs
                tool="get_symbol_page"
                input={{ ...pageInput(request), ...(asOf !== null && { as_of: asOf }) }}
              />
            </div>
            {error !== null && <Failure error={error} />}
            {other.error !== null && (
              <p className="warn">
                {compare} cannot be compared: {other.error.message}
              </p>
            )}
            {asOf !== null && (
              <Then
                asOf={asOf}
                row={settledAsOf === asOf ? history.row : undefined}
                then={bars.at(-1)?.close}
                judgedOn={later[JUDGED_AFTER - 1]?.datetime ?? null}
                now={newestClose(now)}
              />
            )}
            <div className={found.isLoading ? "chart-wait" : undefined} aria-busy={found.isLoading}>
              {bars.length === 0 ? (
                <p className="muted">There are no bars: {now.bars_reason}</p>
              ) : (
                <PricePanel
                  data={data}
                  height={isNarrow ? 420 : 560}
                  visibleBars={isNarrow ? 55 : 130}
                  label={`Price chart of ${symbol}, ${timeframe}`}
                  onPick={isDrawing ? pick : null}
                />
              )}
            </div>
            <TimeTravel
              newest={newest}
              asOf={asOf}
              ribbon={timeframe === "1d" ? { ...history, isOpen: isRibbonOpen } : null}
              onRibbon={openRibbon}
              hasLater={showsLater}
              onAsOf={(day) => put("as_of", day)}
              onLater={setShowsLater}
            />
            <DataTable caption="Bars and indicators" {...barRows(bars, data.indicators)} />
          </section>
          <Why page={shown} request={request} />
        </div>
        <div className="symbol-column symbol-side">
          <SignalPanels page={shown} request={request} />
          <Suspense fallback={<Skeleton height={420} role="status" aria-label="Loading" />}>
            <OrderPanel symbol={symbol} asOf={asOf} plan={plan} isOpen={!isNarrow} onChecked={setOrder} />
            <LevelsPanel
              symbol={symbol}
              now={now.price.price}
              levels={levels}
              picked={picked}
              onDone={() => setPicked(null)}
            />
          </Suspense>
          {shown !== undefined && (
            <>
              <OffExchange page={shown} />
              <Dates page={shown} />
              <News page={shown} />
            </>
          )}
        </div>
      </div>
    </div>
  );
}

const Loading = () => (
  <div className="symbol-main" role="status" aria-label="Loading">
    <Skeleton height={640} />
    <Skeleton height={640} />
  </div>
);

/** Loads the bars of another symbol. */
function useCompare(symbol: string | null, timeframe: Timeframe, asOf: string | null) {
  const input = { symbol: symbol ?? "", timeframe, limit: 500, ...(asOf !== null && { as_of: asOf }) };
  const { data, error } = useQuery({
    queryKey: ["compare", input],
    queryFn: () => call("get_history", input),
    enabled: symbol !== null,
  });
  return { bars: data?.bars ?? null, error };
}

/** Returns the day of the newest bar. */
const newestDay = ({ bars, price }: SymbolAnswer): string =>
  bars?.rows[0]?.datetime.slice(0, 10) ?? price.last_close_day ?? new Date().toISOString().slice(0, 10);

const newestClose = ({ bars, price }: SymbolAnswer): number | undefined =>
  price.price ?? bars?.rows[0]?.close;
