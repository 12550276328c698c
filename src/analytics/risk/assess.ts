import type { RiskLimits } from "../../domain/trading/risk.ts";
import type { RiskCheck } from "../../domain/trading/trading.ts";
import { cooldown, dailyLoss, drawdownHalt } from "./loss-rules.ts";
import { stopOverTarget } from "./odds-rules.ts";
import { limitPriceOff, priceConfirmed, stopPriceOff } from "./price-rules.ts";
import { openingUnits, type Rule, type Situation } from "./situation.ts";
import {
  buyingPower,
  maxNotional,
  maxOpenRisk,
  maxQuantity,
  maxShare,
  quantityStep,
  shortSale,
  unitsReservedByExits,
} from "./size-rules.ts";
import { killSwitch, marketHours, ordersAMinute, staleQuote } from "./time-rules.ts";
import { failedCheck, passedCheck, withTerms } from "./verdict.ts";

/** Rejects openings in symbols that are not on the owner's list. */
const allowList: Rule = (situation, { symbols }) => {
  if (symbols === null || openingUnits(situation).eq(0)) return null;
  const { symbol } = situation.intent;
  const list = symbols.join(" ");
  return symbols.includes(symbol)
    ? passedCheck("symbols", symbol, list)
    : failedCheck("symbols", symbol, list, null);
};

const RULES: readonly Rule[] = [
  killSwitch,
  allowList,
  marketHours,
  staleQuote,
  priceConfirmed,
  ordersAMinute,
  quantityStep,
  shortSale,
  unitsReservedByExits,
  limitPriceOff,
  stopPriceOff,
  maxQuantity,
  maxNotional,
  maxShare,
  buyingPower,
  maxOpenRisk,
  stopOverTarget,
  dailyLoss,
  drawdownHalt,
  cooldown,
];

/** Checks an order against every applicable rule. The order may be sent if all pass. */
export const assess = (situation: Situation, limits: RiskLimits): readonly RiskCheck[] =>
  RULES.flatMap((rule) => rule(situation, limits) ?? []).map(withTerms);
