import type { Clock, Contracts } from "../../domain/ports.ts";
import type { Contract, VenueCoverage } from "../../domain/prediction-markets/contracts.ts";
import { laddersAt } from "./contract-ladders.ts";
import { bell, draw, keyOf } from "./draws.ts";
import { LISTINGS } from "./listing.ts";
import { cached, type Recordings } from "./recordings.ts";
import { DAY_MS, EPOCH, isoDate, startOf } from "./time.ts";
import { normalCdf, type SimulatedQuestion, VENUES, venueContract } from "./venue-contracts.ts";

/** Days between rate decisions, and number of days before a decision during which its contracts are traded. */
const MEETING_DAYS = 42;
const TRADED_DAYS = 126;
const DAILY_SPREAD = 0.08;
const RATE_DECISIONS = [
  ["Cut", "cut its rate"],
  ["Hike", "raise its rate"],
  ["Hold", "leave its rate unchanged"],
] as const;

interface Topic {
  readonly name: string;
  readonly title: string;
  readonly keywords: readonly string[];
  readonly opens: number;
  readonly closes: number;
  /** Each answer takes a share of the probability left by those before it; the last takes the rest. */
  readonly answers: readonly { readonly outcome: string; readonly question: string }[];
  readonly turnover: number;
}

/** Returns the contracts on the economy that are open at `now` (epoch ms): rate decisions, inflation, recession. */
const topicsAt = (id: string, now: number): readonly Contract[] =>
  [...meetings(now), ...years(now)].flatMap((topic) =>
    contractsOf(topic, keyOf(id, "topic", topic.name), now),
  );

function contractsOf({ name, answers, ...topic }: Topic, key: number, now: number): readonly Contract[] {
  let remaining = 1;
  return answers.flatMap(({ outcome, question }, i) => {
    const own = keyOf(key, i);
    const last = i > 0 && i === answers.length - 1;
    const fair = last ? remaining : remaining * probabilityAt(own, topic.opens, now);
    remaining -= fair;
    const simulated: SimulatedQuestion = {
      ...topic,
      key: own,
      name: `${name}-${i}`,
      event: name,
      question,
      outcome,
      strike: null,
    };
    return VENUES.map((venue) => venueContract(simulated, venue.name, fair, now));
  });
}

/** Returns a probability that follows a random walk from the day trading began. */
function probabilityAt(key: number, opens: number, now: number): number {
  let z = 1.2 * bell(draw(key, 0));
  const days = Math.floor((now - opens) / DAY_MS);
  for (let day = 1; day <= days; day++) z += DAILY_SPREAD * bell(draw(key, day));
  return Math.min(0.97, Math.max(0.03, normalCdf(z)));
}

function meetings(now: number): readonly Topic[] {
  const next = Math.floor((now - EPOCH) / (MEETING_DAYS * DAY_MS)) + 1;
  return [next, next + 1, next + 2].map((count) => {
    const closes = EPOCH + count * MEETING_DAYS * DAY_MS;
    const date = isoDate(closes - 1);
    const opens = closes - TRADED_DAYS * DAY_MS;
    return {
      name: `fed-${date}`,
      title: `Fed rate decision of ${date}`,
      keywords: ["Economics", "Fed", "Interest rates"],
      opens,
      closes,
      answers: RATE_DECISIONS.map(([outcome, decision]) => ({
        outcome,
        question: `Will the Fed ${decision} at the ${date} meeting?`,
      })),
      turnover: 2e6,
    };
  });
}

function years(now: number): readonly Topic[] {
  const year = new Date(now).getUTCFullYear();
  const yes = (question: string) => [{ outcome: "Yes", question }];
  const yearEvent = {
    opens: Date.UTC(year, 0, 1),
    closes: Date.UTC(year + 1, 0, 1),
    keywords: ["Economics"],
  };
  return [
    {
      ...yearEvent,
      name: `recession-${year}`,
      title: `US recession in ${year}?`,
      answers: yes(`Will the US enter a recession in ${year}?`),
      turnover: 8e5,
    },
    {
      ...yearEvent,
      name: `inflation-${year}`,
      title: `US inflation in ${year}?`,
      answers: yes(`Will US inflation for ${year} come in above 3%?`),
      turnover: 3e4,
    },
  ];
}

/** Maximum number of cached results; each holds some dozen contracts. */
const MAX_CACHED = 100;
/** Start of trading; contracts need a hundred days of prices. */
const OPENING = startOf(100);

/**
 * Creates a search over the contracts of all venues of the market `id` at a time (epoch ms). It returns contracts on
 * listings whose ticker is among the words of the texts, and contracts on the economy that contain such a word,
 * without duplicates. Like real searches, it also finds similar names. Empty before the venues open.
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
