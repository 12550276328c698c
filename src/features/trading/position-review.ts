import {
  concentrationOf,
  openRiskOf,
  type ReviewedPosition,
  sharesOf,
} from "../../analytics/positions/review.ts";
import type { ScanRow } from "../../domain/nightly/scan.ts";
import { formatGrade } from "../../domain/signal/grade.text.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { PositionRow } from "../../domain/trading/positions.ts";
import type { ConcentrationSummary, OpenRiskSummary, ReviewedRow } from "../../domain/trading/review.ts";
import type { RiskLimits } from "../../domain/trading/risk.ts";
import { decimal } from "../../lib/decimal.ts";
import { formatPosition } from "./position.text.ts";

export interface PositionReview {
  readonly positions: readonly ReviewedRow[];
  readonly concentration: ConcentrationSummary;
  readonly openRisk: OpenRiskSummary;
}

/** Computes weights, concentration and open risk of the listed positions and compares them with the owner's limits. */
export function reviewPositions(
  rows: readonly PositionRow[],
  { max_open_risk_pct, max_notional_usd }: Pick<RiskLimits, "max_open_risk_pct" | "max_notional_usd">,
): PositionReview {
  const reviewed = rows.map(toReviewedPosition);
  const shares = sharesOf(reviewed);
  return {
    positions: rows.map((row, i) => ({
      ...row,
      ...shares[i]!,
      over_max_notional:
        row.market_value === null || max_notional_usd === null
          ? null
          : decimal(row.market_value).abs().gt(max_notional_usd),
    })),
    concentration: {
      ...concentrationOf(reviewed),
      unpriced: [...new Set(rows.flatMap((row) => (row.market_value === null ? row.symbol : [])))],
    },
    openRisk: { ...openRiskOf(reviewed, max_open_risk_pct), max_open_risk_pct },
  };
}

const toReviewedPosition = (row: PositionRow): ReviewedPosition => ({
  symbol: row.symbol,
  side: row.side,
  quantity: row.quantity,
  averagePrice: row.average_price,
  marketValue: row.market_value,
  stop: row.edge.opening?.stop_loss ?? null,
});

const ACTION_ORDER = ["EXIT", "REDUCE", "REVIEW", "HOLD"] as const;

/** Formats a review as a few sentences: recommended actions, concentration and open risk. */
export function formatReviewSummary({ positions, concentration, openRisk }: PositionReview): string {
  if (positions.length === 0) return "No positions.";
  const { gross, largest, effective_positions: equal, unpriced } = concentration;
  const symbolsWith = (action: (typeof ACTION_ORDER)[number]) =>
    joinSymbols(positions.flatMap((row) => (row.edge.action === action ? row.symbol : [])));
  const breached = joinSymbols(
    positions.flatMap((row) => (row.edge.stop_breached === true ? row.symbol : [])),
  );
  const oversized = joinSymbols(
    positions.flatMap((row) => (row.over_max_notional === true ? row.symbol : [])),
  );
  return [
    `${positions.length} ${positions.length === 1 ? "position" : "positions"}, ${gross} USD gross.`,
    `${ACTION_ORDER.flatMap((action) => (symbolsWith(action) === "" ? [] : `${action}: ${symbolsWith(action)}`)).join("; ")}.`,
    ...(breached === "" ? [] : [`Stops reached: ${breached}.`]),
    ...(largest === null
      ? []
      : [
          `Largest: ${largest.symbol} at ${largest.weight_pct}%; as concentrated as ${equal} equal positions.`,
        ]),
    ...(oversized === "" ? [] : [`Larger than the maximum for one order: ${oversized}.`]),
    ...formatOpenRisk(openRisk),
    ...oldPrices(positions),
    ...(unpriced.length === 0
      ? []
      : [
          `No price, not included in the weights${openRisk.amount_from_market === null ? "" : " and at risk from cost"}: ${joinSymbols(unpriced)}.`,
        ]),
  ].join(" ");
}

const OLD_MS = 5 * 86_400_000;

/** Returns a sentence on the positions that count at a price more than five days older than the review. */
function oldPrices(positions: PositionReview["positions"]): readonly string[] {
  const times = positions.flatMap(({ as_of, price_as_of }) => [
    Date.parse(as_of),
    Date.parse(price_as_of ?? as_of),
  ]);
  const newest = Math.max(...times);
  const old = positions.flatMap(({ symbol, price_as_of }) =>
    price_as_of !== null && newest - Date.parse(price_as_of) > OLD_MS
      ? `${symbol} of ${price_as_of.slice(0, 10)}`
      : [],
  );
  return old.length === 0 ? [] : [`Old prices, which count in these sums: ${joinSymbols(old)}.`];
}

/** Formats the review of given symbols: their signals, then the positions held in them. */
export function formatSignals(
  review: PositionReview,
  {
    signals,
    errors,
  }: { readonly signals: readonly ScanRow[]; readonly errors: readonly { readonly symbol: string }[] },
): string {
  const verdicts = signals.map(
    ({ symbol, bias, grade, score }) =>
      `${symbol} ${bias}, ${formatGrade({ direction: bias, grade })} (${score})`,
  );
  return [
    ...(verdicts.length === 0 ? [] : [`Signals: ${verdicts.join(", ")}.`]),
    ...(errors.length === 0 ? [] : [`No signal: ${joinSymbols(errors.map(({ symbol }) => symbol))}.`]),
    review.positions.length === 0 ? "None of these symbols is held." : `Held: ${formatReviewSummary(review)}`,
  ].join(" ");
}

function formatOpenRisk(openRisk: OpenRiskSummary): readonly string[] {
  const { amount, amount_from_market: market, unstopped, max_open_risk_pct, least_equity } = openRisk;
  const isLimited = max_open_risk_pct !== null && decimal(max_open_risk_pct).gt(0);
  const limit =
    least_equity === null
      ? isLimited
        ? `so its limit of ${max_open_risk_pct}% cannot be checked`
        : "no limit is set"
      : `the latter within the limit of ${max_open_risk_pct}% if equity is at least ${least_equity} USD`;
  return [
    `Loss at all known stops: ${amount} USD from cost, ${market === null ? "unknown" : `${market} USD`} from the market, ${limit}.`,
    ...(unstopped.length === 0 ? [] : [`No known stop: ${joinSymbols(unstopped)}.`]),
  ];
}

const joinSymbols = (symbols: readonly string[]): string => [...new Set(symbols)].join(", ");

/** Formats a review: the summary, then each position with its weight. */
export const formatReview = (
  {
    positions,
    summary,
    hint,
    notes = [],
  }: {
    readonly positions: readonly ReviewedRow[];
    readonly summary: string;
    readonly hint: string | null;
    readonly notes?: readonly string[];
  },
  paint: Paint,
): string =>
  [
    summary,
    ...positions.flatMap((row) => [...formatPosition(row, paint), paint("dim", `  ${formatShare(row)}`)]),
    ...notes,
    ...(hint === null ? [] : [hint]),
  ].join("\n");

function formatShare({ weight_pct, open_risk, open_risk_from_market: market }: ReviewedRow): string {
  const risk =
    open_risk === null
      ? "no stop, open risk unknown"
      : `at risk to the stop ${open_risk} USD from cost, ${market === null ? "unknown" : `${market} USD`} from the market`;
  return `${weight_pct === null ? "weight unknown" : `${weight_pct}% of the total`}, ${risk}`;
}
