import type { MarketFacts } from "../../analytics/risk/situation.ts";
import type { Instrument, MarketState, PriceSource, Quote } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import type { Amount } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";
import { decimal, truncated } from "../../lib/decimal.ts";
import { marketStateAt } from "../../market/calendar/calendar.ts";
import type { ClosedBars } from "../signal/closed-bars.ts";
import type { BrokerQuote } from "./snapshot/account.ts";

/** Price of a check, with where it comes from. */
export interface CheckPrice extends Pick<MarketFacts, "reference" | "spread"> {
  readonly value: Amount;
  /** `your_quote`, `historical_close`, or the source of the price here. */
  readonly source: PriceSource | "your_quote";
  /** Epoch ms. */
  readonly at: number;
  /** Time of the price for the rule on its age: a past close is as new as its `as_of`. null: not given. */
  readonly pricedAt: number | null;
  readonly session: MarketState;
}

interface PriceRequest {
  readonly instrument: Instrument;
  /** The broker's quote of the instrument; null if there is none. */
  readonly given: BrokerQuote | null;
  readonly series: ClosedBars;
  /** Time of the check, epoch ms; `isPast`: it is earlier than now. */
  readonly moment: number;
  readonly isPast: boolean;
  readonly signal: AbortSignal;
}

/** Sources whose price is current. */
const CURRENT: ReadonlySet<PriceSource> = new Set<PriceSource>(["live_quote", "delayed_quote"]);

/** Returns the price of a check: the broker's quote, else the price here, else the last close. */
export async function checkPrice(
  { instrument, given, series, moment, isPast, signal }: PriceRequest,
  ports: Pick<Ports, "quotes">,
): Promise<CheckPrice> {
  const here = isPast ? null : await serverQuote(instrument, ports, signal);
  const close = decimal(series.bars.close.at(-1)!).toFixed();
  const serverPrice = here === null ? close : truncated(decimal(here.price));
  const serverAt = Date.parse(here?.timestamp ?? series.as_of);
  const session = here?.market_state ?? marketStateAt(moment, instrument.asset_class);
  const givenPrice = given === null ? null : (given.price ?? middleOf(given));
  const spread = given?.bid != null && given.ask !== null ? { bid: given.bid, ask: given.ask } : null;
  const isCrossed = spread !== null && decimal(spread.bid).gt(spread.ask);
  const shared = { session, spread: isCrossed ? null : spread };
  if (givenPrice === null)
    return {
      ...shared,
      value: serverPrice,
      source: here?.price_source ?? "historical_close",
      at: serverAt,
      pricedAt: isPast ? moment : serverAt,
    };
  const givenAt = given?.at ?? null;
  return {
    ...shared,
    value: givenPrice,
    source: "your_quote",
    at: givenAt ?? moment,
    pricedAt: givenAt,
    reference: { price: serverPrice, isCurrent: here !== null && CURRENT.has(here.price_source) },
  };
}

const middleOf = ({ bid, ask }: BrokerQuote): Amount | null =>
  bid === null || ask === null ? null : truncated(decimal(bid).plus(ask).div(2));

/** Returns the price here; null if there is none now. */
async function serverQuote(
  instrument: Instrument,
  { quotes }: Pick<Ports, "quotes">,
  signal: AbortSignal,
): Promise<Quote | null> {
  try {
    const quote = await quotes.latest(instrument, { signal });
    return (quote.currency ?? "USD") === "USD" ? quote : null;
  } catch (cause) {
    if (cause instanceof ToolError && (cause.code === "NO_PRICE" || cause.code === "UPSTREAM_UNAVAILABLE"))
      return null;
    throw cause;
  }
}
