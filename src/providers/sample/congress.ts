import type { Disclosure, UnreadFiling } from "../../domain/congress/congress.ts";
import type { Clock, Congress } from "../../domain/ports.ts";
import { cached } from "./cached.ts";
import { filingsOf } from "./congress-filings.ts";
import type { Recordings } from "./recordings.ts";
import { dayAt, EPOCH, isoDate } from "./time.ts";

const SOURCE = "sample";
/** Days of filings cached; a year is 365 of them. */
const CACHED_DAYS = 4_096;

/**
 * Creates the simulated disclosures of fictional members: filed up to 45 days after the trade, some later,
 * and matching the stock's move between trade and filing three times in five. A filing is never returned
 * before its filing time.
 */
export function sampleCongress(id: string, recordings: Recordings, clock: Clock): Congress {
  const filingsOn = cached(
    CACHED_DAYS,
    (day: number) => day,
    (day) => filingsOf(id, recordings, day),
  );

  return {
    async disclosures({ symbol, chamber, from, until }) {
      const now = clock.now().getTime();
      const first = Math.max(0, dayAt(Date.parse(from)));
      const trades: Disclosure[] = [];
      const unread: UnreadFiling[] = [];
      for (let day = dayAt(Math.min(Date.parse(until), now)); day >= first; day--)
        for (const filing of filingsOn(day)) {
          if (filing.filedAt > now || (chamber !== undefined && filing.member.chamber !== chamber)) continue;
          if (filing.unread !== null) unread.push(filing.unread);
          for (const trade of filing.trades)
            if (symbol === undefined || trade.ticker === symbol) trades.push(trade);
        }
      const covered = { covered: true, source: SOURCE, since: isoDate(EPOCH), reason: null };
      return {
        trades,
        unread,
        source: SOURCE,
        fetched_at: new Date(now).toISOString(),
        as_of: isoDate(now),
        stale: false,
        coverage: { house: covered, senate: covered },
        reason: null,
      };
    },
  };
}
