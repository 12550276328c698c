import {
  affordable,
  type Decimal,
  decimal,
  maxDecimal,
  placesOf,
  roundAwayFromZero,
  roundHalfUp,
  stepDown,
  truncated,
} from "../../lib/decimal.ts";
import { CAPS } from "../sizing/caps.ts";
import {
  closingUnits,
  openingUnits,
  type Rule,
  type Situation,
  signOf,
  unitRisk,
  worstEntry,
} from "./situation.ts";
import { unknownIfOpening } from "./size-rules.ts";
import { failedCheck, passedCheck, type RuleName, type Verdict } from "./verdict.ts";

/** Advice on shares in percent, where the owner set no limit: the second figure of a pair stops an order. */
const ADVICE = {
  tradeRisk: [CAPS.trade * 100, 5],
  position: [20, null],
  correlated: [40, null],
  gross: [150, null],
  volume: [1, 10],
} as const satisfies Readonly<Record<string, readonly [number, number | null]>>;
/** Loss beyond the stop in one night of 100 that warns, as a multiple of the loss at the stop. */
const GAP_LOSS = 2;
/** Spreads in percent of the middle above which an order at the market warns. */
const SPREAD_PCT = { usual: "0.5", option: "10" } as const;
const PLACES = 2;

interface Share {
  /** Amount that is limited: what is there before the order, and what each opened unit adds. */
  readonly before?: Decimal;
  readonly each: Decimal;
  /** Amount of 100 %. */
  readonly whole: Decimal;
  /** The owner's limit in percent; null for the advice. */
  readonly most?: string | null;
  readonly advice: readonly [number, number | null];
}

/** Limits a share in percent; the passing value is a quantity of the order. */
function onShare(rule: RuleName, situation: Situation, share: Share): Verdict | null {
  const { before = decimal(0), each, whole, most = null, advice } = share;
  const opened = openingUnits(situation);
  if (opened.eq(0) || each.lte(0)) return null;
  const [warns, stops] = advice;
  const limit = decimal(most ?? warns);
  const comes = before.plus(opened.times(each)).times(100);
  const percent = comes.div(whole);
  if (comes.lte(limit.times(whole))) return passedCheck(rule, roundHalfUp(percent, PLACES), truncated(limit));
  const shown = roundHalfUp(percent, PLACES);
  const value = limit.gte(shown) ? roundAwayFromZero(percent, PLACES) : shown;
  const room = whole.times(limit).times("0.01").minus(before);
  const fits = affordable(room, each, decimal(situation.step));
  const units = stepDown(closingUnits(situation).plus(maxDecimal(fits, decimal(0))), decimal(situation.step));
  const check = failedCheck(rule, value, truncated(limit), units.gt(0) ? truncated(units) : null);
  const isFar = stops !== null && comes.gt(whole.times(stops));
  return isFar ? { ...check, level: "stop" } : check;
}

/** Returns the equity as the whole of a share; null if it is unknown or not above 0. */
const equityOf = ({ equity }: Situation): Decimal | null =>
  equity === null || decimal(equity).lte(0) ? null : decimal(equity);

/** Limits the loss of the order at its stop, in percent of equity. */
export const tradeRisk: Rule = (situation, { max_trade_risk_pct: most }) => {
  const [whole, advice] = [equityOf(situation), ADVICE.tradeRisk];
  return whole === null
    ? unknownIfOpening("trade_risk", situation, most ?? String(advice[0]))
    : onShare("trade_risk", situation, { each: unitRisk(situation), whole, most, advice });
};

/** Returns the value of what is held of the symbol on the side of the order, USD. */
function heldValue({ intent, held, holding = held, price }: Situation): Decimal {
  const units = decimal(holding).times(signOf(intent));
  return units.gt(0) ? units.times(price) : decimal(0);
}

/** Limits the value of the position after the order, in percent of equity. */
export const positionShare: Rule = (situation, { max_position_pct: most }) => {
  const [whole, advice] = [equityOf(situation), ADVICE.position];
  if (whole === null) return unknownIfOpening("position_share", situation, most ?? String(advice[0]));
  const { option, intent } = situation;
  // a put that is sold may become a position at its strike
  const isPutSold = option?.right === "put" && intent.side === "sell";
  const each = isPutSold ? decimal(option.strikeValue) : worstEntry(situation);
  const before = isPutSold ? decimal(option.sharesValue).plus(option.putsValue) : heldValue(situation);
  const share = { before, each, whole, most, advice };
  return onShare("position_share", situation, share);
};

/** Warns of the value of the position and of holdings that move with it, in percent of equity. */
export const correlatedShare: Rule = (situation) => {
  const { correlated } = situation;
  const [whole, advice] = [equityOf(situation), ADVICE.correlated];
  if (correlated === undefined) return null;
  if (whole === null || correlated === null)
    return unknownIfOpening("correlated_share", situation, String(advice[0]));
  if (decimal(correlated).eq(0)) return passedCheck("correlated_share", "none", String(advice[0]));
  const before = decimal(correlated).plus(heldValue(situation));
  return onShare("correlated_share", situation, { before, each: worstEntry(situation), whole, advice });
};

/** Warns of the value of all holdings, long and short, in percent of equity. */
export const gross: Rule = (situation) => {
  const { gross: holdings } = situation;
  const [whole, advice] = [equityOf(situation), ADVICE.gross];
  if (holdings === undefined) return null;
  if (whole === null || holdings === null) return unknownIfOpening("gross", situation, String(advice[0]));
  const closed = closingUnits(situation).times(worstEntry(situation));
  const before = maxDecimal(decimal(holdings).minus(closed), decimal(0));
  return onShare("gross", situation, { before, each: worstEntry(situation), whole, advice });
};

/** Limits the opened units to a share of the mean daily volume. */
export const liquidity: Rule = (situation, { max_adv_pct: most }) => {
  const { averageVolume } = situation;
  if (averageVolume === undefined) return null;
  const advice = ADVICE.volume;
  if (averageVolume === null) return unknownIfOpening("liquidity", situation, most ?? String(advice[0]));
  return onShare("liquidity", situation, { each: decimal(1), whole: decimal(averageVolume), most, advice });
};

/** Warns if one night in 100 costs more than a multiple of the loss at the stop. */
export const gapRisk: Rule = (situation) => {
  const { gaps, intent } = situation;
  if (gaps === undefined || intent.stop_loss === null || openingUnits(situation).eq(0)) return null;
  if (gaps === null) return unknownIfOpening("gap_risk", situation, String(GAP_LOSS));
  const risk = unitRisk(situation);
  const distance = worstEntry(situation).minus(intent.stop_loss).times(signOf(intent));
  if (distance.lte(0)) return null; // stop_loss_side says more
  const times = worstEntry(situation).times(gaps.p99).div(risk);
  const value = truncated(times, 1);
  return times.lte(GAP_LOSS)
    ? passedCheck("gap_risk", value, String(GAP_LOSS))
    : failedCheck(
        "gap_risk",
        decimal(value).gt(GAP_LOSS) ? value : truncated(times, 4),
        String(GAP_LOSS),
        null,
      );
};

/** Warns of a wide spread for an order that fills at the market; a limit order in the middle passes. */
export const spread: Rule = (situation) => {
  const { spread: quoted, intent, tick, option } = situation;
  const isAtMarket = intent.type === "market" || intent.type === "stop";
  if (quoted == null || !isAtMarket) return null;
  const [bid, ask] = [decimal(quoted.bid), decimal(quoted.ask)];
  const middle = bid.plus(ask).div(2);
  const percent = ask.minus(bid).times(100).div(middle);
  const value = truncated(percent, PLACES);
  const limit = SPREAD_PCT[option === undefined ? "usual" : "option"];
  if (percent.lte(limit)) return passedCheck("spread", value, limit);
  const near = stepDown(middle, decimal(tick));
  const shown = decimal(value).gt(limit) ? value : roundAwayFromZero(percent, PLACES);
  return failedCheck("spread", shown, limit, `type limit, limit_price ${near.toFixed(placesOf(tick))}`);
};
