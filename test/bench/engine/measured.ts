import { cpus } from "node:os";
import { join } from "node:path";
import { noPrints } from "../../../src/app/providers/not-connected.ts";
import { createCompute } from "../../../src/compute/compute.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import type { Instrument } from "../../../src/domain/market/market.ts";
import type { BarHistory } from "../../../src/domain/ports.ts";
import { createEngine } from "../../../src/features/nightly/engine.ts";
import { createCache } from "../../../src/market/cache.ts";
import { createDirectory } from "../../../src/market/symbols/directory.ts";
import { runRepository } from "../../../src/store/nightly/run-repository.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { collectingLog, countingIds, stoppedClock } from "../../support/context.ts";
import { noRuns } from "../../support/engine-runs.ts";
import { testJobs } from "../../support/jobs.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";
import { suiteDir } from "../../support/temp-dir.ts";

// Times complete runs over synthetic stocks of 500 daily bars: loaded, ranked, computed on two threads, written. To be
// compiled, so that threads load the compiled program.
const BARS = 500;
const SIZES = [1_250, 2_500, 5_000];
const SECTORS = 11;
const TARGET = { seconds: 20, megabytes: 1024, threads: 2 };

console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? "unknown processor"}`);
const market = synthetic(SIZES.at(-1)!);
console.log(
  `${BARS} daily bars per stock, ${SECTORS} sectors, all symbols of a sector are peers; rows are written to SQLite`,
);
await timed(market, 300, TARGET.threads);
for (const size of SIZES) {
  const { seconds, cpu, megabytes, rows } = await timed(market, size, TARGET.threads);
  const each = ((1000 * seconds) / size).toFixed(2);
  console.log(
    `${String(size).padStart(5)} symbols  ${TARGET.threads} threads  ${seconds.toFixed(1).padStart(5)} s  ${each} ms a symbol  ${cpu.toFixed(1).padStart(5)} s of CPU time  peak ${megabytes} MB  ${rows} rows`,
  );
  if (size === SIZES.at(-1) && (seconds > TARGET.seconds || megabytes > TARGET.megabytes || rows < size))
    process.exitCode = 1;
}
const alone = await timed(market, SIZES[0]!, 0);
console.log(
  `${String(SIZES[0]).padStart(5)} symbols  no thread  ${alone.seconds.toFixed(1).padStart(5)} s  ${alone.cpu.toFixed(1)} s of CPU time`,
);
console.log(`target: 5000 symbols under ${TARGET.seconds} s and ${TARGET.megabytes} MB on 2 cores`);

interface Synthetic {
  readonly members: readonly Instrument[];
  readonly bars: ReadonlyMap<string, Bars>;
}

function synthetic(count: number): Synthetic {
  const members = Array.from({ length: count }, (_, i): Instrument => {
    const symbol = i === 0 ? "SPY" : `ZZ${String(i).padStart(4, "0")}`;
    const sector = `Sector ${i % SECTORS}`;
    return { symbol, name: symbol, asset_class: "equity", sector, currency: "USD" };
  });
  return {
    members,
    bars: new Map(members.map(({ symbol }, i) => [symbol, syntheticBars(i + 1, BARS)])),
  };
}

async function timed({ members, bars: held }: Synthetic, size: number, threads: number) {
  const { dir, remove } = suiteDir();
  const clock = stoppedClock(new Date("2026-01-15T22:00:00Z"));
  const store = await openStore({ dataDir: join(dir, "data"), clock });
  const bars: BarHistory = {
    async history({ symbol }, { limit }) {
      const all = held.get(symbol)!;
      const cut = Object.fromEntries(
        (["time", "open", "high", "low", "close", "volume"] as const).map((name) => [
          name,
          all[name].subarray(-limit),
        ]),
      );
      return {
        bars: { ...all, ...cut },
        forming: null,
        source: "synthetic",
        venue: "XTST",
        adjustment: "split",
        as_of: "2026-01-15T21:00:00.000Z",
      };
    },
  };
  const market = { mode: "files", id: "bench" } as const;
  const { log } = collectingLog();
  const compute = createCompute({ threads, log });
  compute.start();
  const engine = createEngine({
    prints: noPrints,
    engineRuns: noRuns,
    bars,
    clock,
    market,
    ids: countingIds(),
    log,
    jobs: testJobs({ db: store.db, market, clock, log }),
    cache: createCache(clock),
    symbols: createDirectory({ members: members.slice(0, size) }),
    repository: runRepository({ db: store.db, market: market.id }),
    compute,
  });
  const before = process.cpuUsage();
  const started = performance.now();
  const { rows } = await engine.run({ universe: { name: "all" } });
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  await engine.close();
  await compute.close();
  await store.close();
  remove();
  // Peak memory of the entire process with its threads.
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  return { seconds, cpu: (user + system) / 1e6, rows: rows.length, megabytes };
}
