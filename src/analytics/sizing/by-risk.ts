import type { Amount } from "../../domain/trading/trading.ts";
import { decimal, stepDown, truncated } from "../../lib/decimal.ts";
import { noTradeSize, type Size, type SizingInput, sizingStep, unitsFor } from "./units.ts";

/** Returns the size that risks a percentage of equity between entry and stop, within the caps of every trade. */
export function sizeByRisk(input: SizingInput, riskPct: Amount): Size {
  const percent = decimal(riskPct);
  if (percent.lte(0)) return noTradeSize(`risk_pct must be above 0, not ${truncated(percent)}`);
  return unitsFor(input, percent.times("0.01"), [
    sizingStep("share", `risk_pct ${truncated(percent)} / 100`, percent.times("0.01"), 11),
  ]);
}

/** Returns the size that closes the requested units without adding risk. */
export function sizeToClose(input: Pick<SizingInput, "entry" | "step">, quantity: Amount): Size {
  const size = sizeByQuantity({ ...input, stop: null }, quantity);
  return {
    ...size,
    ...(size.quantity !== null && { atRisk: "0" }),
    steps: size.steps.filter(({ step: name }) => name !== "risk_a_unit" && name !== "risk"),
  };
}

/**
 * Returns the requested size unchanged, or no trade: a requested size is never rounded. With `stop` null the full price
 * is at risk.
 */
export function sizeByQuantity(
  input: Pick<SizingInput, "entry" | "step"> & { readonly stop: Amount | null },
  quantity: Amount,
): Size {
  const [units, entry, smallest] = [decimal(quantity), decimal(input.entry), decimal(input.step)];
  if (units.lte(0)) return noTradeSize(`quantity must be above 0, not ${truncated(units)}`);
  const roundedUnits = stepDown(units, smallest);
  if (!roundedUnits.eq(units))
    return noTradeSize(
      `quantity ${truncated(units)} is not a multiple of ${truncated(smallest)}; use ${truncated(roundedUnits.gt(0) ? roundedUnits : smallest)}`,
    );
  const distance = input.stop === null ? entry : entry.minus(input.stop).abs();
  const atRisk = units.times(distance);
  const risk =
    input.stop === null
      ? "entry, because there is no stop"
      : `|entry ${truncated(entry)} - stop ${input.stop}|`;
  return {
    quantity: truncated(units),
    atRisk: truncated(atRisk),
    boundBy: "requested",
    reason: null,
    steps: [
      sizingStep("quantity", "as requested", units),
      sizingStep("notional", `quantity x entry ${truncated(entry)}`, units.times(entry)),
      sizingStep("risk_a_unit", risk, distance),
      sizingStep("risk", "quantity x risk_a_unit", atRisk),
    ],
  };
}
