import { oddsBarsOf } from "../../analytics/score/consensus.ts";
import { TIME_EXIT } from "../../analytics/track/outcome.ts";
import { named } from "../../domain/answers.ts";
import type { Bars, Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass, Instrument } from "../../domain/market/market.ts";
import type { Ports, Symbols } from "../../domain/ports.ts";
import type { Direction, Grade } from "../../domain/signal/signal.ts";
import type { TrackRow } from "../../domain/track-record/track.ts";
import { ToolError } from "../../kernel/errors.ts";
import { agedBars, staleNote } from "./notes.ts";
import { type Picture, type PicturePorts, pictureOf } from "./picture.ts";

/** Trade plan of a signal with the record of similar trades; read by the trading service. */
export interface SignalPlan {
  /** Note on stale bars; null if the signal is current. */
  readonly stale: string | null;
  /** Closed bars that the odds read. */
  readonly bars: Bars;
  readonly signal: {
    readonly direction: (typeof Direction)["_output"];
    readonly grade: (typeof Grade)["_output"] | null;
    readonly score: number | null;
    readonly timeframe: Timeframe;
    readonly reward_to_risk: number;
    readonly reason: string | null;
  };
  readonly entry: { readonly low: number; readonly high: number };
  readonly stop: number;
  readonly target: number | null;
  readonly record: Pick<TrackRow["trades"], "n" | "win_rate" | "mean_win_r" | "mean_loss_r">;
}

const NONE: SignalPlan["record"] = { n: 0, win_rate: null, mean_win_r: null, mean_loss_r: null };

/** Resolves the instrument to trade. Throws INVALID_INPUT if the name is ambiguous. */
export function tradedInstrument(
  symbol: string,
  kind: AssetClass | undefined,
  symbols: Pick<Symbols, "resolve">,
): Instrument {
  const { instrument, alternatives } = symbols.resolve(symbol);
  const matches = [instrument, ...alternatives].filter(
    ({ asset_class }) => kind === undefined || asset_class === kind,
  );
  const [one, ...others] = matches;
  if (one !== undefined && others.length === 0) return one;
  const all = [instrument, ...alternatives];
  const what =
    matches.length > 1
      ? `"${symbol}" names several instruments`
      : `${instrument.symbol} is not of asset_class ${kind}`;
  throw new ToolError("INVALID_INPUT", what, {
    hint: `Pass the symbol or asset_class of one: ${all.map(({ symbol, asset_class }) => `${symbol} (${asset_class})`).join(", ")}.`,
    data: { candidates: all.map(named) },
  });
}

/** Returns the plan of an instrument with the record of similar signals; null if there are too few bars. */
export async function planOf(
  {
    symbol,
    timeframe,
    signal,
  }: { readonly symbol: string; readonly timeframe: Timeframe; readonly signal: AbortSignal },
  ports: PicturePorts & Pick<Ports, "trackRecord">,
): Promise<SignalPlan | null> {
  try {
    return await planFrom(await pictureOf({ symbol, timeframe, signal }, ports), ports);
  } catch (cause) {
    if (cause instanceof ToolError && cause.code === "NOT_ENOUGH_DATA") return null;
    throw cause;
  }
}

/** Returns the plan of a picture with the record of similar signals. */
export async function planFrom(
  picture: Pick<Picture, "consensus" | "resolution" | "timeframe" | "input" | "decidedAt" | "requestedAt">,
  { trackRecord }: Pick<Ports, "trackRecord">,
): Promise<SignalPlan> {
  const { consensus, resolution, timeframe, input } = picture;
  const { levels, direction, grade, score, reason } = consensus;
  const published = await trackRecord.published(timeframe);
  const row =
    published?.model_version !== consensus.model_version
      ? undefined
      : published.rows.find(
          (one) =>
            one.horizon === TIME_EXIT &&
            one.grade === grade &&
            one.direction === direction &&
            one.asset_class === resolution.instrument.asset_class,
        );
  return {
    stale: staleNote(agedBars(picture)),
    bars: oddsBarsOf(input),
    signal: { direction, grade, score, timeframe, reward_to_risk: levels.reward_to_risk, reason },
    entry: levels.entry,
    stop: levels.stop,
    target: levels.targets[0] ?? null,
    record: row?.trades ?? NONE,
  };
}
