import type { PeerReturn } from "../../analytics/drivers/relative-strength.ts";
import { worseEdge } from "../../analytics/levels/side.ts";
import { recentMoves } from "../../analytics/moves.ts";
import { type ConsensusInput, consensus, oddsBarsOf } from "../../analytics/score/consensus.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { EngineRow, RunFailure } from "../../domain/nightly/engine.ts";
import type { OddsForecast } from "../../domain/odds/forecast.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { answerForecast } from "../signal/forecast.ts";
import type { Gathered } from "../signal/gather.ts";
import { type Digest, inputsHash } from "../signal/inputs-hash.ts";
import { rowOdds } from "../signal/signal-odds.ts";
import { stageOf, structureOf } from "../signal/structure.ts";

/** Inputs of one row, as plain data that can be sent to another thread. */
export interface RowInputs {
  readonly instrument: Instrument;
  readonly decidedAt: string;
  readonly source: string;
  readonly venue: string;
  readonly input: ConsensusInput;
}

/** A row or a failure; the other is null. */
export interface EngineOutcome {
  readonly row: EngineRow | null;
  readonly failure: RunFailure | null;
  /** Odds that are stored with the signal of the row; null or omitted: none. */
  readonly forecast?: OddsForecast | null;
  /** The original error of an internal failure; it is only logged. */
  readonly fault?: unknown;
}

/** Selects the gathered inputs from which a row is computed. */
export const subjectOf = (
  instrument: Instrument,
  { series: { source, venue }, decidedAt, input }: Gathered,
): RowInputs => ({ instrument, decidedAt, source, venue, input });

/** Values that several rows share. */
export interface SharedValues {
  readonly digest: Digest;
  readonly peerReturn: PeerReturn;
}

/** Computes a row, or the reason for its failure; never throws. */
export function outcomeOf(subject: RowInputs, shared?: SharedValues): EngineOutcome {
  try {
    const row = rowOf(subject, shared);
    const { input } = subject;
    const { assetClass } = input;
    const { symbol, odds } = row;
    const forecast = odds && answerForecast({ bars: oddsBarsOf(input), symbol, assetClass, odds });
    return { row, failure: null, forecast };
  } catch (cause) {
    return toFailure(subject.instrument, cause);
  }
}

/** Maps an error to a failure with a message that may be shown. */
export function toFailure({ symbol }: Instrument, cause: unknown): EngineOutcome {
  const { code, message } = asToolError(cause);
  const fault = code === "INTERNAL" ? { fault: cause } : {};
  return { row: null, failure: { symbol, code, message }, ...fault };
}

/** Computes the row of a symbol that is stored with a run. @throws ToolError NOT_ENOUGH_DATA when there are no levels */
function rowOf({ instrument, decidedAt, source, venue, input }: RowInputs, shared?: SharedValues): EngineRow {
  const { symbol, name, asset_class, sector } = instrument;
  const signal = consensus(input, shared?.peerReturn);
  const { levels, levels_basis, ics } = signal;
  if (levels === null || levels_basis === null)
    throw new ToolError("NOT_ENOUGH_DATA", `No levels for ${symbol}: ${signal.levels_reason}`);
  return {
    symbol,
    name,
    asset_class,
    sector,
    as_of: decidedAt,
    close: signal.close,
    direction: signal.direction,
    tier: signal.tier,
    score: signal.score,
    grade: signal.grade,
    reason: signal.reason,
    entry: worseEdge(levels),
    stop: levels.stop,
    targets: [...levels.targets],
    rr: levels.reward_to_risk,
    levels_basis,
    stage: stageOf(input.bars),
    ics: { score: ics.score, conviction: ics.conviction, source: ics.source },
    ...structureOf(input.bars),
    model_version: signal.model_version,
    inputs_hash: inputsHash(input, shared?.digest),
    source,
    venue,
    odds: rowOdds({ bars: oddsBarsOf(input), symbol, assetClass: asset_class, levels }),
    moves: recentMoves(input.bars),
  };
}
