import { noPrints } from "../../src/app/providers/not-connected.ts";
import type { Compute } from "../../src/domain/compute-port.ts";
import type { Instrument } from "../../src/domain/market/market.ts";
import type { RunReport } from "../../src/domain/nightly/engine-port.ts";
import type { RunRepository } from "../../src/domain/nightly/run-repository-port.ts";
import { noPeers } from "../../src/domain/peers-port.ts";
import type { BarHistory, Clock } from "../../src/domain/ports.ts";
import { createEngine } from "../../src/features/nightly/engine.ts";
import { createCache } from "../../src/market/cache.ts";
import { createDirectory } from "../../src/market/symbols/directory.ts";
import { runRepository } from "../../src/store/nightly/run-repository.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { collectingLog, stoppedClock } from "./context.ts";
import { noRuns } from "./engine-runs.ts";
import { testJobs } from "./jobs.ts";
import { syntheticBars } from "./synthetic-bars.ts";
import { threadCompute } from "./thread-compute.ts";

/** Number of members of the run, in batches of 32. */
export const LONG_RUN = 640;
const BARS = 60;
const at = stoppedClock(new Date("2026-01-15T22:00:00Z"));
const market = { mode: "files", id: "long" } as const;

const symbolOf = (index: number) => `ZZ${String(index).padStart(4, "0")}`;
/** The first member of each run. */
export const FIRST_MEMBER = symbolOf(0);

const membersOf = (count: number) =>
  Array.from({ length: count }, (_, i): Instrument => {
    const symbol = symbolOf(i);
    return { symbol, name: symbol, asset_class: "equity", sector: `Sector ${i % 7}`, currency: "USD" };
  });
const bars: BarHistory = {
  history: async ({ symbol }) => ({
    bars: syntheticBars(1 + Number(symbol.slice(2)), BARS),
    forming: null,
    source: "synthetic",
    venue: "XTST",
    adjustment: "split",
    as_of: "2026-01-15T21:00:00.000Z",
  }),
};

interface LongEngineOptions {
  readonly store: Pick<Store, "db" | "replicas">;
  readonly compute: Compute;
  /** Number of members. */
  readonly size: number;
  /** Id of a run that is begun. */
  readonly id: string;
  /** Time of leases. */
  readonly leaseClock?: Clock;
  readonly leaseMs?: number;
  /** Awaited before each batch is written. */
  readonly writes?: (symbols: readonly string[]) => unknown;
  /** Awaited after each batch. */
  readonly wrote?: (rows: number) => unknown;
}

/** An engine over made-up stocks in a database. */
export function longEngine({
  store: { db, replicas },
  compute,
  size,
  id,
  leaseClock = at,
  leaseMs = 60_000,
  writes = () => {},
  wrote = () => {},
}: LongEngineOptions) {
  const { log } = collectingLog();
  const repository = runRepository({ db, market: market.id });
  const observed: RunRepository = {
    ...repository,
    async write(runId, rows, end) {
      await writes(rows.map(({ symbol }) => symbol));
      const isWritten = await repository.write(runId, rows, end);
      await wrote(rows.length);
      return isWritten;
    },
  };
  return createEngine({
    prints: noPrints,
    engineRuns: noRuns,
    bars,
    clock: at,
    market,
    log,
    jobs: testJobs({ db, market, clock: leaseClock, log, leaseMs, peers: replicas?.peers ?? noPeers }),
    cache: createCache(at),
    repository: observed,
    ids: { uuid: () => id },
    symbols: createDirectory({ members: membersOf(size) }),
    compute,
  });
}

/** A run over 640 made-up stocks in a data folder, on two threads; `wrote` is awaited after each batch. */
export async function longRun(
  dataDir: string,
  id: string,
  wrote: (rows: number) => unknown = () => {},
): Promise<RunReport> {
  const store = await openStore({ dataDir, clock: at });
  const compute = threadCompute(2);
  const engine = longEngine({ store, compute, size: LONG_RUN, id, wrote });
  try {
    return await engine.run({ universe: { name: "all" }, resume: true });
  } finally {
    await engine.close();
    await compute.close();
    await store.close();
  }
}
