import { openReplay } from "../../src/features/nightly/replay-run.ts";
import { createCache } from "../../src/market/cache.ts";
import { createDirectory } from "../../src/market/symbols/directory.ts";
import { sampleMarket } from "../../src/providers/sample/market.ts";
import { dayAt } from "../../src/providers/sample/time.ts";
import {
  oddsRecordOfReplay,
  oddsTotals,
  type ReplayedForecast,
  replayedForecast,
  writeOddsTotals,
  writeReplayedOdds,
} from "../providers/sample/replayed-odds.ts";
import {
  COMPUTED_AT,
  FIRST_DECISION,
  type ReplayedSignal,
  recordOfSignals,
  roundedR,
  writeFactsOverBase,
  writeReplayedRecord,
  writeReplayedSignals,
} from "../providers/sample/replayed-signals.ts";
import { noRuns } from "../support/engine-runs.ts";
import { comparedFacts } from "./sample-record/facts.ts";

/**
 * Replays every close of the simulated market since 2022, as `market-signal track replay` does, and prints the record.
 * `npm run bench -- sample-record --write` writes the record that comes with the market, and the signals that prove it.
 */
export async function run(): Promise<void> {
  const { signals, forecasts } = await replayed();
  const odds = await oddsRecordOfReplay(forecasts);
  for (const { asset_class, horizon, period, n, cover_80, crps_skill } of odds?.rows ?? [])
    if (period === "all") console.log(asset_class ?? "all", horizon, n, cover_80.toFixed(3), crps_skill);
  const record = await recordOfSignals(signals);
  for (const { direction, asset_class, grade, n, over_base, interval } of record.r_over_base ?? [])
    if (grade === null)
      console.log(direction, asset_class ?? "all", n, over_base?.toFixed(3), JSON.stringify(interval));
  const compared = await comparedFacts();
  console.log(JSON.stringify(compared));
  if (!process.argv.includes("--write")) return;
  writeReplayedSignals(signals);
  writeReplayedRecord(record);
  writeReplayedOdds(odds);
  writeOddsTotals(oddsTotals(forecasts));
  writeFactsOverBase(compared);
}

/** Signals with an outcome, and forecasts with one. */
async function replayed(): Promise<{
  readonly signals: readonly ReplayedSignal[];
  readonly forecasts: readonly ReplayedForecast[];
}> {
  const clock = { now: () => new Date(COMPUTED_AT) };
  const { members, ...sample } = sampleMarket({ clock });
  const found: ReplayedSignal[] = [];
  const forecasts: ReplayedForecast[] = [];
  const request = { universe: "all", from: FIRST_DECISION } as const;
  const ports = {
    ...sample,
    symbols: createDirectory({ members }),
    cache: createCache(clock),
    engineRuns: noRuns,
  };
  const signal = new AbortController().signal;
  const replay = await openReplay({ ...request, signal }, ports);
  const parts = replay.parts();
  for (const [i, part] of parts.entries()) {
    console.error(`part ${i + 1} of ${parts.length}`);
    const options = { runId: "sample-record", signal, onClose: () => {} };
    for (const { logged, outcomes } of await replay.compute(part, options)) {
      if (outcomes.length === 0) continue;
      const { symbol, decided_at, direction, grade } = logged;
      const r = outcomes.reduce<number | null>((last, one) => one.r ?? last, null);
      found.push({ symbol, day: dayAt(Date.parse(decided_at)) - 1, direction, grade, r: roundedR(r) });
      forecasts.push(...replayedForecast(logged, outcomes));
    }
  }
  return { signals: found, forecasts };
}
