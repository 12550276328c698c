import type { ConcentrationSummary, OpenRiskSummary, ReviewedRow } from "../../domain/trading/review.ts";
import { type Decimal, decimal, maxDecimal, roundAwayFromZero, roundHalfUp } from "../../lib/decimal.ts";

/** A position under review; amounts are US dollars as text or number. */
export interface ReviewedPosition {
  readonly symbol: string;
  readonly side: "LONG" | "SHORT";
  readonly quantity: string;
  readonly averagePrice: string;
  readonly marketValue: string | null;
  readonly stop: number | null;
}

const PLACES = 2;

/** Returns the weight and open risk of each position, in input order. */
export function sharesOf(
  positions: readonly ReviewedPosition[],
): readonly Pick<ReviewedRow, "weight_pct" | "open_risk">[] {
  const gross = grossOf(positions);
  return positions.map(({ side, quantity, averagePrice, marketValue, stop }) => ({
    weight_pct:
      marketValue === null || gross.eq(0)
        ? null
        : decimal(marketValue).abs().times(100).div(gross).round(PLACES).toNumber(),
    open_risk: stop === null ? null : roundHalfUp(riskAt({ side, quantity, averagePrice, stop }), PLACES),
  }));
}

/** Returns the concentration of positions by symbol. @see Herfindahl, 1950; Hirschman, 1945 */
export function concentrationOf(
  positions: readonly ReviewedPosition[],
): Omit<ConcentrationSummary, "unpriced"> {
  const gross = grossOf(positions);
  const bySymbol = new Map<string, Decimal>();
  let net = decimal(0);
  for (const { symbol, marketValue } of positions) {
    if (marketValue === null) continue;
    bySymbol.set(symbol, (bySymbol.get(symbol) ?? decimal(0)).plus(decimal(marketValue).abs()));
    net = net.plus(marketValue);
  }
  const exposure = { gross: roundHalfUp(gross, PLACES), net: roundHalfUp(net, PLACES) };
  if (gross.eq(0)) return { ...exposure, largest: null, herfindahl: null, effective_positions: null };
  const weights = [...bySymbol].map(([symbol, worth]) => ({ symbol, weight: worth.div(gross) }));
  const [largest] = weights.toSorted((a, b) => b.weight.cmp(a.weight));
  const sum = weights.reduce((all, { weight }) => all.plus(weight.times(weight)), decimal(0));
  return {
    ...exposure,
    largest:
      largest === undefined
        ? null
        : { symbol: largest.symbol, weight_pct: largest.weight.times(100).round(PLACES).toNumber() },
    herfindahl: sum.round(4).toNumber(),
    effective_positions: decimal(1).div(sum).round(PLACES).toNumber(),
  };
}

/** Returns the open risk of positions and the equity required by a limit in percent; null without a limit. */
export function openRiskOf(
  positions: readonly ReviewedPosition[],
  limitPct: string | null,
): Omit<OpenRiskSummary, "max_open_risk_pct"> {
  let amount = decimal(0);
  const unstopped = new Set<string>();
  for (const { stop, ...position } of positions)
    if (stop === null) unstopped.add(position.symbol);
    else amount = amount.plus(riskAt({ ...position, stop }));
  const limited = limitPct !== null && decimal(limitPct).gt(0);
  return {
    amount: roundHalfUp(amount, PLACES),
    unstopped: [...unstopped],
    least_equity: limited ? roundAwayFromZero(amount.times(100).div(limitPct), PLACES) : null,
  };
}

const grossOf = (positions: readonly ReviewedPosition[]): Decimal =>
  positions.reduce(
    (sum, { marketValue }) => (marketValue === null ? sum : sum.plus(decimal(marketValue).abs())),
    decimal(0),
  );

/** Returns the loss from the average price to the stop; 0 for a stop on the winning side. */
function riskAt({
  side,
  quantity,
  averagePrice,
  stop,
}: Pick<ReviewedPosition, "side" | "quantity" | "averagePrice"> & { readonly stop: number }): Decimal {
  const lost = decimal(averagePrice)
    .minus(stop)
    .times(side === "LONG" ? 1 : -1);
  return decimal(quantity)
    .abs()
    .times(maxDecimal(lost, decimal(0)));
}
