import { MAX_SYMBOLS } from "../../domain/questions/task.ts";
import type { Opening } from "../../domain/trading/positions-port.ts";
import { openingOf, type PositionPorts, type PositionSide, readPositionSignals } from "./position-signals.ts";

/** What the daily signals say of positions that are seen for the first time, of the first twenty; those that cannot be read are not among them. */
export const createOpeningsReader =
  (signal: AbortSignal, ports: PositionPorts) =>
  async (
    wanted: readonly { readonly symbol: string; readonly side: PositionSide }[],
  ): Promise<ReadonlyMap<string, Opening>> => {
    const some = wanted.slice(0, MAX_SYMBOLS);
    const readings = await readPositionSignals(
      some.map(({ symbol }) => symbol),
      signal,
      ports,
    );
    return new Map(
      some.flatMap(({ symbol, side }) => {
        const picture = readings.get(symbol)?.picture ?? null;
        return picture === null ? [] : [[symbol, openingOf(picture, side)] as const];
      }),
    );
  };
