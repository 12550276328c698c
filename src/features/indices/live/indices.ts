import type { Indices } from "../../../domain/indices/indices-port.ts";
import type { BarSeries, Instrument, Quote } from "../../../domain/market/market.ts";
import type { BarHistory, Clock, Quotes } from "../../../domain/ports.ts";
import { newYorkDay } from "../../../lib/newyork.ts";
import { indexLatenessMs, indexSessionOn, indexStateAt } from "../../../market/calendar/index-hours.ts";

export interface LiveIndicesOptions {
  /** Quotes and bars of indices, with the sessions of US funds. */
  readonly quotes: Pick<Quotes, "latest">;
  readonly bars: BarHistory;
  readonly clock: Clock;
  readonly missing: string | null;
}

/** Creates the port for indices: the sessions of quotes and bars become those of the index, and volumes are left out. */
export function liveIndices({ quotes, bars, clock, missing }: LiveIndicesOptions): Indices {
  return {
    missing,
    quotes: {
      async latest(instrument, options) {
        const quote = await quotes.latest(instrument, options);
        return inSession(quote, instrument, clock.now().getTime());
      },
    },
    bars: {
      async history(instrument, { asOf, ...request }) {
        // bars close with the stock exchanges, the index up to 15 minutes later
        const lateness = indexLatenessMs(instrument.symbol);
        const series = await bars.history(instrument, {
          ...request,
          ...(asOf !== undefined && { asOf: asOf - lateness }),
        });
        return { ...series, as_of: later(series.as_of, lateness) };
      },
    },
  };
}

const later = (time: BarSeries["as_of"], ms: number): BarSeries["as_of"] =>
  time === null ? null : new Date(Date.parse(time) + ms).toISOString();

/** Returns a quote with the sessions of the index: after its close, the last level is the close of the session. */
function inSession(quote: Quote, { symbol }: Instrument, now: number): Quote {
  const { origin, ...figures } = quote;
  const at = Date.parse(quote.timestamp);
  const state = indexStateAt(symbol, now);
  const close = indexSessionOn(symbol, newYorkDay(at))?.close;
  const session = indexStateAt(symbol, Math.min(at, (close ?? at) - 1));
  const isOver = state === "closed" || newYorkDay(at) !== newYorkDay(now);
  return {
    ...figures,
    volume: null,
    market_state: state,
    ...(isOver && { price_source: at === close ? "prior_close" : "last_trade" }),
    ...(origin && { origin: { ...origin, session: session === "closed" ? null : sessionOf(session) } }),
  };
}

const sessionOf = (state: "pre" | "regular" | "post" | "always_open") =>
  state === "pre" || state === "regular" ? state : null;
