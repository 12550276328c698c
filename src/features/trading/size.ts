import { bestEntry, worstEntry } from "../../analytics/risk/situation.ts";
import { sizeByQuantity, sizeByRisk, sizeToClose } from "../../analytics/sizing/by-risk.ts";
import { sizeByKelly, type TradeRecord } from "../../analytics/sizing/kelly.ts";
import { noTradeSize, type Size } from "../../analytics/sizing/units.ts";
import type { Bars } from "../../domain/market/bars.ts";
import type { Instrument, Quote } from "../../domain/market/market.ts";
import type { Preview, TradeRequest } from "../../domain/trading/preview.ts";
import { priceStep } from "../../domain/trading/price-step.ts";
import type { AccountType, Amount, Side } from "../../domain/trading/trading.ts";
import { type Decimal, decimal, stepDown, truncated } from "../../lib/decimal.ts";
import { type AccountState, CLOSING_STEP, isClosing, quantityStep } from "./situation.ts";

/** A trade derived from a signal, with its bars and the track record of similar signals. */
export interface TradePlan {
  /** Note on stale bars; null if the signal is current. Default: null. */
  readonly stale?: string | null;
  /** Closed bars of the signal. */
  readonly bars: Bars;
  readonly signal: NonNullable<Preview["signal"]>;
  readonly entry: { readonly low: number; readonly high: number };
  readonly stop: number;
  readonly target: number | null;
  readonly record: TradeRecord;
}

/** Why a trade whose prices fit has no size: the track record shows no edge, or the owner set no default size. */
export type Unsized = { readonly by: "record"; readonly why: string } | { readonly by: "owner" };

export interface SizingResult extends Omit<Size, "boundBy"> {
  /** The sizing cap or risk rule that limited the quantity; null when none did. */
  readonly boundBy: string | null;
  readonly method: Preview["sizing"]["method"];
  readonly stop: Amount | null;
  readonly target: Amount | null;
  /** Why there is no size although the prices fit: no edge on record, or no default size. Omitted or null otherwise. */
  readonly unsized?: Unsized | null;
  /** How to correct an exit that does not fit the entry. */
  readonly remedy?: string;
  /** Explains which exits of the signal were omitted because they do not fit the entry. */
  readonly leftOut?: string;
}

interface SizingInput {
  readonly side: Side | null;
  readonly held: Decimal;
  readonly quote: Quote;
  readonly instrument: Instrument;
  readonly state: AccountState;
  readonly trade: TradeRequest;
  readonly plan: TradePlan | null;
  readonly type: AccountType;
  /** Percent of equity to risk by default; null: no default size. */
  readonly riskPct: Amount | null;
}

const NO_DEFAULT_SIZE = "There is no default size: the owner set TRADING_RISK_PCT=0";
const SIGNAL_DIRECTION = { buy: "LONG", sell: "SHORT" } as const;

/**
 * Sizes a trade by the share of equity that the owner set, on request by the track record of similar signals (Kelly), by
 * a quantity that closes a position or, on paper, by any quantity or risk. Live trades that open follow the signal.
 */
export function sizeTrade(input: SizingInput): SizingResult {
  const { side, held, quote, instrument, state, trade, plan, type, riskPct } = input;
  const { quantity, risk_pct } = trade;
  const method = quantity !== undefined ? "quantity" : (trade.sizing ?? "risk_pct");
  const none = (reason: string): SizingResult => ({
    ...noTradeSize(reason),
    method,
    stop: null,
    target: null,
  });
  if (side === null)
    return none(
      plan === null
        ? "No signal has levels: get_signal says why"
        : (plan.stale ?? `The signal is WAIT: ${plan.signal.reason ?? "no side leads"}`),
    );
  const price = decimal(quote.price);
  const { limit_price = null, stop_price = null } = trade;
  const priced = { intent: { side, limit_price, stop_price }, price: truncated(price) };
  const [entry, best] = [worstEntry(priced), bestEntry(priced)];
  const step = quantityStep(state.account, instrument, side);
  if (quantity !== undefined && isClosing(held, side, quantity))
    return {
      ...sizeToClose({ entry: truncated(entry), step: CLOSING_STEP }, quantity),
      method,
      stop: null,
      target: null,
    };
  if (type === "live" && (quantity !== undefined || risk_pct !== undefined))
    return none(
      `${method} sizes paper trades only; a live trade is sized by the owner's TRADING_RISK_PCT, or closes a held position`,
    );
  const stale = plan?.stale ?? null;
  const follows = plan !== null && stale === null && plan.signal.direction === SIGNAL_DIRECTION[side];
  const roundToTick = (value: number | null): Amount | null => {
    const exact = decimal(value ?? 0);
    const rounded = stepDown(exact, decimal(priceStep(exact, instrument.asset_class)));
    return rounded.gt(0) ? truncated(rounded) : null;
  };
  const direction = side === "buy" ? 1 : -1;
  const [below, above] = side === "buy" ? ["below", "above"] : ["above", "below"];
  const fits = (way: number, exit: Amount | null, from: Decimal) =>
    exit === null ||
    decimal(exit)
      .minus(from)
      .times(direction * way)
      .gt(0);
  const [signalStop, signalTarget] = follows
    ? [roundToTick(plan.stop), roundToTick(plan.target)]
    : [null, null];
  // a fixed quantity needs no exits: signal exits that do not fit the entry are dropped
  const hasQuantity = quantity !== undefined;
  const stop = trade.stop_loss ?? (hasQuantity && !fits(-1, signalStop, best) ? null : signalStop);
  const target = trade.take_profit ?? (hasQuantity && !fits(1, signalTarget, entry) ? null : signalTarget);
  const misfit = (exit: "stop" | "target", price: Amount | null, from: Decimal): SizingResult => {
    const field = exit === "stop" ? "stop_loss" : "take_profit";
    const [where, opposite] = exit === "stop" ? [below, above] : [above, below];
    const whose = trade[field] === undefined ? "The signal's" : "The";
    const entryField = (["limit_price", "stop_price"] as const).find(
      (name) => trade[name] !== undefined && from.eq(trade[name]),
    );
    const moveEntry = entryField === undefined ? "" : `, or ${entryField} ${opposite} ${price}`;
    return {
      ...none(
        `${whose} ${exit} ${price} is not ${where} the entry ${truncated(from)}: set a ${field} that is`,
      ),
      remedy: `Set ${field} ${where} ${truncated(from)}${moveEntry}, and preview again.`,
    };
  };
  // the rules check a fixed quantity against stop_loss and take_profit
  if (!hasQuantity && !fits(-1, stop, best)) return misfit("stop", stop, best);
  if (!hasQuantity && !fits(1, target, entry)) return misfit("target", target, entry);
  const omitted = [
    ...(stop === null && signalStop !== null ? [`stop ${signalStop}`] : []),
    ...(target === null && signalTarget !== null ? [`target ${signalTarget}`] : []),
  ].join(" and ");
  const leftOut =
    omitted === "" ? {} : { leftOut: `The signal's ${omitted} does not fit this entry and was left out.` };
  const exits = { method, stop, target, ...leftOut } as const;
  if (quantity !== undefined) {
    // when more units are traded than held, a risk rule checks them against the step
    const quantityIncrement = held.times(direction).lt(0) ? CLOSING_STEP : step;
    const size = sizeByQuantity({ entry: truncated(entry), step: quantityIncrement, stop }, quantity);
    const short = size.reason !== null && side === "sell" && decimal(quantityIncrement).eq(1);
    return { ...size, ...(short && { reason: `Short sales need whole shares: ${size.reason}` }), ...exits };
  }
  if (stop === null)
    return none("No stop: no signal gives one, so the trade needs a stop loss or, on paper, a quantity");
  const sizingInput = {
    equity: state.account.equity,
    atRisk: state.openRisk,
    entry: truncated(entry),
    stop,
    step,
  };
  if (!follows && (method === "kelly" || type === "live"))
    return none(
      plan === null
        ? `No signal${method === "kelly" ? " and therefore no record" : ""}: set quantity or risk_pct on paper`
        : (stale ??
            `The signal is ${plan.signal.direction}: ${method === "kelly" ? `a ${side} has no record` : `a live ${side} must follow it`}; set quantity or risk_pct on paper`),
    );
  if (method === "kelly") {
    const { noEdge, ...size } = sizeByKelly(sizingInput, plan!.record, {
      planned: plan!.signal.reward_to_risk,
    });
    return { ...size, ...exits, unsized: noEdge === null ? null : { by: "record", why: noEdge } };
  }
  const share = risk_pct ?? riskPct;
  return share === null
    ? { ...noTradeSize(NO_DEFAULT_SIZE), ...exits, unsized: { by: "owner" } }
    : { ...sizeByRisk(sizingInput, share), ...exits };
}
