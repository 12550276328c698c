import { blockFact } from "../../analytics/drivers/block-fact.ts";
import type { Facts } from "../../analytics/drivers/facts.ts";
import { offExchangeFact } from "../../analytics/drivers/off-exchange-fact.ts";
import type { Bars } from "../../domain/market/bars.ts";
import type { OffExchangeDay } from "../../domain/off-exchange/off-exchange.ts";
import type { Print } from "../../domain/off-exchange/prints.ts";

/** What the dark-pool drivers read, as known at a decision (epoch ms). */
export interface DarkPoolInputs {
  readonly bars: Bars;
  readonly prints: readonly Print[] | null;
  readonly days: readonly OffExchangeDay[] | null;
  readonly at: number;
}

/** The facts behind d_offex and d_block; each left out where nothing says it. */
export function darkPoolFactsOf({
  bars,
  prints,
  days,
  at,
}: DarkPoolInputs): Pick<Facts, "d_offex" | "d_block"> {
  const offex = days === null ? null : offExchangeFact(days, at);
  const block = prints === null ? null : blockFact(prints, bars);
  return { ...(offex !== null && { d_offex: offex }), ...(block !== null && { d_block: block }) };
}
