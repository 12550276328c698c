import { z } from "zod";
import {
  type ProviderBar,
  type ProviderBars,
  type ProviderBarsRequest,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { looksSplit } from "../../market/prices/split-check.ts";
import type { ApiGet } from "../shared/api.ts";
import { CountOrNull, Instant, PriceOrNull } from "../shared/fields.ts";
import { isoDay } from "../shared/timestamps.ts";

const DAY = 86_400_000;

const Bar = z
  .object({
    date: Instant,
    open: PriceOrNull,
    high: PriceOrNull,
    low: PriceOrNull,
    close: PriceOrNull,
    volume: CountOrNull,
  })
  .transform(({ date: time, ...figures }): ProviderBar => ({ time, ...figures }));
/** `splitFactor` is the number of new shares per old share from this day on; 1 on days without a split. */
const Split = z.object({ date: Instant, splitFactor: z.number().positive() });
type Split = z.infer<typeof Split>;
/** Daily bars, stamped 00:00 UTC of their date; prices and volumes are not adjusted for later splits. */
const Daily = z.array(z.intersection(Bar, Split));

/** Fetches daily bars of the regular session on all venues, adjusted for splits. */
export async function dailyBars(
  get: ApiGet,
  symbol: string,
  { from, until, signal }: ProviderBarsRequest,
): Promise<ProviderBars> {
  // requested up to the newest day, because a later split changes earlier bars too
  const rows = await get(dailyPath(symbol), Daily, { query: { startDate: isoDay(from) }, signal });
  const bars = rows
    .filter(({ time }) => time <= until)
    .map(({ time, open, high, low, close, volume }) => ({ time, open, high, low, close, volume }));
  return { ...SHARED, bars: adjusted(bars, rows), volumeScope: "all_venues", venue: "US" };
}

/** Fetches intraday bars of the regular session on IEX, adjusted for splits. */
export async function intradayBars(
  get: ApiGet,
  symbol: string,
  resampleFreq: string,
  { from, until, signal }: ProviderBarsRequest,
): Promise<ProviderBars> {
  const startDate = isoDay(from);
  const query = { startDate, endDate: isoDay(until), resampleFreq, columns: "open,high,low,close,volume" };
  const [rows, splits] = await Promise.all([
    get(`/iex/${symbol}/prices`, z.array(Bar), { query, signal }),
    get(dailyPath(symbol), z.array(Split), { query: { startDate, columns: "date,splitFactor" }, signal }),
  ]);
  const bars = adjusted(
    rows.filter(({ time }) => time <= until),
    splits,
  );
  // the factor of today's split is published in the evening; whether these bars are adjusted for it is not documented
  if (looksSplit(bars)) throw new ProviderFailure("unsupported", "bars that look unadjusted for a split");
  return { ...SHARED, bars, volumeScope: "one_venue", venue: "IEX" };
}

const SHARED = { adjustment: "split", hours: "regular" } as const;
const dailyPath = (symbol: string): string => `/tiingo/daily/${symbol}/prices`;

/** Adjusts prices and volumes of bars before a split to the share count after it. */
function adjusted(bars: readonly ProviderBar[], splits: readonly Split[]): ProviderBar[] {
  const factors = new Map(splits.map(({ date, splitFactor }) => [date, splitFactor]));
  return bars.map((bar) => {
    const day = bar.time % DAY === 0 ? bar.time : newYorkDay(bar.time);
    let factor = 1;
    for (const [date, splitFactor] of factors) if (day < date) factor *= splitFactor;
    const price = (figure: number | null) => (figure === null ? null : figure / factor);
    return {
      time: bar.time,
      open: price(bar.open),
      high: price(bar.high),
      low: price(bar.low),
      close: price(bar.close),
      volume: bar.volume === null ? null : bar.volume * factor,
    };
  });
}
