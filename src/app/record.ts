import { MODEL_VERSION } from "../analytics/score/consensus.ts";
import type { Compute } from "../domain/compute-port.ts";
import type { Clock, Ids, Log, Ports } from "../domain/ports.ts";
import type { KeyedHash } from "../domain/vault/secrets-port.ts";
import { oddsForecaster, signalForecaster } from "../features/signal/forecast.ts";
import { type ReplayedRecords, withReplayedRecord } from "../features/track-record/replayed-record.ts";
import { claims } from "../store/claims/claims.ts";
import type { MarketDb } from "../store/queries.ts";
import { barAnswerRows } from "../store/track-record/bar-answer-rows.ts";
import { barAnswers } from "../store/track-record/bar-answers.ts";
import { callRepository } from "../store/track-record/calls.ts";
import { checkLog } from "../store/track-record/check-log.ts";
import { oddsLog } from "../store/track-record/odds-log.ts";
import { signalLog } from "../store/track-record/signal-log.ts";
import { trackRecord } from "../store/track-record/track-record.ts";
import { trackRepository } from "../store/track-record/track-repository.ts";
import type { Config } from "./config.ts";

interface RecordOptions extends MarketDb {
  readonly config: Config;
  readonly keyedHash: KeyedHash;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly compute: Compute;
  /** For what is written about the nightly runs. */
  readonly backgroundDb: MarketDb["db"];
  /** Returns the records that come with the market, of a model version. */
  readonly replayedRecords: (model: string) => ReplayedRecords;
}

/** Opens the records of one market: signals, odds, checked orders and claims, each with its outcomes. */
export function openRecord({
  config,
  keyedHash,
  clock,
  ids,
  log,
  compute,
  replayedRecords,
  backgroundDb,
  ...scope
}: RecordOptions) {
  const backgroundScope = { ...scope, db: backgroundDb };
  const repository = trackRepository({ ...scope, clock });
  const calls = callRepository({ ...scope, clock, keyedHash });
  const signals = signalLog({
    repository,
    forecastOf: signalForecaster(compute),
    market: scope.market,
    log,
  });
  const answers = barAnswers({ rows: barAnswerRows(scope), clock, log });
  const odds = oddsLog({ repository, forecastOf: oddsForecaster(compute), log });
  const checks = checkLog({ ...scope, calls, isOn: config.CHECK_RECORD === "on", log });
  const stored = trackRecord({ ...scope, model: MODEL_VERSION });
  return {
    /** Those of the track record, for the nightly runs. */
    repositories: {
      repository: trackRepository({ ...backgroundScope, clock }),
      calls: callRepository({ ...backgroundScope, clock, keyedHash }),
    },
    ports: {
      signalLog: { record: signals.record, observe: answers.observe },
      oddsLog: odds,
      checkedOrders: checks,
      claims: claims({ ...scope, ids }),
      trackRecord: withReplayedRecord(stored, replayedRecords(MODEL_VERSION)),
    } satisfies Partial<Ports>,
    /** Writes what is pending. */
    close: () => Promise.all([signals.close(), answers.close(), odds.close(), checks.close()]),
  };
}
