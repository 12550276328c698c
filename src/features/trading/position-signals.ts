import type { Grade } from "../../analytics/score/grade.ts";
import type { Ports } from "../../domain/ports.ts";
import type { Opening } from "../../domain/trading/positions-port.ts";
import { asToolError, isCallError } from "../../kernel/errors.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { servedSignal } from "../signal/logged.ts";
import type { PicturePorts } from "../signal/picture.ts";
import { type PricedPicture, pricedPictureOf } from "../signal/price.ts";

export type PositionPorts = PicturePorts & Pick<Ports, "quotes" | "signalLog">;
export type PositionSide = "LONG" | "SHORT";

/** The daily signal and current price of a symbol, or the reason why it is missing. */
export type PositionSignal =
  | { readonly picture: PricedPicture; readonly reason: null }
  | { readonly picture: null; readonly reason: string };

const MAX_CONCURRENT = 4;

/** Reads the daily signals of symbols; a failed symbol gets its reason. Rejects only with errors that end the whole call. */
export async function readPositionSignals(
  symbols: readonly string[],
  signal: AbortSignal,
  ports: PositionPorts,
): Promise<ReadonlyMap<string, PositionSignal>> {
  const signals = new Map<string, PositionSignal>();
  await forEachConcurrent(MAX_CONCURRENT, symbols, async (symbol) => {
    try {
      const picture = await pricedPictureOf({ symbol, timeframe: "1d", as_of: undefined, signal }, ports);
      ports.signalLog.record(servedSignal(picture));
      signals.set(symbol, { picture, reason: null });
    } catch (thrown) {
      const error = asToolError(thrown);
      if (isCallError(error) || error.code === "INTERNAL") throw thrown;
      signals.set(symbol, { picture: null, reason: error.message });
    }
  });
  return signals;
}

/** Returns stop and first target of the side held; null when the levels are for the other side. */
export function levelsFor(
  { consensus: { levels } }: PricedPicture,
  side: PositionSide,
): { readonly stop: number; readonly target: number } | null {
  return levels.side === side ? { stop: levels.stop, target: levels.targets[0]! } : null;
}

/** Builds the signal snapshot stored with a position that is seen for the first time. */
export function openingOf(picture: PricedPicture, side: PositionSide): Opening {
  const { direction, score } = picture.consensus;
  const grade: Grade | null = picture.consensus.grade;
  const stop = levelsFor(picture, side)?.stop ?? null;
  return {
    at: picture.decidedAt,
    direction,
    grade,
    score,
    stop,
    stopSource: stop === null ? null : "signal",
  };
}
