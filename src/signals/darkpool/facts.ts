import { blockFact } from "../../analytics/drivers/block-fact.ts";
import type { Facts } from "../../analytics/drivers/facts.ts";
import { offExchangeFact } from "../../analytics/drivers/off-exchange-fact.ts";
import type { Bars } from "../../domain/bars.ts";
import type { Instrument } from "../../domain/market.ts";
import type { OffExchangeDay } from "../../domain/off-exchange.ts";
import type { Print } from "../../domain/prints.ts";
import type { CallOptions, Ports } from "../../ports/index.ts";
import { unlessSilent } from "./silent.ts";

const DAY_MS = 86_400_000;
/** Calendar days that hold 60 sessions, the newest of them published, whatever the holidays. */
const LOOK_BACK_MS = 100 * DAY_MS;

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

/** Off-exchange days for a decision at an instant (epoch ms); null where there are none to be had. */
export async function offExchangeDays(
  instrument: Instrument,
  { at, signal }: CallOptions & { readonly at: number },
  { offExchange }: Pick<Ports, "offExchange">,
): Promise<readonly OffExchangeDay[] | null> {
  const range = { from: at - LOOK_BACK_MS, until: at, ...(signal && { signal }) };
  const { answer } = await unlessSilent(() => offExchange.days(instrument, range));
  return answer === null || answer.rows.length === 0 ? null : answer.rows;
}
