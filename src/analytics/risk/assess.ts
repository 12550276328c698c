import type { RiskLimits } from "../../domain/trading/risk.ts";
import type { RiskCheck } from "../../domain/trading/trading.ts";
import {
  exitsOnClosing,
  stopInNoise,
  stopLossSide,
  stopMissing,
  stopPriceSide,
  takeProfitSide,
  tick,
} from "./exit-rules.ts";
import { cooldown, dailyLoss, drawdownHalt } from "./loss-rules.ts";
import { stopOverTarget } from "./odds-rules.ts";
import { cashSecured, expired, nakedCall } from "./option-rules.ts";
import {
  crossesOwn,
  dayTrade,
  duplicate,
  earningsInside,
  fraction,
  session,
  symbolAmbiguous,
  washSale,
} from "./order-rules.ts";
import { limitPriceOff, priceAge, priceAgrees, priceConfirmed, stopPriceOff } from "./price-rules.ts";
import {
  correlatedShare,
  gapRisk,
  gross,
  liquidity,
  positionShare,
  spread,
  tradeRisk,
} from "./share-rules.ts";
import { openingUnits, type Rule, type Situation } from "./situation.ts";
import {
  buyingPower,
  maxNotional,
  maxOpenRisk,
  maxQuantity,
  maxShare,
  oversell,
  quantityStep,
  unitsReservedByExits,
} from "./size-rules.ts";
import { killSwitch, marketHours, ordersAMinute, staleQuote } from "./time-rules.ts";
import { failedCheck, type OwnedLimits, passedCheck, withTerms } from "./verdict.ts";

/** Rejects openings in symbols that are not on the owner's list. */
const allowList: Rule = (situation, { symbols }) => {
  if (symbols === null || openingUnits(situation).eq(0)) return null;
  const { symbol } = situation.intent;
  const list = symbols.join(" ");
  return symbols.includes(symbol)
    ? passedCheck("symbols", symbol, list)
    : failedCheck("symbols", symbol, list, null);
};

/** Every rule, in the order of the answers. */
export const RULES: readonly Rule[] = [
  killSwitch,
  allowList,
  marketHours,
  session,
  staleQuote,
  priceAge,
  priceConfirmed,
  priceAgrees,
  ordersAMinute,
  duplicate,
  crossesOwn,
  quantityStep,
  fraction,
  oversell,
  unitsReservedByExits,
  limitPriceOff,
  stopPriceOff,
  stopPriceSide,
  stopLossSide,
  takeProfitSide,
  exitsOnClosing,
  tick,
  stopMissing,
  stopInNoise,
  maxQuantity,
  maxNotional,
  maxShare,
  buyingPower,
  tradeRisk,
  maxOpenRisk,
  gapRisk,
  positionShare,
  correlatedShare,
  gross,
  liquidity,
  spread,
  stopOverTarget,
  dailyLoss,
  drawdownHalt,
  cooldown,
  expired,
  nakedCall,
  cashSecured,
  earningsInside,
  washSale,
  dayTrade,
  symbolAmbiguous,
];

/**
 * Checks an order against every applicable rule. It may be sent if none is broken. `owned`: the limits that the owner set,
 * of an order that goes elsewhere. Default: every limit binds.
 */
export const assess = (
  situation: Situation,
  limits: RiskLimits,
  owned: OwnedLimits = "all",
): readonly RiskCheck[] =>
  RULES.flatMap((rule) => rule(situation, limits) ?? []).map((verdict) => withTerms(verdict, limits, owned));
