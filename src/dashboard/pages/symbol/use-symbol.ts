import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "../../api/client.ts";
import type { Input, Output } from "../../api/tools.ts";
import { type ChartBar, indexAt } from "../../charts/chart-data.ts";

export type Timeframe = Output<"get_signal_history">["timeframe"];

/** Bar lengths of signals, longest first; types fail if the server has others. */
const LENGTHS = {
  "1d": true,
  "4h": true,
  "1h": true,
  "30m": true,
  "15m": true,
  "5m": true,
} as const satisfies Record<Timeframe, true>;
export const TIMEFRAMES = Object.keys(LENGTHS) as readonly Timeframe[];
export type SymbolPage = Output<"get_symbol_page">;

/** Bars of the chart. */
const BARS = 500;
/** Bars that a past chart has at least; with fewer it loads its own. */
const MIN_BARS = 120;
const REFRESH_MS = 30_000;

export interface SymbolRequest {
  readonly symbol: string;
  readonly timeframe: Timeframe;
  readonly indicators: string;
  /** Day of the past, such as 2026-10-01; null: now. */
  readonly asOf: string | null;
}

/** Returns the call that fills the page as of now. */
export const pageInput = ({ symbol, timeframe, indicators }: SymbolRequest) =>
  ({ symbol, timeframe, indicators, bars: BARS, detail: "full" }) satisfies Input<"get_symbol_page">;

/**
 * Loads the page of a symbol. In the past it keeps the bars that are loaded and cuts them at once; only what was known
 * then is loaded.
 */
export function useSymbol(request: SymbolRequest, settledAsOf: string | null) {
  const input = pageInput(request);
  const now = useQuery({
    queryKey: ["symbol", input],
    queryFn: () => call("get_symbol_page", input),
    refetchInterval: request.asOf === null ? REFRESH_MS : false,
    placeholderData: (previous: SymbolPage | undefined) =>
      previous?.symbol === request.symbol ? previous : undefined,
  });
  const covered = request.asOf === null || isCovered(now.data, request.asOf);
  const pastInput = { ...input, as_of: settledAsOf!, bars: covered ? 1 : BARS };
  const past = useQuery({
    queryKey: ["symbol", pastInput],
    queryFn: () => call("get_symbol_page", pastInput),
    enabled: settledAsOf !== null && now.data !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const isPast = request.asOf !== null;
  // what was known at another day is not shown as that of this one
  const isSettled = settledAsOf === request.asOf && past.data !== undefined && !past.isPlaceholderData;
  const shown = isPast ? (isSettled ? past.data : undefined) : now.data;
  const loaded = isPast && !covered ? past.data : now.data;
  const [rows, table] = [loaded?.bars?.rows, loaded?.indicators];
  const all = useMemo(() => rows?.toReversed() ?? [], [rows]);
  const end = isPast ? endOf(all, request.asOf!, isSettled ? past.data : undefined) : all.length - 1;
  const bars = useMemo(() => all.slice(0, end + 1), [all, end]);
  const later = useMemo(() => (isPast && covered ? all.slice(end + 1) : []), [isPast, covered, all, end]);
  const indicators = useMemo(() => indicatorsOf(table), [table]);
  return {
    /** Everything known now; undefined while it loads. */
    now: now.data,
    /** Everything known at the moment shown; undefined while it loads. */
    shown,
    bars,
    later,
    forming: isPast ? null : (now.data?.bars?.forming ?? null),
    indicators,
    error: (isPast ? past.error : null) ?? now.error,
    isLoading: now.isPlaceholderData || (isPast && !isSettled && past.error === null),
    isStale: now.isRefetchError,
  };
}

function isCovered(page: SymbolPage | undefined, asOf: string): boolean {
  const oldest = page?.bars?.rows[Math.max(0, page.bars.rows.length - MIN_BARS)];
  return oldest !== undefined && oldest.datetime.slice(0, 10) <= asOf;
}

/** Returns the index of the newest bar of a past page; before its answer, that of the last bar that starts by its day. */
function endOf(bars: readonly ChartBar[], asOf: string, past: SymbolPage | undefined): number {
  const newest = past?.bars?.rows[0]?.datetime;
  return indexAt(bars, newest ?? `${asOf}T23:59:59Z`);
}

function indicatorsOf(table: SymbolPage["indicators"] | undefined) {
  const { columns = [], values = [] } = table ?? {};
  return columns.map((name, column) => ({
    name,
    values: values.map((row) => row[column] ?? null).reverse(),
  }));
}
