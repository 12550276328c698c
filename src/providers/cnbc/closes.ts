import { z } from "zod";
import type { Instrument } from "../../domain/market/market.ts";
import type { CloseProvider, OfficialClose, WitnessFigures } from "../../domain/providers/close-provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { previousSessionDay, type Session, sessionOn } from "../../market/calendar/calendar.ts";
import { indexSessionOn } from "../../market/calendar/index-hours.ts";
import { createApi } from "../shared/api.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { rowsOf } from "../shared/rows.ts";
import { isoDay } from "../shared/timestamps.ts";
import { symbolsByName, usTicker } from "../shared/us-ticker.ts";

const BASE_URL = "https://quote.cnbc.com";
const PATH = "/quote-html-webservice/restQuote/symbolType/symbol";
/** Maximum number of symbols per call. */
const SYMBOLS_PER_CALL = 50;
/** Fixed query fields of CNBC's own pages; `exthrs` adds the trades outside the regular session. */
const QUERY = { requestMethod: "itv", noform: 1, partnerId: 2, fund: 1, exthrs: 1, output: "json" } as const;

/** A price such as `1,234.56`; null for `UNCH`, an empty text and a missing one. */
const PriceText = z
  .string()
  .nullish()
  .transform((text) =>
    typeof text === "string" && /^\d{1,3}(,?\d{3}){0,4}(\.\d{1,10})?$/.test(text)
      ? Number(text.replaceAll(",", ""))
      : null,
  )
  .transform((price) => (price === 0 ? null : price));
/** A time such as `2026-08-31T16:10:00.000-0400`, as epoch ms; null for other text. */
const TimeText = z
  .string()
  .nullish()
  .transform((text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?[+-]\d{4}$/.test(text ?? "")
      ? Date.parse(text!.replace(/(\d\d)$/, ":$1"))
      : Number.NaN,
  )
  .transform((time) => (Number.isNaN(time) ? null : time));

const Trade = z.object({ last: PriceText, last_time: TimeText });
const Row = Trade.extend({
  symbol: z.string(),
  currencyCode: z.literal("USD").nullish(),
  /** Close of the session before that of `last_time`. */
  previous_day_closing: PriceText,
  /** Newest trade outside the regular session. */
  ExtendedMktQuote: Trade.nullish().catch(null),
});
type Row = z.infer<typeof Row>;
/** Rows by symbol; a single row is not a list. Rows of unknown symbols have no price. */
const Answer = z.object({
  FormattedQuoteResult: z.object({
    FormattedQuote: z.preprocess((rows) => (Array.isArray(rows) ? rows : [rows]), rowsOf(Row)),
  }),
});

/**
 * Creates the provider of CNBC's quotes, from the service behind its pages, undocumented and without a key. A call has
 * at most 50 stocks and funds. `last` is the newest regular price, from the session's end on its official close.
 */
export const cnbc = (setup: ProviderSetup): CloseProvider =>
  closeProvider(setup, { nameOf: usTicker, sessionOf: () => sessionOn });

/** Symbols of indices at CNBC, by canonical symbol. */
const INDEX_NAMES: ReadonlyMap<string, string> = new Map([
  ["^GSPC", ".SPX"],
  ["^NDX", ".NDX"],
  ["^DJI", ".DJI"],
  ["^IXIC", ".IXIC"],
  ["^RUT", ".RUT"],
  ["^SOX", ".SOX"],
  ["^VIX", ".VIX"],
]);

/** Creates the provider of CNBC's levels of indices, from the same service. */
export const cnbcIndices = (setup: ProviderSetup): CloseProvider =>
  closeProvider(setup, {
    nameOf({ symbol }) {
      const name = INDEX_NAMES.get(symbol);
      if (name === undefined) throw new ProviderFailure("unsupported", "no known name of the index");
      return name;
    },
    sessionOf: (symbol) => (day) => indexSessionOn(symbol, day),
  });

interface CloseOptions {
  /** Returns CNBC's symbol of an instrument. @throws ProviderFailure if it is not served */
  readonly nameOf: (instrument: Instrument) => string;
  /** Returns the sessions of a canonical symbol, by date (its 00:00 UTC, epoch ms). */
  readonly sessionOf: (symbol: string) => (day: number) => Session | null;
}

function closeProvider(setup: ProviderSetup, { nameOf, sessionOf }: CloseOptions): CloseProvider {
  const get = createApi(setup, { baseUrl: BASE_URL, keyless: true });
  return {
    name: "cnbc",
    budget: { calls: 30, perMs: 60_000, atOnce: 2 },
    batchSize: SYMBOLS_PER_CALL,
    async call(instruments: readonly Instrument[], { signal }) {
      const names = symbolsByName(instruments, nameOf);
      if (names.size === 0 || names.size > SYMBOLS_PER_CALL)
        throw new ProviderFailure("unsupported", `not 1 to ${SYMBOLS_PER_CALL} known symbols`);
      const query = { symbols: [...names.keys()].join("|"), ...QUERY };
      const { FormattedQuoteResult } = await get(PATH, Answer, { query, signal });
      const rows = FormattedQuoteResult.FormattedQuote;
      if (rows.some(({ symbol }) => !names.has(symbol)))
        throw new ProviderFailure("malformed", "a row of another symbol");
      const found = rows.flatMap((row) => {
        const symbol = names.get(row.symbol)!;
        const figures = figuresOf(row, sessionOf(symbol));
        return figures === null ? [] : [[symbol, figures] as const];
      });
      if (found.length === 0) throw new ProviderFailure("unknown_symbol", "no prices of these symbols");
      return new Map(found);
    },
  };
}

/** Returns the closes and the newest trade of a row; null without a price, a time, or a session on its date. */
function figuresOf(
  { last, last_time, previous_day_closing, ExtendedMktQuote: late }: Row,
  sessionOf: (day: number) => Session | null,
): WitnessFigures | null {
  if (last === null || last_time === null) return null;
  const day = newYorkDay(last_time);
  const session = sessionOf(day);
  const before = previousSessionDay(day);
  if (session === null || before === null) return null;
  const closes: readonly OfficialClose[] = [
    ...(last_time >= session.close ? [{ day: isoDay(day), close: last }] : []),
    ...(previous_day_closing === null ? [] : [{ day: isoDay(before), close: previous_day_closing }]),
  ];
  const isLater = late?.last != null && late.last_time !== null && late.last_time > last_time;
  const newest = isLater
    ? { price: late.last!, tradedAt: late.last_time! }
    : { price: last, tradedAt: last_time };
  return { closes, last: newest };
}
