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

/** The daily signal of a symbol with the price beside it, or why there is none. */
export type PositionSignal =
  | { readonly picture: PricedPicture; readonly reason: null }
  | { readonly picture: null; readonly reason: string };

const MAX_CONCURRENT = 4;

/**
 * The daily signals of some symbols; why one has none stands in its place. Rejects only with what ends the whole call.
 */
export async function readPositionSignals(
  symbols: readonly string[],
  signal: AbortSignal,
  ports: PositionPorts,
): Promise<ReadonlyMap<string, PositionSignal>> {
  const readings = new Map<string, PositionSignal>();
  await forEachConcurrent(MAX_CONCURRENT, symbols, async (symbol) => {
    try {
      const picture = await pricedPictureOf({ symbol, timeframe: "1d", as_of: undefined, signal }, ports);
      ports.signalLog.keep(servedSignal(picture));
      readings.set(symbol, { picture, reason: null });
    } catch (thrown) {
      const error = asToolError(thrown);
      if (isCallError(error) || error.code === "INTERNAL") throw thrown;
      readings.set(symbol, { picture: null, reason: error.message });
    }
  });
  return readings;
}

/** Stop and first target of the side held; null where the levels are of the other. */
export function levelsFor(
  { consensus: { levels } }: PricedPicture,
  side: PositionSide,
): { readonly stop: number; readonly target: number } | null {
  return levels.side === side ? { stop: levels.stop, target: levels.targets[0]! } : null;
}

/** What a signal says as it is kept beside a position that is seen for the first time. */
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
