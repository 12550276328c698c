import type { Clock, Contracts } from "../../domain/ports.ts";
import type { Contract, VenueCoverage } from "../../domain/prediction-markets/contracts.ts";
import { cached } from "./cached.ts";
import { laddersAt } from "./contract-ladders.ts";
import { topicsAt } from "./contract-topics.ts";
import { LISTINGS } from "./listing.ts";
import type { Recordings } from "./recordings.ts";
import { startOf } from "./time.ts";
import { VENUES } from "./venue-contracts.ts";

/** Maximum number of cached results; each holds some dozen contracts. */
const MAX_CACHED = 100;
/** Contracts need a hundred days of prices. */
const OPENING = startOf(100);

/**
 * Creates a search over the contracts of all venues of the market `id` at a time (epoch ms): those on
 * listings whose ticker is among the words of the texts, and those on the economy that contain such a word.
 * Without duplicates; similar names are found too, as by real searches. Empty before the venues opened.
 */
export function createContractSearch(
  id: string,
  recordings: Recordings,
): (texts: readonly string[], now: number) => readonly Contract[] {
  const symbols = new Map(
    LISTINGS.map(({ instrument: { symbol } }) => [symbol.replace("-USD", ""), symbol] as const),
  );
  const laddersOn = cached(
    MAX_CACHED,
    (symbol: string, now: number) => `${symbol} ${now}`,
    (symbol, now) => laddersAt(recordings(symbol)!, now),
  );
  const topicsOn = cached(
    MAX_CACHED,
    (now: number) => now,
    (now) => topicsAt(id, now),
  );

  return (texts, now) => {
    if (now < OPENING) return [];
    const words = texts
      .flatMap((text) => text.split(/[^A-Za-z0-9.$-]+/))
      .map((word) => word.replace(/^\$/, ""));
    const named = words.flatMap((word) => symbols.get(word.toUpperCase().replace(/-USD$/, "")) ?? []);
    const ladders = [...new Set(named)].flatMap((symbol) => laddersOn(symbol, now));
    const long = words.filter((word) => word.length > 2).map((word) => word.toLowerCase());
    const topics = topicsOn(now).filter(({ question, event_title, keywords }) => {
      const text = [question, event_title, ...keywords].join(" ").toLowerCase();
      return long.some((word) => text.includes(word));
    });
    return [...ladders, ...topics];
  };
}

/**
 * Creates the prediction markets of the simulated market `id`: two real-money venues and one with play money,
 * whose contracts on prices follow the simulated price and its spread with a simulated bias, and contracts on
 * the economy. Results for a given time never change, and nothing later than the clock is returned.
 */
export function sampleContracts(id: string, recordings: Recordings, clock: Clock): Contracts {
  const find = createContractSearch(id, recordings);
  return {
    venues: () => VENUES,
    missing: null,
    supportsHistory: true,
    async search({ texts, venues, asOf }) {
      const now = Math.min(asOf ?? Number.POSITIVE_INFINITY, clock.now().getTime());
      const included = VENUES.filter(({ name }) => venues === undefined || venues.includes(name));
      const contracts = find(texts, now).filter(({ venue }) => included.some(({ name }) => name === venue));
      const as_of = new Date(now).toISOString();
      const coverage = included.map(
        ({ name, real_money }): VenueCoverage => ({
          venue: name,
          real_money,
          state: "answered",
          reason: null,
          source: "sample",
          fetched_at: as_of,
          found: contracts.filter(({ venue }) => venue === name).length,
          dropped: 0,
        }),
      );
      const reason = now < OPENING ? "The simulated venues had not opened yet" : null;
      return { contracts, coverage, stale: false, as_of, reason };
    },
  };
}
