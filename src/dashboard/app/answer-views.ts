import type { Output } from "../api/tools.ts";

type Result = Output<"interpret_query">["results"][number];

/** The view of each tool that has one. */
export const VIEW_OF: Readonly<Record<string, ViewName>> = {
  check_order: "check",
  explain_signal: "explain",
  get_analysis: "signal",
  get_backtest: "backtest",
  get_odds: "odds",
  get_service_index: "dial",
  get_signal: "signal",
  get_signal_card: "signal",
  get_signal_index: "dial",
  get_track_record: "odds",
  preview_trade: "check",
  render_chart: "signal",
  run_backtest: "backtest",
  scan_symbols: "screener",
  screen_universe: "screener",
};
export type ViewName = "backtest" | "check" | "dial" | "explain" | "odds" | "screener" | "signal";

/** A result that a view draws. */
export interface DrawnResult {
  /** Tool and symbol. */
  readonly name: string;
  readonly view: ViewName;
  /** Output of the tool. */
  readonly output: Readonly<Record<string, unknown>>;
}

/** More results are easier to compare as text. */
const MAX_DRAWN = 2;
/** The signal of a symbol comes with every question on it. */
const ALONGSIDE = "get_signal";

/**
 * Returns the results that views draw, and whether they say all that was asked. Signals are drawn only without other
 * results; none is drawn if there are more than two.
 */
export function drawnOf(results: readonly Result[]): {
  readonly drawn: readonly DrawnResult[];
  readonly isAll: boolean;
} {
  const others = results.filter(({ skill }) => skill !== ALONGSIDE);
  const wanted = others.length > 0 ? others : results;
  const drawn = wanted.flatMap(({ skill, symbol, data, figures }) => {
    const view = VIEW_OF[skill];
    if (view === undefined || data === null) return [];
    return [{ name: `${skill} ${symbol}`, view, output: withSelected(data, figures) }];
  });
  return drawn.length > MAX_DRAWN
    ? { drawn: [], isAll: false }
    : { drawn, isAll: drawn.length > 0 && drawn.length === wanted.length };
}

/** Returns an output with only the rows that an answer selects, in its order; other outputs as they are. */
function withSelected(data: NonNullable<Result["data"]>, figures: Result["figures"]): DrawnResult["output"] {
  const { results } = data;
  const lines = figures?.lines;
  if (!Array.isArray(results) || !Array.isArray(lines)) return data;
  const rows = new Map(results.map((row) => [row.symbol, row]));
  return { ...data, results: lines.flatMap(({ symbol }) => rows.get(symbol) ?? []) };
}
