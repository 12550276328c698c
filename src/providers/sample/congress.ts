import { LRUCache } from "lru-cache";
import type { Disclosure, UnreadFiling } from "../../domain/congress/congress.ts";
import type { Clock, Congress } from "../../domain/ports.ts";
import { filingsOf, type SampleFiling } from "./congress-filings.ts";
import { DAY_MS, EPOCH } from "./daily.ts";
import type { Recording } from "./tapes.ts";

const SOURCE = "sample";
/** Days of filings kept; a year is 365 of them. */
const CACHED_DAYS = 4_096;

/**
 * Disclosures of the simulated market by members who do not exist: filed up to 45 days after the trade, some later, and leaning
 * the way the stock went between trade and filing three times in five. A filing is told from its moment on.
 */
export function sampleCongress(
  id: string,
  recordings: (symbol: string) => Recording | null,
  clock: Clock,
): Congress {
  const kept = new LRUCache<number, readonly SampleFiling[]>({ max: CACHED_DAYS });
  const dayOf = (day: number): readonly SampleFiling[] => {
    const known = kept.get(day);
    if (known !== undefined) return known;
    const made = filingsOf(id, recordings, day);
    kept.set(day, made);
    return made;
  };

  return {
    async disclosures({ symbol, chamber, from, until }) {
      const now = clock.now().getTime();
      const first = Math.max(0, (Date.parse(from) - EPOCH) / DAY_MS);
      const last = Math.min(Date.parse(until), now);
      const trades: Disclosure[] = [];
      const unread: UnreadFiling[] = [];
      for (let day = Math.floor((last - EPOCH) / DAY_MS); day >= first; day--)
        for (const filing of dayOf(day)) {
          if (filing.filedAt > now || (chamber !== undefined && filing.chamber !== chamber)) continue;
          if (filing.unread !== null) unread.push(filing.unread);
          for (const trade of filing.trades)
            if (symbol === undefined || trade.ticker === symbol) trades.push(trade);
        }
      const covered = { covered: true, source: SOURCE, since: dateOf(EPOCH), reason: null };
      return {
        trades,
        unread,
        source: SOURCE,
        fetched_at: new Date(now).toISOString(),
        as_of: dateOf(now),
        stale: false,
        coverage: { house: covered, senate: covered },
        reason: null,
      };
    },
  };
}

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
