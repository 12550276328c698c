import type { Sizing } from "../../domain/backtest/backtest.ts";
import { ASSUMED_STOP_ATR, CAPS, DEFAULT_KELLY_FRACTION } from "../sizing/caps.ts";
import { kellyStake, type TradeStats } from "./trade-stats.ts";
import type { Refused } from "./types.ts";

/** Share of equity that a Kelly entry risks until there are enough closed trades. */
const START_RISK_SHARE = 0.005;

/** Factor slightly below 1, so that rounding never buys more than the cash allows. */
const ROUNDING_FACTOR = 1 - Number.EPSILON;

/** State of the account at the open that would fill an entry. Amounts in USD; `range` and `stop` are NaN if missing. */
export interface EntryState {
  /** Entry price including slippage. */
  readonly price: number;
  /** Cost of one unit including commission. */
  readonly cost: number;
  readonly equity: number;
  /** Equity not tied up in positions. */
  readonly available: number;
  /** Number of symbols that share the account. */
  readonly streams: number;
  readonly stop: number;
  /** ATR14 of the decision bar. */
  readonly range: number;
  /** Amount at risk in open positions. */
  readonly atRisk: number;
  readonly tradeStats: TradeStats;
}

/** Units that an entry buys and the risk per unit; `risk` is NaN if the sizing does not use it. */
export interface Sized {
  readonly units: number;
  readonly risk: number;
}

/**
 * Returns the size of an entry, or why it is refused. Sizes that are a share of equity (all_in, percent) or a risk
 * (volatility, kelly) shrink to the available cash; a fixed number of units is bought in full or refused.
 */
export function sizeOf(entry: EntryState, sizing: Sizing, fractional: boolean): Sized | Refused["reason"] {
  const { kind, value } = sizing;
  const { equity, available, cost } = entry;
  if (!(available > 0)) return "cash";
  const floor = fractional ? (units: number) => units : Math.floor;
  if (kind === "units") {
    const units = floor(value ?? 0);
    return units > 0 && units * cost <= available ? { units, risk: Number.NaN } : "cash";
  }
  if (kind === "all_in" || kind === "percent") {
    const budget = kind === "all_in" ? equity / entry.streams : (equity * (value ?? 0)) / 100;
    const units = floor((Math.min(budget, available) * ROUNDING_FACTOR) / cost);
    return units > 0 ? { units, risk: Number.NaN } : "cash";
  }
  const usesStop = kind === "kelly" && !Number.isNaN(entry.stop);
  const risk = usesStop ? Math.abs(entry.price - entry.stop) : ASSUMED_STOP_ATR * entry.range;
  if (!(risk > 0)) return "no_range";
  const wanted =
    kind === "kelly"
      ? kellyUnits(entry, risk, value ?? DEFAULT_KELLY_FRACTION)
      : volatilityUnits(entry, risk, value ?? 0);
  if (typeof wanted === "string") return wanted;
  const units = floor(Math.min(wanted, (available * ROUNDING_FACTOR) / cost));
  return units > 0 ? { units, risk } : "cash";
}

const volatilityUnits = ({ equity }: EntryState, risk: number, percent: number): number =>
  (equity * percent) / 100 / risk;

function kellyUnits(entry: EntryState, risk: number, fraction: number): number | "no_edge" | "risk_cap" {
  const { equity, tradeStats } = entry;
  const stake = kellyStake(tradeStats);
  if (stake !== null && stake <= 0) return "no_edge";
  const openRisk = CAPS.open * equity - entry.atRisk;
  if (!(openRisk > 0)) return "risk_cap";
  const share = stake === null ? START_RISK_SHARE : Math.min(fraction * stake, CAPS.trade);
  return Math.min(Math.min(share * equity, openRisk) / risk, (CAPS.notional * equity) / entry.price);
}
