import type { Gaps } from "../../analytics/check/gaps.ts";
import type { AccountRisk } from "../../analytics/check/portfolio.ts";
import {
  closingUnits,
  openingUnits,
  type Situation,
  signOf,
  unitRisk,
  worstEntry,
  worstUnitPrice,
} from "../../analytics/risk/situation.ts";
import type { CheckAdds, CheckLoss } from "../../domain/check/check.ts";
import { type Decimal, decimal } from "../../lib/decimal.ts";
import type { ReadHoldings } from "./holdings.ts";
import { grossOf } from "./situation.ts";

/** Returns the loss of the opened units at the stop, in a night and at worst; null if nothing is opened. */
export function lossOf(situation: Situation, gaps: Gaps | null): CheckLoss | null {
  const opens = openingUnits(situation);
  if (opens.eq(0)) return null;
  const { intent, equity } = situation;
  const entry = worstEntry(situation);
  const distance = intent.stop_loss === null ? null : entry.minus(intent.stop_loss).times(signOf(intent));
  const atStop = distance === null || distance.lte(0) ? null : opens.times(distance);
  const value = opens.times(entry).toNumber();
  return {
    at_stop: atStop?.toNumber() ?? null,
    at_stop_pct:
      atStop === null || equity === null || decimal(equity).lte(0)
        ? null
        : atStop.times(100).div(equity).toNumber(),
    gap_99: gaps === null ? null : value * gaps.p99,
    gap_worst: gaps === null ? null : value * gaps.worst,
    gaps_beyond_stop: gaps === null || atStop === null ? null : gaps.beyond(distance!.div(entry).toNumber()),
    ...(gaps !== null && { gap_days: gaps.nights }),
    worst: intent.side === "buy" ? opens.times(worstUnitPrice(situation)).toNumber() : null,
  };
}

/** Returns what the order adds to the account, in percent of equity; null without equity above 0. */
export function addsOf(
  situation: Situation,
  holdings: ReadHoldings,
  risk: AccountRisk | null,
): CheckAdds | null {
  const equity = Number(situation.equity ?? 0);
  if (equity <= 0) return null;
  const [opens, closes] = [openingUnits(situation), closingUnits(situation)];
  const entry = worstEntry(situation);
  const held = decimal(situation.holding ?? situation.held).times(situation.price);
  const sign = signOf(situation.intent);
  const after = held.plus(closes.times(situation.price).plus(opens.times(entry)).times(sign));
  const percent = (amount: number | null) => (amount === null ? null : (100 * amount) / equity);
  const openRisk = situation.openRisk === null ? null : Number(situation.openRisk);
  const added = opens.times(unitRisk(situation)).minus(riskClosed(situation, holdings)).toNumber();
  return {
    position_pct: percent(after.abs().toNumber())!,
    open_risk_before_pct: percent(openRisk),
    open_risk_pct: percent(openRisk === null || isStopMisplaced(situation) ? null : openRisk + added),
    day_sd_before_pct: percent(risk?.before ?? null),
    day_sd_pct: percent(risk?.after ?? null),
    correlation: risk?.correlation ?? null,
    nearest: (risk?.nearest ?? []).map(({ symbol, correlation }) => `${symbol} ${correlation.toFixed(2)}`),
    gross_pct: percent(
      grossOf(holdings).plus(opens.times(entry)).minus(closes.times(situation.price)).toNumber(),
    )!,
  };
}

/** Returns true for a stop at or beyond the entry, at which a loss cannot be measured. */
const isStopMisplaced = (situation: Situation): boolean =>
  situation.intent.stop_loss !== null && openingUnits(situation).gt(0) && unitRisk(situation).lte(0);

/** Returns the risk of the units that an order closes, USD. */
function riskClosed(situation: Situation, { holdings }: ReadHoldings): Decimal {
  const rows = holdings.filter(({ symbol }) => symbol === situation.intent.symbol);
  const units = rows.reduce((sum, { quantity }) => sum.plus(decimal(quantity).abs()), decimal(0));
  const risk = rows.reduce((sum, one) => sum.plus(one.risk), decimal(0));
  return units.eq(0) ? decimal(0) : risk.times(closingUnits(situation)).div(units);
}
