import { createHash } from "node:crypto";
import type { Transaction } from "kysely";
import type { OddsForecast } from "../../domain/odds/forecast.ts";
import type { Clock } from "../../domain/ports.ts";
import type { LoggedSignal } from "../../domain/track-record/track.ts";
import type {
  ForecastSignal,
  LoggedOdds,
  StoredOutcome,
  TrackRepository,
} from "../../domain/track-record/track-port.ts";
import { endJobWith } from "../jobs.ts";
import { insertMissing, type MarketDb, updateRows, upsert } from "../queries.ts";
import type { Schema } from "../schema.ts";
import { recordTransaction } from "../transactions.ts";
import { dueOutcomes, dueOutcomesOf } from "./due-outcomes.ts";
import { forecastText } from "./forecast-text.ts";
import { observedForecasts } from "./observed-forecasts.ts";
import { scoredSignals } from "./scored-signals.ts";

export interface TrackRepositoryOptions extends MarketDb {
  readonly clock: Clock;
}

/** Returns the id of a signal: a hash of its identifying fields, so that the same signal is stored only once. */
export function signalId(market: string, signal: LoggedSignal): string {
  const { symbol, timeframe, decided_at, origin, model_version, inputs_hash } = signal;
  return idOf([market, symbol, timeframe, decided_at, origin, model_version, inputs_hash]);
}

/** Returns the id of odds without a signal, so that a bar has only one of each method. */
const oddsId = (market: string, { symbol, timeframe, decided_at, forecast }: LoggedOdds): string =>
  idOf(["odds", market, symbol, timeframe, decided_at, forecast.version]);

const idOf = (parts: readonly string[]): string =>
  createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 24);

/** Creates the repository of one market's signals and odds with their outcomes. Rows are added and never changed. */
export const trackRepository = ({ db, market, clock }: TrackRepositoryOptions): TrackRepository => ({
  log: (signals) => recordTransaction(db, (tx) => insertSignals(tx, signals, { market, now: clock.now() })),

  async logForecasts(signals) {
    const rows = forecastRows(market, signals);
    await recordTransaction(db, (tx) => insertMissing(tx, "odds_forecasts", rows));
  },

  async logOdds(odds) {
    const logged_at = clock.now().toISOString();
    const ids = odds.map((answer) => oddsId(market, answer));
    const answers = odds.map(({ forecast: _, ...answer }, i) => ({
      ...answer,
      id: ids[i]!,
      market,
      logged_at,
    }));
    const forecasts = odds.map(({ forecast }, i) => forecastRow(ids[i]!, forecast));
    await recordTransaction(db, async (tx) => {
      await insertMissing(tx, "odds_answers", answers);
      await insertMissing(tx, "odds_forecasts", forecasts);
    });
  },

  due: (now) => dueOutcomes({ db, market }, now),

  dueOf: (series, now) => dueOutcomesOf({ db, market }, series, now),

  score: (outcomes, claim) =>
    recordTransaction(db, (tx) => {
      const write = () => insertOutcomes(tx, outcomes);
      return claim === undefined ? write() : endJobWith(tx, claim, { now: clock.now(), write });
    }),

  async endReplay(claim, replayed) {
    const now = clock.now();
    const signals = replayed.map(({ logged }) => logged);
    const result = await recordTransaction(db, (tx) =>
      endJobWith(tx, claim, {
        now,
        async write() {
          const ids = await insertSignals(tx, signals, { market, now });
          const outcomes = replayed.flatMap((one, i) =>
            one.outcomes.map((outcome) => ({ ...outcome, id: ids[i]! })),
          );
          return { signals: signals.length, outcomes: await insertOutcomes(tx, outcomes) };
        },
      }),
    );
    return result !== null;
  },

  scored: (query) => scoredSignals({ db, market }, query),

  async publish(timeframe, record) {
    const { model_version, computed_at } = record;
    const row = { computed_at, json: JSON.stringify(record) };
    await upsert(db, "track_records", { market, timeframe, model_version }, row);
  },

  observedForecasts: (timeframe) => observedForecasts({ db, market }, timeframe),

  publishOdds: (record) =>
    upsert(db, "odds_records", { market }, { computed_at: record.computed_at, json: JSON.stringify(record) }),
});

/** Inserts signals with their forecasts. Returns their ids in the same order. */
async function insertSignals(
  tx: Transaction<Schema>,
  signals: readonly ForecastSignal[],
  { market, now }: { readonly market: string; readonly now: Date },
): Promise<readonly string[]> {
  const rows = signals.map(({ forecast: _, ...signal }) => ({
    ...signal,
    id: signalId(market, signal),
    market,
    logged_at: now.toISOString(),
  }));
  await insertMissing(tx, "signals", rows);
  await insertMissing(tx, "odds_forecasts", forecastRows(market, signals));
  return rows.map(({ id }) => id);
}

/** Inserts outcomes with their bases. Returns the number of new outcomes. */
async function insertOutcomes(tx: Transaction<Schema>, outcomes: readonly StoredOutcome[]): Promise<number> {
  const bases = outcomes.flatMap(({ id, base }) =>
    base === undefined ? [] : [{ id, long_r: base.long, short_r: base.short }],
  );
  await insertMissing(tx, "base_results", bases);
  const rows = outcomes.map(({ id, horizon, known_at, change, r, highest, lowest, plan_end }) => ({
    id,
    horizon,
    known_at,
    change,
    r,
    highest,
    lowest,
    plan_end,
  }));
  const added = await insertMissing(tx, "signal_outcomes", rows);
  // outcomes of earlier versions lack what odds are scored by
  if (added < rows.length)
    for (const { id, horizon, highest, lowest, plan_end } of rows)
      await updateRows(tx, "signal_outcomes", { id, horizon, highest: null }, { highest, lowest, plan_end });
  return added;
}

const forecastRows = (market: string, signals: readonly ForecastSignal[]) =>
  signals.flatMap(({ forecast, ...signal }) =>
    forecast === undefined || forecast === null ? [] : [forecastRow(signalId(market, signal), forecast)],
  );

const forecastRow = (id: string, forecast: OddsForecast) => ({
  id,
  version: forecast.version,
  json: forecastText(forecast),
});
