import { z } from "zod";
import {
  type PriceProvider,
  type ProviderBar,
  type ProviderBars,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { indexSessionOn } from "../../market/calendar/index-hours.ts";
import { PriceText } from "../shared/fields.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { readRows } from "../shared/rows.ts";
import { parseUsDate } from "../shared/timestamps.ts";
import {
  createTextReader,
  createTickerReader,
  DELAY_MINUTES,
  IndexHeader,
  PriceOrNull,
  previousCloseOf,
  regularPrice,
  Timestamp,
} from "./files.ts";

/** Cboe's names of indices, by canonical symbol. */
const QUOTES: ReadonlyMap<string, string> = new Map([
  ["^VIX", "VIX"],
  ["^GSPC", "SPX"],
  ["^NDX", "NDX"],
  ["^RUT", "RUT"],
]);
/** Indices of which Cboe publishes a file with all days and four levels a day; that of the S&P 500 has one. */
const HISTORIES: ReadonlyMap<string, string> = new Map([
  ["^VIX", "VIX"],
  ["^VXN", "VXN"],
]);
const HISTORY_FOLDER = "/api/global/us_indices/daily_prices";
/** A file of one index since 1990 has less than 500 kB. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_ROWS = 40_000;
/** Maximum time by which the newest day of a whole file is behind, ms: the longest pause between sessions, and a day. */
const MAX_BEHIND_MS = 8 * 86_400_000;
const HEAD = "DATE,OPEN,HIGH,LOW,CLOSE";
/** Time after the close of stocks after which the level of the day is in the file, minutes. */
const BAR_DELAY_MINUTES = 30;

const Quote = z.object({
  timestamp: Timestamp,
  symbol: z.string(),
  data: IndexHeader.extend({
    prev_day_close: PriceOrNull,
    open: PriceOrNull,
    high: PriceOrNull,
    low: PriceOrNull,
  }),
});
const Row = z
  .tuple([z.string().transform(parseUsDate).pipe(z.string()), PriceText, PriceText, PriceText, PriceText])
  .transform(
    ([date, open, high, low, close]): ProviderBar => ({
      time: Date.parse(date),
      open,
      high,
      low,
      close,
      volume: 0,
    }),
  );

/**
 * Creates the provider of Cboe's indices: delayed quotes from the files behind its web pages, and the files of daily
 * levels of its volatility indices. Both are undocumented and need no key; they share the limit of Cboe's other files.
 * An index has no volume.
 */
export function cboeIndices(setup: ProviderSetup): PriceProvider {
  const readTicker = createTickerReader(setup);
  const readText = createTextReader(setup, { maxBytes: MAX_BYTES, accept: "text/csv" });
  return {
    name: "cboe",
    serves: new Set(["etf"]),
    budget: { calls: 12, perMs: 60_000, atOnce: 1 },
    delayMinutes: DELAY_MINUTES,
    barDelayMinutes: BAR_DELAY_MINUTES,
    liveWithinMs: 120_000,
    reaches: { "1d": Number.POSITIVE_INFINITY },
    async latest({ symbol }, { signal }) {
      const name = nameIn(QUOTES, symbol);
      const { data, timestamp } = await readTicker("quotes", `_${name}`, Quote, signal);
      const level = regularPrice(timestamp, data, (day) => indexSessionOn(symbol, day));
      if (data.symbol !== `^${name}` || level === null)
        throw new ProviderFailure("malformed", "a quote without level or time, or of another index");
      return {
        ...level,
        officialClose: level.tradedAt === indexSessionOn(symbol, newYorkDay(level.tradedAt))?.close,
        previousClose: previousCloseOf(data, level.price),
        open: data.open,
        high: data.high,
        low: data.low,
        volume: null,
        volumeScope: "all_venues",
        venue: "US",
      };
    },
    async history({ symbol }, { timeframe, from, until, signal }): Promise<ProviderBars> {
      const name = nameIn(HISTORIES, symbol);
      if (timeframe !== "1d") throw new ProviderFailure("unsupported", "only daily levels are available");
      const all = await barsOf(await readText(`${HISTORY_FOLDER}/${name}_History.csv`, signal), setup);
      if (all.at(-1)!.time < until - MAX_BEHIND_MS)
        throw new ProviderFailure("malformed", "a file without the newest days");
      const bars = all.filter(({ time }) => time >= from && time <= until);
      return { bars, adjustment: "split", hours: "regular", volumeScope: "all_venues", venue: "US" };
    },
  };
}

function nameIn(names: ReadonlyMap<string, string>, symbol: string): string {
  const name = names.get(symbol);
  if (name === undefined) throw new ProviderFailure("unsupported", "no file of the index");
  return name;
}

/** Parses a file of daily levels, in steps between which other events are handled. */
async function barsOf(
  text: string,
  { onUnreadable }: Pick<ProviderSetup, "onUnreadable">,
): Promise<readonly ProviderBar[]> {
  const [head, ...lines] = text
    .replace(/^\uFEFF/, "")
    .trimEnd()
    .split(/\r?\n/, MAX_ROWS);
  if (head?.toUpperCase() !== HEAD || lines.length >= MAX_ROWS - 1)
    throw new ProviderFailure("malformed", "a file without the expected columns");
  const bars = await readRows(
    Row,
    lines.map((line) => line.split(",", 6)),
  );
  if (bars.length === 0) throw new ProviderFailure("malformed", "no row can be read");
  if (bars.length < lines.length) onUnreadable?.(lines.length - bars.length);
  return bars;
}
