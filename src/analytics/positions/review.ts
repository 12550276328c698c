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
): readonly Pick<ReviewedRow, "weight_pct" | "open_risk" | "open_risk_from_market">[] {
  const gross = grossOf(positions);
  return positions.map(({ marketValue, stop, ...position }) => ({
    weight_pct:
      marketValue === null || gross.eq(0)
        ? null
        : decimal(marketValue).abs().times(100).div(gross).round(PLACES).toNumber(),
    open_risk: stop === null ? null : roundHalfUp(riskFromCost({ ...position, stop }), PLACES),
    open_risk_from_market:
      stop === null || marketValue === null
        ? null
        : roundHalfUp(riskFrom({ ...position, from: decimal(marketValue).abs(), stop }), PLACES),
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

/**
 * Returns the open risk of positions from their cost and from the market, and the equity required by a limit in percent
 * for the latter; null without a limit. A position without a price counts from its cost; both are null if its stop is
 * beyond its cost, because what it loses is unknown.
 */
export function openRiskOf(
  positions: readonly ReviewedPosition[],
  limitPct: string | null,
): Omit<OpenRiskSummary, "max_open_risk_pct"> {
  let amount = decimal(0);
  let market = decimal(0);
  const unstopped = new Set<string>();
  let isKnown = true;
  for (const { stop, marketValue, ...position } of positions) {
    if (stop === null) {
      unstopped.add(position.symbol);
      continue;
    }
    const cost = riskFromCost({ ...position, stop });
    amount = amount.plus(cost);
    const isPriced = marketValue !== null;
    if (!isPriced && cost.eq(0)) isKnown = false;
    market = market.plus(isPriced ? riskFrom({ ...position, from: decimal(marketValue).abs(), stop }) : cost);
  }
  const limited = isKnown && limitPct !== null && decimal(limitPct).gt(0);
  return {
    amount: roundHalfUp(amount, PLACES),
    amount_from_market: isKnown ? roundHalfUp(market, PLACES) : null,
    unstopped: [...unstopped],
    least_equity: limited ? roundAwayFromZero(market.times(100).div(limitPct), PLACES) : null,
  };
}

const grossOf = (positions: readonly ReviewedPosition[]): Decimal =>
  positions.reduce(
    (sum, { marketValue }) => (marketValue === null ? sum : sum.plus(decimal(marketValue).abs())),
    decimal(0),
  );

type Exposure = Pick<ReviewedPosition, "side" | "quantity"> & { readonly stop: number };

const riskFromCost = ({ averagePrice, ...position }: Exposure & Pick<ReviewedPosition, "averagePrice">) =>
  riskFrom({ ...position, from: decimal(position.quantity).abs().times(averagePrice) });

/** Returns the loss from a value of all units to the stop; 0 for a stop that the value has passed. */
function riskFrom({ side, quantity, stop, from }: Exposure & { readonly from: Decimal }): Decimal {
  const atStop = decimal(quantity).abs().times(stop);
  return maxDecimal(side === "LONG" ? from.minus(atStop) : atStop.minus(from), decimal(0));
}
