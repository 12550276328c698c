import type { AssetClass } from "../../domain/market/market.ts";
import { formatBars, formatLevel, formatPlan, formatRange } from "../../domain/odds/odds.text.ts";
import type { OddsAnswer } from "../../domain/odds/odds.ts";
import { formatTable } from "../../domain/table.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { type AnswerNotes, splitNotes } from "../signal/notes.ts";

interface OddsView extends OddsAnswer, AnswerNotes {
  readonly symbol: string;
  readonly asset_class: AssetClass;
  readonly timeframe: string;
  readonly horizon: number;
  readonly source: string;
  readonly venue: string;
  readonly data_as_of: string;
}

/** Formats odds: the range at the horizon first, then the plan, levels, ranges, volatility and assumptions. */
export function formatOdds(answer: OddsView, paint: Paint): string {
  const { symbol, timeframe, horizon, from, ranges, levels, plan } = answer;
  const range = ranges.find(({ bars }) => bars === horizon)!;
  const { first, others } = splitNotes(answer);
  return [
    ...first.map((note) => paint("yellow", note)),
    `${paint("bold", symbol)} closed at ${formatPrice(from)}. ${formatRange(range, timeframe, formatPrice)}`,
    ...(plan === null ? [] : [`  ${formatPlan(plan, formatPrice)}`]),
    ...levels.map((level) => `  ${formatLevel(level, horizon, formatPrice)}`),
    ...formatTable(ranges, RANGE_COLUMNS, paint, "  "),
    `  ${formatVolatility(answer.volatility, horizon)}`,
    `  ${formatAssumptions(answer)}`,
    ...others.map((note) => `  ${paint("yellow", note)}`),
    paint(
      "dim",
      `  From ${answer.method.bars_read} closed bars of ${answer.source} (${answer.venue}) to ${answer.data_as_of}.`,
    ),
  ].join("\n");
}

type Range = OddsAnswer["ranges"][number];
const percentile = (head: string, field: "p5" | "p25" | "p50" | "p75" | "p95") => ({
  head,
  cell: (range: Range) => formatPrice(range[field]),
});
const RANGE_COLUMNS = [
  { head: "close after", cell: ({ bars }: Range) => formatBars(bars) },
  ...[percentile("5th percentile", "p5"), percentile("25th", "p25"), percentile("50th", "p50")],
  ...[percentile("75th", "p75"), percentile("95th", "p95")],
];

function formatVolatility(volatility: OddsAnswer["volatility"], horizon: number): string {
  const { realized_20_percent, realized_60_percent, horizon_percent, options } = volatility;
  const realized = [
    ...(realized_20_percent === null ? [] : [`the last 20 bars ${realized_20_percent.toFixed(0)}%`]),
    ...(realized_60_percent === null ? [] : [`60 bars ${realized_60_percent.toFixed(0)}%`]),
  ];
  const past = realized.length === 0 ? "" : `, realized over ${realized.join(", over ")}`;
  const head = `Annualized volatility: forecast over the next ${formatBars(horizon)} ${horizon_percent.toFixed(0)}%${past}.`;
  if (options === null) return head;
  const { nearer } = options;
  const record =
    nearer === null
      ? ""
      : ` On ${nearer.days} past days, a closed-form forecast was nearer to the actual move ${nearer.forecast} times, options ${nearer.implied} times.`;
  return `${head} Mean absolute move over ${options.bars} bars: forecast ${options.forecast_move_percent.toFixed(1)}%, implied by options of ${options.day} ${options.implied_move_percent.toFixed(1)}%.${record}`;
}

/** Calibration errors of touch odds above and below the close, from docs/odds.md; 6 is from the earlier study in it. */
const ACCURACY = {
  us: "Over all symbols, touch odds are accurate to about 3 percentage points, after 60 bars to about 4 to 6; by side and volatility some are off by more (docs/odds.md).",
  crypto:
    "Odds are accurate to about 4 percentage points; prices above the close with odds below 20 of 100 were touched more often than forecast (docs/odds.md).",
} as const;

/** Formats the assumptions of the odds and the coverage of past ranges. */
function formatAssumptions({
  method,
  asset_class,
  past_coverage,
  past_coverage_basis,
}: Pick<OddsView, "method" | "asset_class" | "past_coverage" | "past_coverage_basis">): string {
  const coverage = past_coverage
    .map(
      ({ cover_80, bars }, i) =>
        `${(100 * cover_80).toFixed(0)}%${i === 0 ? " of closes" : ""} after ${bars} bars`,
    )
    .join(", ");
  const percent = method.drift_percent_a_year;
  const drift =
    percent === 0
      ? "an unchanged median price"
      : `a median price that ${percent > 0 ? "rises" : "falls"} ${Math.abs(percent)}% a year`;
  const assumed = `The odds assume ${drift} and no view on direction.`;
  if (past_coverage_basis === null) return assumed;
  return `${assumed} On ${past_coverage_basis}, the 80% range contained ${coverage}. ${ACCURACY[asset_class === "crypto" ? "crypto" : "us"]}`;
}
