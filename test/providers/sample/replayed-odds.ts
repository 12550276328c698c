import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scoreForecast } from "../../../src/analytics/odds/score-forecast.ts";
import { MODEL_VERSION } from "../../../src/analytics/score/consensus.ts";
import type { OddsRecord } from "../../../src/domain/odds/odds-record.ts";
import type { SignalOutcome } from "../../../src/domain/track-record/track.ts";
import type { ForecastSignal, ObservedForecast } from "../../../src/domain/track-record/track-port.ts";
import { oddsRecordOf } from "../../../src/features/track-record/odds-record.ts";
import { groupBy } from "../../../src/lib/group-by.ts";
import { marketAt } from "./fixture.ts";
import { COMPUTED_AT } from "./replayed-signals.ts";

const TOTALS = join(import.meta.dirname, "replayed-odds.json");
const ODDS = join(import.meta.dirname, "../../../src/providers/sample/replayed-odds.json");

/** A forecast of the record with its outcomes. */
export type ReplayedForecast = ObservedForecast;

/** Returns the forecast of a replayed signal, or nothing if it has none. */
export function replayedForecast(
  {
    symbol,
    asset_class,
    decided_at,
    forecast,
    stop,
    target,
  }: Pick<ForecastSignal, "symbol" | "asset_class" | "decided_at" | "forecast" | "stop" | "target">,
  outcomes: readonly Omit<SignalOutcome, "known_at">[],
): readonly ReplayedForecast[] {
  if (forecast === undefined || forecast === null) return [];
  const happened = outcomes.map(({ horizon, change, highest, lowest, plan_end }) => ({
    bars: horizon,
    close: Math.log1p(change),
    high: highest,
    low: lowest,
    planEnd: plan_end,
    planSide: stop < target ? ("LONG" as const) : ("SHORT" as const),
    replayed: true,
  }));
  return [{ symbol, asset_class, at: Date.parse(decided_at), forecast, outcomes: happened }];
}

/** Computes the record of odds, as an installation does after a replay. */
export const oddsRecordOfReplay = (forecasts: readonly ReplayedForecast[]): Promise<OddsRecord | null> =>
  oddsRecordOf((timeframe) => (timeframe === "1d" ? [forecasts] : []), new Date(COMPUTED_AT).toISOString());

/** Totals of one symbol and horizon: forecasts, closes within the 80% range, sums of scores and of base scores. */
export type OddsTotals = Readonly<
  Record<string, readonly [n: number, inside: number, score: number, base: number]>
>;

/** Sums up the forecasts by symbol and horizon. */
export function oddsTotals(forecasts: readonly ReplayedForecast[]): OddsTotals {
  const scores = forecasts.flatMap(({ symbol, forecast, outcomes }) =>
    outcomes.map((outcome) => ({
      name: `${symbol} ${outcome.bars}`,
      score: scoreForecast(forecast, outcome)!,
    })),
  );
  const totals = [...groupBy(scores, ({ name }) => name)].map(([name, group]) => [
    name,
    [
      group.length,
      group.filter(({ score }) => score.inside[80]).length,
      group.reduce((sum, { score }) => sum + score.score, 0),
      group.reduce((sum, { score }) => sum + score.baseScore!, 0),
    ],
  ]);
  return Object.fromEntries(totals) as OddsTotals;
}

export function writeOddsTotals(totals: OddsTotals): void {
  const lines = Object.entries(totals).map(
    ([name, values]) => `  ${JSON.stringify(name)}: ${JSON.stringify(values).replaceAll(",", ", ")}`,
  );
  writeFileSync(TOTALS, `{\n${lines.join(",\n")}\n}\n`);
}

export const readOddsTotals = (): OddsTotals => JSON.parse(readFileSync(TOTALS, "utf8"));

/** Writes the record of odds that comes with the market. */
export function writeReplayedOdds(record: OddsRecord | null): void {
  const { id } = marketAt(COMPUTED_AT).market;
  writeFileSync(ODDS, `${JSON.stringify({ market: id, model: MODEL_VERSION, record }, null, 2)}\n`);
}
