import type { SignalOutcome } from "../../src/domain/track-record/track.ts";
import type { ForecastSignal, TrackRepository } from "../../src/domain/track-record/track-port.ts";
import { replayUniverse } from "../../src/features/nightly/replay.ts";
import { groupBy } from "../../src/lib/group-by.ts";
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
  let page: readonly ForecastSignal[] = [];
  const repository = {
    async log(signals: readonly ForecastSignal[]) {
      page = signals;
      return signals.map((_, i) => String(i));
    },
    async score(outcomes: readonly (SignalOutcome & { readonly id: string })[]) {
      const results = new Map<number, number | null>();
      for (const { id, r } of outcomes) results.set(Number(id), r ?? results.get(Number(id)) ?? null);
      for (const [i, r] of results) {
        const { symbol, decided_at, direction, grade } = page[i]!;
        found.push({ symbol, day: dayAt(Date.parse(decided_at)) - 1, direction, grade, r: roundedR(r) });
      }
      const bySignal = groupBy(outcomes, ({ id }) => Number(id));
      for (const [i, ofSignal] of bySignal) forecasts.push(...replayedForecast(page[i]!, ofSignal));
      return outcomes.length;
    },
  } satisfies Pick<TrackRepository, "log" | "score">;
  const request = {
    universe: "all",
    from: FIRST_DECISION,
    runId: "sample-record",
    signal: new AbortController().signal,
    progress: ({ done, total }: { done: number; total: number }) => {
      if (done % 50 === 0) console.error(`${done} of ${total}`);
    },
  } as const;
  await replayUniverse(request, {
    ...sample,
    symbols: createDirectory({ members }),
    cache: createCache(clock),
    engineRuns: noRuns,
    repository: repository as unknown as TrackRepository,
  });
  return { signals: found, forecasts };
}
