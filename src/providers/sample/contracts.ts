import { LRUCache } from "lru-cache";
import type { Clock, Contracts } from "../../domain/ports.ts";
import type { Contract, VenueCoverage } from "../../domain/prediction-markets/contracts.ts";
import { laddersAt } from "./contract-ladders.ts";
import { topicsAt } from "./contract-topics.ts";
import { EPOCH } from "./daily.ts";
import { LISTINGS } from "./listing.ts";
import type { Recording } from "./tapes.ts";
import { VENUES } from "./venue-contracts.ts";

/** Subjects and moments whose contracts are kept, some dozen each. */
const MAX_CACHED = 100;
/** Nothing was traded before prices had a history. */
const FIRST = EPOCH + 100 * 86_400_000;

/**
 * Prediction markets of the simulated market called `id`: two venues of real money and one of play money, whose contracts on
 * prices follow the simulated price and its spread with a planted lean, and contracts on the economy. Any moment may be asked
 * about and is answered alike forever; nothing later than the clock is told. It finds look-alikes too, as real searches do.
 */
export function sampleContracts(
  id: string,
  recordings: (symbol: string) => Recording | null,
  clock: Clock,
): Contracts {
  const kept = new LRUCache<string, readonly Contract[]>({ max: MAX_CACHED });
  const tickers = new Map(
    LISTINGS.map(({ instrument: { symbol } }) => [symbol.replace("-USD", ""), symbol] as const),
  );

  /** Many ask about the same close. */
  function laddersOn(symbol: string, now: number): readonly Contract[] {
    const name = `${symbol} ${now}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const made = laddersAt(recordings(symbol)!, now);
    kept.set(name, made);
    return made;
  }

  function topicsOn(now: number): readonly Contract[] {
    const known = kept.get(`${now}`);
    if (known !== undefined) return known;
    const made = topicsAt(id, now);
    kept.set(`${now}`, made);
    return made;
  }

  /** Each once, though several texts find it. */
  function found(texts: readonly string[], now: number): readonly Contract[] {
    const words = texts
      .flatMap((text) => text.split(/[^A-Za-z0-9.$-]+/))
      .map((word) => word.replace(/^\$/, ""));
    const symbols = words.flatMap((word) => tickers.get(word.toUpperCase().replace(/-USD$/, "")) ?? []);
    const ladders = [...new Set(symbols)].flatMap((symbol) => laddersOn(symbol, now));
    const asked = words.filter((word) => word.length > 2).map((word) => word.toLowerCase());
    const topics = topicsOn(now).filter(({ question, event_title, keywords }) => {
      const all = [question, event_title, ...keywords].join(" ").toLowerCase();
      return asked.some((word) => all.includes(word));
    });
    return [...ladders, ...topics];
  }

  return {
    venues: () => VENUES,
    missing: null,
    tellsPast: true,
    async search({ texts, venues, asOf }) {
      const now = Math.min(asOf ?? Number.POSITIVE_INFINITY, clock.now().getTime());
      const asked = VENUES.filter(({ name }) => venues === undefined || venues.includes(name));
      const all = now < FIRST ? [] : found(texts, now);
      const contracts = all.filter(({ venue }) => asked.some(({ name }) => name === venue));
      const coverage = asked.map(
        ({ name, real_money }): VenueCoverage => ({
          venue: name,
          real_money,
          state: "answered",
          reason: null,
          source: "sample",
          fetched_at: new Date(now).toISOString(),
          found: contracts.filter(({ venue }) => venue === name).length,
          dropped: 0,
        }),
      );
      const reason = now < FIRST ? "The simulated venues had not opened yet" : null;
      return { contracts, coverage, stale: false, as_of: new Date(now).toISOString(), reason };
    },
  };
}
