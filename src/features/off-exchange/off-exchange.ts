import { shortShare } from "../../analytics/drivers/off-exchange-fact.ts";
import type { BarSeries } from "../../domain/market/market.ts";
import type { OffExchangeRow } from "../../domain/off-exchange/darkpool.ts";
import type { OffExchangeDay } from "../../domain/off-exchange/off-exchange.ts";
import { rounded } from "../../lib/rounded.ts";

const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10);

/**
 * Off-exchange days, newest first, with the part they are of the daily bars' volume: null for a day without a bar, for
 * bars of one venue alone, and where it would be more than the whole, as across a split.
 */
export function offExchangeRows(
  days: readonly OffExchangeDay[],
  series: BarSeries | null,
): readonly OffExchangeRow[] {
  const whole = series !== null && series.origin?.volume_scope !== "one_venue" ? series.bars : null;
  const volumes = new Map(
    whole === null ? [] : Array.from(whole.time, (time, i) => [time, whole.volume[i]!]),
  );
  return days.toReversed().map((day): OffExchangeRow => {
    const consolidated = volumes.get(day.day) ?? null;
    const fits = consolidated !== null && consolidated > 0 && day.total <= consolidated;
    const short = shortShare(day);
    return {
      date: dateOf(day.day),
      off_exchange_volume: day.total,
      consolidated_volume: consolidated,
      off_exchange_share: fits ? rounded(day.total / consolidated, 6) : null,
      short_volume: day.short,
      short_share: short === null ? null : rounded(short, 6),
      published_at: new Date(day.knownAt).toISOString(),
    };
  });
}
