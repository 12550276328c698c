import { bestEntry, worstEntry } from "../../analytics/risk/situation.ts";
import { sizeByQuantity, sizeByRisk, sizeToClose } from "../../analytics/sizing/by-risk.ts";
import { sizeByKelly, type TradeRecord } from "../../analytics/sizing/kelly.ts";
import { noTrade, type Size } from "../../analytics/sizing/units.ts";
import type { Instrument, Quote } from "../../domain/market/market.ts";
import type { Preview, TradeRequest } from "../../domain/trading/preview.ts";
import type { AccountType, Amount, Side } from "../../domain/trading/trading.ts";
import { type Decimal, decimal, stepDown, truncated } from "../../lib/decimal.ts";
import { type AccountState, CLOSING_STEP, isClosing, quantityStep, tickSize } from "./situation.ts";

/** What a signal makes of a trade, with the record of trades like it. */
export interface TradePlan {
  readonly signal: NonNullable<Preview["signal"]>;
  readonly stop: number;
  readonly target: number | null;
  readonly record: TradeRecord;
}

export interface SizingResult extends Omit<Size, "boundBy"> {
  /** What kept it from being larger: a cap of the sizing, or a rule of the owner's. */
  readonly boundBy: string | null;
  readonly method: Preview["sizing"]["method"];
  readonly stop: Amount | null;
  readonly target: Amount | null;
  /** Which exits of the signal do not fit this entry and are left out. */
  readonly leftOut?: string;
}

interface SizingInput {
  readonly side: Side | null;
  readonly held: Decimal;
  readonly quote: Quote;
  readonly instrument: Instrument;
  readonly standing: AccountState;
  readonly asked: TradeRequest;
  readonly plan: TradePlan | null;
  readonly type: AccountType;
}

const SIGNAL_DIRECTION = { buy: "LONG", sell: "SHORT" } as const;

/** How many units, by the quantity or risk that was asked for on paper, else by the record of such signals (Kelly). */
export function sizeTrade({
  side,
  held,
  quote,
  instrument,
  standing,
  asked,
  plan,
  type,
}: SizingInput): SizingResult {
  const { quantity, risk_pct } = asked;
  const method = quantity !== undefined ? "quantity" : risk_pct !== undefined ? "risk_pct" : "kelly";
  const none = (reason: string): SizingResult => ({ ...noTrade(reason), method, stop: null, target: null });
  if (side === null)
    return none(
      plan === null
        ? "There is no signal: too few bars"
        : `The signal is WAIT: ${plan.signal.reason ?? "no side leads"}`,
    );
  const price = decimal(quote.price);
  const { limit_price = null, stop_price = null } = asked;
  const priced = { intent: { side, limit_price, stop_price }, price: truncated(price) };
  const [entry, best] = [worstEntry(priced), bestEntry(priced)];
  const step = quantityStep(standing.account, instrument, side);
  if (quantity !== undefined && isClosing(held, side, quantity))
    return {
      ...sizeToClose({ entry: truncated(entry), step: CLOSING_STEP }, quantity),
      method,
      stop: null,
      target: null,
    };
  if (method !== "kelly" && type === "live")
    return none(
      `${method} sizes trades on paper; a live trade is sized by the record, or closes what is held`,
    );
  const follows = plan !== null && plan.signal.direction === SIGNAL_DIRECTION[side];
  const tick = decimal(tickSize(price, instrument));
  const onTick = (value: number | null): Amount | null => {
    const near = stepDown(decimal(value ?? 0), tick);
    return near.gt(0) ? truncated(near) : null;
  };
  const away = side === "buy" ? 1 : -1;
  const [under, over] = side === "buy" ? ["below", "above"] : ["above", "below"];
  const fits = (way: number, exit: Amount | null, from: Decimal) =>
    exit === null ||
    decimal(exit)
      .minus(from)
      .times(away * way)
      .gt(0);
  const [planned, aimed] = follows ? [onTick(plan.stop), onTick(plan.target)] : [null, null];
  // so many units need no exits: those of the signal that another entry has left behind are not kept
  const brought = quantity !== undefined;
  const stop = asked.stop_loss ?? (brought && !fits(-1, planned, best) ? null : planned);
  const target = asked.take_profit ?? (brought && !fits(1, aimed, entry) ? null : aimed);
  const whose = (own: Amount | undefined) => (own === undefined ? "The signal's" : "The");
  if (!fits(-1, stop, best))
    return none(
      `${whose(asked.stop_loss)} stop ${stop} is not ${under} the entry ${truncated(best)}: say a stop_loss that is`,
    );
  if (!fits(1, target, entry))
    return none(
      `${whose(asked.take_profit)} target ${target} is not ${over} the entry ${truncated(entry)}: say a take_profit that is`,
    );
  const gone = [
    ...(stop === null && planned !== null ? [`stop ${planned}`] : []),
    ...(target === null && aimed !== null ? [`target ${aimed}`] : []),
  ].join(" and ");
  const leftOut =
    gone === "" ? {} : { leftOut: `The signal's ${gone} does not fit such an entry: it is left out.` };
  const at = { method, stop, target, ...leftOut } as const;
  if (quantity !== undefined) {
    // what goes beyond closing is counted in steps by the rule on them
    const counted = held.times(away).lt(0) ? CLOSING_STEP : step;
    const size = sizeByQuantity({ entry: truncated(entry), step: counted, stop }, quantity);
    const short = size.reason !== null && side === "sell" && decimal(counted).eq(1);
    return { ...size, ...(short && { reason: `Short sales are whole shares: ${size.reason}` }), ...at };
  }
  if (stop === null) return none("There is no stop: say stop_loss, or quantity on paper");
  const purse = {
    equity: standing.account.equity,
    atRisk: standing.openRisk,
    entry: truncated(entry),
    stop,
    step,
  };
  if (risk_pct !== undefined) return { ...sizeByRisk(purse, risk_pct), ...at };
  if (!follows)
    return none(
      plan === null
        ? "There is no signal, and so no record of it: say quantity or risk_pct on paper"
        : `The signal is ${plan.signal.direction}: a ${side} has no record behind it; say quantity or risk_pct on paper`,
    );
  return { ...sizeByKelly(purse, plan.record, { planned: plan.signal.reward_to_risk }), ...at };
}
