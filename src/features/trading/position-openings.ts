import { MAX_SYMBOLS } from "../../domain/questions/task.ts";
import type { Opening } from "../../domain/trading/positions-port.ts";
import { openingOf, type PositionPorts, type PositionSide, readPositionSignals } from "./position-signals.ts";

/**
 * Reads the daily signals of positions seen for the first time, at most twenty. Symbols whose signal cannot be read are
 * left out.
 */
export const createOpeningsReader =
  (signal: AbortSignal, ports: PositionPorts) =>
  async (
    positions: readonly { readonly symbol: string; readonly side: PositionSide }[],
  ): Promise<ReadonlyMap<string, Opening>> => {
    const limited = positions.slice(0, MAX_SYMBOLS);
    const signals = await readPositionSignals(
      limited.map(({ symbol }) => symbol),
      signal,
      ports,
    );
    return new Map(
      limited.flatMap(({ symbol, side }) => {
        const picture = signals.get(symbol)?.picture ?? null;
        return picture === null ? [] : [[symbol, openingOf(picture, side)] as const];
      }),
    );
  };
