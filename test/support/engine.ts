import type { EngineRow, RunHead } from "../../src/domain/nightly/engine.ts";
import { createEngine } from "../../src/features/nightly/engine.ts";
import type { RunPorts } from "../../src/features/nightly/run-ports.ts";
import { structureOf } from "../../src/features/signal/structure.ts";
import { runRepository } from "../../src/store/nightly/run-repository.ts";
import { testJobs } from "./jobs.ts";
import { climbingBars, type FakeMarket, marketOf } from "./market.ts";
import { testStore } from "./store.ts";

/** One result of a run; every field can be overridden. */
export const engineRow = (over: Partial<EngineRow> = {}): EngineRow => ({
  symbol: "AAPL",
  name: "Apple",
  asset_class: over.symbol?.endsWith("-USD") === true ? "crypto" : "equity",
  sector: null,
  as_of: "2026-01-14T21:00:00.000Z",
  close: 100,
  direction: "WAIT",
  tier: "NEUTRAL",
  score: 50,
  grade: "C",
  reason: null,
  entry: 100,
  stop: 95,
  targets: [110, 115],
  rr: 2,
  levels_basis: "watch",
  stage: 2,
  ics: { score: 50, conviction: "INSUFFICIENT", source: "none" },
  ...structureOf(climbingBars({ count: 1 })),
  model_version: "consensus-9",
  inputs_hash: "0123",
  source: "fixture",
  venue: "XTST",
  odds: null,
  moves: null,
  ...over,
});

/** Metadata of a run; every field can be overridden. */
export const runHead = (over: Partial<RunHead> = {}): RunHead => ({
  run_id: "r1",
  universe: "all",
  members: ["AAPL", "BTC-USD", "NVDA"],
  universe_hash: "abc",
  timeframe: "1d",
  as_of: "2026-01-15T00:00:00.000Z",
  started_at: "2026-01-15T15:00:00.000Z",
  model_version: "consensus-9",
  content: null,
  ...over,
});

/** An engine over a small market with its own store (`testStore`); it computes on this thread. */
export async function testEngine(
  market: Partial<FakeMarket> = {},
  over: Partial<RunPorts> = {},
  options?: Parameters<typeof testStore>[0],
) {
  const stock = climbingBars();
  const coin = climbingBars({ zone: "UTC", count: 400 });
  const { ports, requests } = marketOf({
    bars: { AAPL: stock, MSFT: climbingBars({ step: -0.125, first: 200 }), SPY: stock, "BTC-USD": coin },
    ...market,
  });
  const { db } = await testStore(options);
  const repository = runRepository({ db, market: ports.market.id });
  const jobs = testJobs({ ...ports, db });
  const engine = createEngine({ ...ports, repository, jobs, ...over });
  return { engine, ports, requests, db, repository, jobs };
}
