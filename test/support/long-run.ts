import { noPrints } from "../../src/app/providers/not-connected.ts";
import type { Instrument } from "../../src/domain/market/market.ts";
import type { RunReport } from "../../src/domain/nightly/engine-port.ts";
import type { RunRepository } from "../../src/domain/nightly/run-repository-port.ts";
import type { BarHistory } from "../../src/domain/ports.ts";
import { createEngine } from "../../src/features/nightly/engine.ts";
import { createCache } from "../../src/market/cache.ts";
import { createDirectory } from "../../src/market/symbols/directory.ts";
import { runRepository } from "../../src/store/nightly/run-repository.ts";
import { openStore } from "../../src/store/open-store.ts";
import { collectingLog, stoppedClock } from "./context.ts";
import { noRuns } from "./engine-runs.ts";
import { syntheticBars } from "./synthetic-bars.ts";
import { threadCompute } from "./thread-compute.ts";

/** Number of members of the run, in batches of 32. */
export const LONG_RUN = 640;
const BARS = 60;
const clock = stoppedClock(new Date("2026-01-15T22:00:00Z"));
const market = { mode: "files", id: "long" } as const;

const members = Array.from({ length: LONG_RUN }, (_, i): Instrument => {
  const symbol = `ZZ${String(i).padStart(4, "0")}`;
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

/** A run over 640 made-up stocks in a data folder, on two threads; `wrote` is awaited after each batch. */
export async function longRun(
  dataDir: string,
  id: string,
  wrote: (rows: number) => unknown = () => {},
): Promise<RunReport> {
  const store = await openStore({ dataDir, clock });
  const book = runRepository({ db: store.db, market: market.id });
  const observed: RunRepository = {
    ...book,
    async write(runId, rows) {
      await book.write(runId, rows);
      await wrote(rows.length);
    },
  };
  const compute = threadCompute(2);
  const engine = createEngine({
    prints: noPrints,
    engineRuns: noRuns,
    bars,
    clock,
    market,
    log: collectingLog().log,
    cache: createCache(clock),
    repository: observed,
    ids: { uuid: () => id },
    symbols: createDirectory({ members }),
    compute,
  });
  try {
    return await engine.run({ universe: { name: "all" }, resume: true });
  } finally {
    await engine.close();
    await compute.close();
    await store.close();
  }
}
