import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
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
}

/** Returns the odds of the exits of a trade from its price, by the bars of its signal, or the reason why there are none. */
export async function exitOdds(
  { plan, instrument, side, stop, target, entry, price }: ExitOddsInput,
  ports: Pick<Ports, "compute">,
): Promise<TradeOdds> {
  if (plan === null) return noTradeOdds("No signal has levels: get_signal says why");
  if (side === null || entry === null) return noTradeOdds("There is no trade");
  if (stop === null || target === null)
    return noTradeOdds(`The trade has no ${stop === null ? "stop_loss" : "take_profit"}`);
  if (entry !== price)
    return noTradeOdds(`The order enters at ${entry}, and odds are those of a trade at the market price`);
  return tradeOdds(
    {
      bars: plan.bars,
      instrument,
      price: entry,
      side: side === "buy" ? "LONG" : "SHORT",
      stop: Number(stop),
      target: Number(target),
    },
    ports,
  );
}
