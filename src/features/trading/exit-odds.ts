import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import type { TradeRequest } from "../../domain/trading/preview.ts";
import type { Amount, Side } from "../../domain/trading/trading.ts";
import { noTradeOdds, type TradeOdds, tradeOdds } from "../signal/trade-odds.ts";
import type { TradePlan } from "./size.ts";

interface ExitOddsInput {
  readonly plan: TradePlan | null;
  readonly instrument: Instrument;
  readonly side: Side | null;
  readonly stop: Amount | null;
  readonly target: Amount | null;
  /** Price at which the order fills, and the last price. */
  readonly entry: number | null;
  readonly price: number;
  readonly trade: Pick<TradeRequest, "type" | "limit_price" | "stop_price">;
}

/**
 * Returns the odds of the exits of a trade from its price, by the bars of its signal, or the reason why there are none.
 * An order that waits for its price also has the odds of its fill.
 */
export async function exitOdds(
  { plan, instrument, side, stop, target, entry, price, trade }: ExitOddsInput,
  ports: Pick<Ports, "compute">,
): Promise<TradeOdds> {
  if (plan === null) return noTradeOdds("No signal has levels: get_signal says why");
  if (side === null || entry === null) return noTradeOdds("There is no trade");
  if (stop === null || target === null)
    return noTradeOdds(`The trade has no ${stop === null ? "stop_loss" : "take_profit"}`);
  return tradeOdds(
    {
      bars: plan.bars,
      instrument,
      price,
      wait: entry === price ? null : waitOf(trade, entry),
      side: side === "buy" ? "LONG" : "SHORT",
      stop: Number(stop),
      target: Number(target),
    },
    ports,
  );
}

/** Returns what an order waits for: a limit order for a better price, a stop order for its trigger. */
function waitOf({ type, limit_price, stop_price }: ExitOddsInput["trade"], entry: number) {
  if (type === "limit" || stop_price === undefined) return { kind: "limit", entry, limit: null } as const;
  const limit = limit_price === undefined ? null : Number(limit_price);
  return { kind: "stop", entry: Number(stop_price), limit } as const;
}
