import type { Amount } from "../../domain/trading/trading.ts";
import { affordable, type Decimal, decimal, minDecimal, truncated } from "../../lib/decimal.ts";
import { CAPS } from "./caps.ts";

/** One step of a sizing, in the order of the calculation; `value` is a number as text. */
export interface SizingStep {
  readonly step: string;
  readonly formula: string;
  readonly value: string;
}

/** Inputs of a size. Amounts are in US dollars; prices and quantities are those of the instrument. */
export interface SizingInput {
  readonly equity: Amount;
  /** Risk of open positions and working orders. */
  readonly atRisk: Amount;
  readonly entry: Amount;
  /** Stop price, on either side of the entry. */
  readonly stop: Amount;
  /** Quantity step; 1 for whole units. */
  readonly step: Amount;
}

/** The limit that determines a size; `requested` is the requested size itself. */
export type SizeBound = "requested" | "trade" | "notional" | "open";

/** Quantity to buy or sell, with every step of the calculation; a null quantity means no trade, with the reason. */
export interface Size {
  readonly quantity: Amount | null;
  /** Loss at the stop, before costs; null without a trade. */
  readonly atRisk: Amount | null;
  readonly boundBy: SizeBound | null;
  readonly reason: string | null;
  readonly steps: readonly SizingStep[];
}

/** Returns a sizing step with its value truncated to `places` decimals. */
export const sizingStep = (name: string, formula: string, value: Decimal, places = 9): SizingStep => ({
  step: name,
  formula,
  value: truncated(value, places),
});

export const noTradeSize = (reason: string, steps: readonly SizingStep[] = []): Size => ({
  quantity: null,
  atRisk: null,
  boundBy: null,
  reason,
  steps,
});

/**
 * Returns the units that put a `share` of equity at risk between entry and stop, within the caps on the risk of one
 * trade, on total risk and on the cost of one trade, rounded down to the quantity step. Throws RangeError if entry,
 * stop or step is not above 0.
 */
export function unitsFor(input: SizingInput, share: Decimal, before: readonly SizingStep[]): Size {
  const [equity, entry, stop, smallest] = [input.equity, input.entry, input.stop, input.step].map(
    decimal,
  ) as [Decimal, Decimal, Decimal, Decimal];
  for (const [name, value] of Object.entries({ entry, stop, step: smallest }))
    if (value.lte(0)) throw new RangeError(`${name} must be above 0, not ${truncated(value)}`);
  if (equity.lte(0)) return noTradeSize(`there is no equity: ${truncated(equity, 2)} USD`, before);
  const distance = entry.minus(stop).abs();
  if (distance.eq(0)) return noTradeSize("the stop equals the entry, so nothing is at risk", before);

  const allowed = equity.times(CAPS.trade);
  const openRiskLeft = equity.times(CAPS.open).minus(input.atRisk);
  const wanted = equity.times(share);
  const money = equity.times(CAPS.notional);
  const risked = minDecimal(wanted, allowed, openRiskLeft);
  const steps = [
    ...before,
    sizingStep("risk_wanted", `${truncated(share)} x equity ${truncated(equity, 2)}`, wanted),
    sizingStep("risk_cap", `${CAPS.trade} x equity`, allowed),
    sizingStep(
      "open_risk_room",
      `${CAPS.open} x equity - ${truncated(decimal(input.atRisk), 2)} at risk`,
      openRiskLeft,
    ),
    sizingStep("risk", "the smallest of risk_wanted, risk_cap and open_risk_room", risked),
    sizingStep("risk_a_unit", `|entry ${truncated(entry)} - stop ${truncated(stop)}|`, distance),
  ];
  if (openRiskLeft.lte(0))
    return noTradeSize(
      `open trades already use the limit on open risk: ${CAPS.open * 100} % of equity`,
      steps,
    );
  const byRisk = affordable(risked, distance, smallest);
  const byNotional = affordable(money, entry, smallest);
  const units = minDecimal(byRisk, byNotional);
  steps.push(
    sizingStep("units_by_risk", `risk / risk_a_unit, in steps of ${truncated(smallest)}`, byRisk),
    sizingStep("units_by_notional", `${CAPS.notional} x equity / entry, in the same steps`, byNotional),
    sizingStep("quantity", "the smaller of units_by_risk and units_by_notional", units),
  );
  if (units.lte(0))
    return noTradeSize(
      `the smallest order, ${truncated(smallest)}, exceeds the limit on ${byRisk.lte(0) ? "risk" : "cost"}`,
      steps,
    );
  const boundBy = byNotional.lt(byRisk)
    ? "notional"
    : openRiskLeft.lt(wanted) && openRiskLeft.lt(allowed)
      ? "open"
      : allowed.lt(wanted)
        ? "trade"
        : "requested";
  return {
    quantity: truncated(units),
    atRisk: truncated(units.times(distance)),
    boundBy,
    reason: null,
    steps,
  };
}
