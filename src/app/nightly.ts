import type { Peers } from "../domain/peers-port.ts";
import type { Ports } from "../domain/ports.ts";
import { createEngine } from "../features/nightly/engine.ts";
import { createFailedJobs } from "../features/nightly/failed-jobs.ts";
import { computeMarketIndex } from "../features/nightly/market-index.ts";
import { createTrack, type TrackPorts } from "../features/nightly/track.ts";
import { membersOf } from "../features/nightly/universe.ts";
import { withFacts } from "../features/signal/picture.ts";
import { createJobs } from "../jobs/jobs.ts";
import { jobQueue } from "../store/jobs.ts";
import { runRepository } from "../store/nightly/run-repository.ts";
import type { MarketDb } from "../store/queries.ts";
import { jobCounts } from "../store/queue-states.ts";
import type { LiveMarket } from "./providers/live.ts";
import { noPrints, noRunNews } from "./providers/not-connected.ts";

interface NightlyOptions {
  readonly ports: Ports;
  /** Bars for work that no caller waits for. */
  readonly bars: Ports["bars"];
  readonly live: LiveMarket | null;
  readonly peers: Peers;
  readonly scope: MarketDb & { readonly backgroundDb: MarketDb["db"] };
  readonly repositories: Pick<TrackPorts, "repository" | "calls">;
}

/** Creates the nightly engine of one market, the track record that it writes, and what the owner does with failed jobs. */
export function openNightly({ ports, bars, live, peers, scope, repositories }: NightlyOptions) {
  const { clock, log } = ports;
  const queue = jobQueue({ ...scope, clock });
  const jobs = createJobs({ queue, peers, log });
  const track = createTrack({ ...ports, bars, ...repositories, jobs });
  // stored facts and files of all symbols; one request per symbol would use up the calls that requests need
  const factPorts = live === null ? ports : { ...ports, bars, news: noRunNews, prints: noPrints };
  const engine = createEngine({
    ...ports,
    bars,
    prints: factPorts.prints,
    repository: runRepository(scope),
    jobs,
    // the index of a stock run includes crypto, which has a run of its own
    index: ({ head, ...inputs }) =>
      computeMarketIndex({
        ...inputs,
        putCalls: ports.putCalls,
        members: [...head.members, ...membersOf({ name: "crypto" }, ports)],
      }),
    onComputed: track.logForecasts,
    onFound: track.afterRun,
    withFacts: (instrument, gathered, signal) => withFacts(instrument, gathered, signal, factPorts),
  });
  const failedJobs = createFailedJobs({
    queue: { ...queue, retry: jobs.retry },
    counts: () => jobCounts(scope),
    resumable: engine.resumable,
  });
  let stops: readonly (() => Promise<void>)[] = [];
  return {
    track,
    engine,
    failedJobs,
    /**
     * Makes this process do parts of the runs that other processes began, until `close`. `replays`: also of replays, which
     * compute on the main thread and hold the bars of all symbols in memory.
     */
    takeJobs({ replays }: { readonly replays: boolean }) {
      engine.takeShards();
      stops = [track.takeScoring(), ...(replays ? [track.takeReplays()] : [])];
    },
    async close() {
      await Promise.all([engine.close(), ...stops.map((stop) => stop())]);
    },
  };
}
