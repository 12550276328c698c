import {
  concentrationOf,
  openRiskOf,
  type ReviewedPosition,
  sharesOf,
} from "../../analytics/positions/review.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { PositionRow } from "../../domain/trading/positions.ts";
import type { ConcentrationSummary, OpenRiskSummary, ReviewedRow } from "../../domain/trading/review.ts";
import type { RiskLimits } from "../../domain/trading/risk.ts";
import { decimal } from "../../lib/decimal.ts";
import { formatPosition } from "./position.text.ts";

/** Positions looked at together. */
export interface PositionReview {
  readonly positions: readonly ReviewedRow[];
  readonly concentration: ConcentrationSummary;
  readonly openRisk: OpenRiskSummary;
}

/** Weight, concentration and open risk of listed positions against the owner's limits. */
export function reviewPositions(
  rows: readonly PositionRow[],
  { max_open_risk_pct, max_notional_usd }: Pick<RiskLimits, "max_open_risk_pct" | "max_notional_usd">,
): PositionReview {
  const looked = rows.map(toReviewedPosition);
  const shares = sharesOf(looked);
  const { largest, effectivePositions, ...concentration } = concentrationOf(looked);
  const { leastEquity, amount, unstopped } = openRiskOf(looked, max_open_risk_pct);
  return {
    positions: rows.map((row, i) => ({
      ...row,
      weight_pct: shares[i]!.weightPct,
      open_risk: shares[i]!.openRisk,
      over_max_notional:
        row.market_value === null || max_notional_usd === null
          ? null
          : decimal(row.market_value).abs().gt(max_notional_usd),
    })),
    concentration: {
      ...concentration,
      largest: largest === null ? null : { symbol: largest.symbol, weight_pct: largest.weightPct },
      effective_positions: effectivePositions,
      unpriced: [...new Set(rows.flatMap((row) => (row.market_value === null ? row.symbol : [])))],
    },
    openRisk: { amount, unstopped: [...unstopped], max_open_risk_pct, least_equity: leastEquity },
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

/** A review in a few sentences: what to do with which, how concentrated it is, and what the stops would cost. */
export function formatReviewSummary({ positions, concentration, openRisk }: PositionReview): string {
  if (positions.length === 0) return "Nothing is held.";
  const { gross, largest, effective_positions: equal, unpriced } = concentration;
  const named = (action: (typeof ACTION_ORDER)[number]) =>
    joinSymbols(positions.flatMap((row) => (row.edge.action === action ? row.symbol : [])));
  const breached = joinSymbols(
    positions.flatMap((row) => (row.edge.stop_breached === true ? row.symbol : [])),
  );
  const over = joinSymbols(positions.flatMap((row) => (row.over_max_notional === true ? row.symbol : [])));
  return [
    `${positions.length} ${positions.length === 1 ? "position" : "positions"}, ${gross} USD gross.`,
    `${ACTION_ORDER.flatMap((action) => (named(action) === "" ? [] : `${action}: ${named(action)}`)).join("; ")}.`,
    ...(breached === "" ? [] : [`Stops reached: ${breached}.`]),
    ...(largest === null
      ? []
      : [
          `Largest is ${largest.symbol} with ${largest.weight_pct}%; as concentrated as ${equal} equal positions.`,
        ]),
    ...(over === "" ? [] : [`Larger than one order may open: ${over}.`]),
    ...formatOpenRisk(openRisk),
    ...(unpriced.length === 0 ? [] : [`Without a price, in no share: ${joinSymbols(unpriced)}.`]),
  ].join(" ");
}

function formatOpenRisk({
  amount,
  unstopped,
  max_open_risk_pct,
  least_equity,
}: OpenRiskSummary): readonly string[] {
  const limit =
    least_equity === null
      ? "no limit is set on it"
      : `within ${max_open_risk_pct}% of equity from ${least_equity} USD of equity on`;
  return [
    `Known stops would cost ${amount} USD: ${limit}.`,
    ...(unstopped.length === 0 ? [] : [`No stop is known of ${joinSymbols(unstopped)}.`]),
  ];
}

const joinSymbols = (symbols: readonly string[]): string => [...new Set(symbols)].join(", ");

/** A review as a person reads it: each position with its share, then all of them together. */
export const formatReview = (
  {
    positions,
    summary,
    hint,
  }: { readonly positions: readonly ReviewedRow[]; readonly summary: string; readonly hint: string | null },
  paint: Paint,
): string =>
  [
    ...positions.flatMap((row) => [...formatPosition(row, paint), paint("dim", `  ${formatShare(row)}`)]),
    summary,
    ...(hint === null ? [] : [hint]),
  ].join("\n");

const formatShare = ({ weight_pct, open_risk }: ReviewedRow): string =>
  `${weight_pct === null ? "no share known" : `${weight_pct}% of all`}, ${open_risk === null ? "no stop, open risk unknown" : `${open_risk} USD lost at the stop`}`;
