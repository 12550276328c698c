import { MODEL_VERSION } from "../../../src/analytics/score/consensus.ts";
import { engineRuns } from "../../../src/store/nightly/engine-runs.ts";
import { barAnswerRows } from "../../../src/store/track-record/bar-answer-rows.ts";
import { trackRecord } from "../../../src/store/track-record/track-record.ts";
import type { Installation } from "../../support/installation.ts";

const ROUNDS = 6;
const DAY_MS = 86_400_000;

/** Time of one read in a database with a record, and in one without a past, ms. */
export interface ReadTimes {
  readonly name: string;
  readonly empty: number;
  readonly filled: number;
}

interface Read {
  readonly name: string;
  /** Calls in each round. */
  readonly calls: number;
  /** Returns the read of an installation, by the number of the call. */
  readonly of: (site: Installation) => Promise<(n: number) => Promise<unknown>>;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

/** A request over REST, by a caller of its own. */
const get =
  (pathOf: (n: number) => string): Read["of"] =>
  async ({ site, url, key }) => {
    const headers = { authorization: `Bearer ${(await key("enterprise")).key}`, host: "127.0.0.1" };
    return async (n) => {
      const response = await site.fetch(new Request(`${url}${pathOf(n)}`, { headers }));
      const text = await response.text();
      if (!response.ok) throw new Error(`${pathOf(n)}: ${response.status} ${text}`);
    };
  };

const scopeOf = ({ app }: Installation) => ({ db: app.store.db, market: app.ports.market.id });
/** Caches of a process that has just started, so that every read reaches the database. */
const newReaders = (site: Installation) => {
  const scope = scopeOf(site);
  const { clock } = site.app;
  return {
    runs: engineRuns({ ...scope, clock }),
    record: trackRecord({ ...scope, model: MODEL_VERSION }),
    answers: barAnswerRows(scope),
  };
};
const symbolOf = (n: number): string =>
  ["AAPL", "MSFT", "NVDA", "AMZN", "GOOGL", "META", "TSLA", "JPM"][n % 8]!;
const midnight = (): number => Math.floor(Date.now() / DAY_MS) * DAY_MS;

/** What a signal reads of the past: the ranks of the newest run, the published record, and the first answer on its bar. */
const signalReads =
  (isNew: boolean): Read["of"] =>
  async (site) => {
    const known = newReaders(site);
    return async (n) => {
      const { runs, record, answers } = isNew ? newReaders(site) : known;
      // the bar that the newest run has ranked
      await runs.ranks("stocks", midnight() - DAY_MS);
      await record.published("1d");
      const decided_at = new Date(midnight()).toISOString();
      await answers.find({ symbol: symbolOf(n), timeframe: "1d", decided_at });
    };
  };

export const READS: readonly Read[] = [
  { name: "signal over REST, warm", calls: 100, of: get(() => "/api/v1/signals/AAPL") },
  { name: "stored values of a signal, warm", calls: 100, of: signalReads(false) },
  { name: "stored values of a signal, without caches", calls: 20, of: signalReads(true) },
  { name: "screener", calls: 40, of: get(() => "/api/v1/screener") },
  {
    name: "newest run of the screener, without caches",
    calls: 4,
    of: async (site) => () => newReaders(site).runs.newest("1d", "stocks"),
  },
  {
    name: "result of a symbol in the newest run",
    calls: 50,
    of: async (site) => (n) => newReaders(site).runs.latest(symbolOf(n), "1d"),
  },
  { name: "states of the runs", calls: 4, of: async (site) => () => newReaders(site).runs.recent() },
  { name: "track record", calls: 40, of: get(() => "/api/v1/track-record") },
  { name: "odds", calls: 40, of: get(() => "/api/v1/odds/AAPL") },
];

/** Measures each read in both installations in turns. */
export async function measureReads(sites: {
  readonly empty: Installation;
  readonly filled: Installation;
}): Promise<readonly ReadTimes[]> {
  const found: ReadTimes[] = [];
  for (const { name, calls, of } of READS) {
    const reads = { empty: await of(sites.empty), filled: await of(sites.filled) };
    const times = { empty: [] as number[], filled: [] as number[] };
    for (let round = 0; round <= ROUNDS; round++)
      for (const which of round % 2 === 0 ? (["empty", "filled"] as const) : (["filled", "empty"] as const))
        for (let n = 0; n < calls; n++) {
          const begun = performance.now();
          await reads[which](n);
          // the first round fills caches
          if (round > 0) times[which].push(performance.now() - begun);
        }
    found.push({ name, empty: median(times.empty), filled: median(times.filled) });
  }
  return found;
}
