import type { Quote } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { MAX_SYMBOLS } from "../../domain/requests/task.ts";
import type { Opening, PositionRecord } from "../../domain/trading/positions-port.ts";
import { itemError, ToolError } from "../../kernel/errors.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { servedSignal } from "../signal/logged.ts";
import { agedBars, staleNote } from "../signal/notes.ts";
import type { PicturePorts } from "../signal/picture.ts";
import { type PricedPicture, pricedPictureOf } from "../signal/price.ts";

export type PositionPorts = PicturePorts & Pick<Ports, "quotes" | "signalLog">;
export type PositionSide = "LONG" | "SHORT";
type Holding = Pick<PositionRecord, "symbol" | "quantity">;

/** Returns the side of a position from the sign of its quantity. */
export const sideOf = (quantity: string): PositionSide => (quantity.startsWith("-") ? "SHORT" : "LONG");

/** Finds the stored position in the same symbol on the same side. */
export const samePosition = (
  stored: readonly PositionRecord[] | undefined,
  { symbol, quantity }: Holding,
): PositionRecord | undefined =>
  stored?.find((known) => known.symbol === symbol && sideOf(known.quantity) === sideOf(quantity));

/** The daily signal and current price of a symbol, or the reason why it is missing. */
export type PositionSignal =
  | {
      readonly picture: PricedPicture;
      readonly reason: null;
      /** Note on stale bars. Default: null, the signal is current. */
      readonly stale?: string | null;
    }
  | {
      readonly picture: null;
      readonly reason: string;
      readonly stale?: null;
      /** Price of a symbol without a signal. Default: null. */
      readonly quote?: Quote | null;
    };

const MAX_CONCURRENT = 4;

/**
 * Reads the daily signals of symbols; a failed symbol has the reason. Rejects only with errors that affect the entire
 * call.
 */
export async function readPositionSignals(
  symbols: readonly string[],
  signal: AbortSignal,
  ports: PositionPorts,
): Promise<ReadonlyMap<string, PositionSignal>> {
  const signals = new Map<string, PositionSignal>();
  const instruments = symbols.flatMap((symbol) => ports.symbols.find(symbol)?.instrument ?? []);
  await ports.quotes.prefetch?.(instruments, { signal });
  await forEachConcurrent(MAX_CONCURRENT, symbols, async (symbol) => {
    try {
      const picture = await pricedPictureOf({ symbol, timeframe: "1d", as_of: undefined, signal }, ports);
      ports.signalLog.record(servedSignal(picture));
      signals.set(symbol, { picture, reason: null, stale: staleNote(agedBars(picture)) });
    } catch (thrown) {
      const reason = itemError(thrown).message;
      signals.set(symbol, { picture: null, reason, quote: await quoteOf(symbol, signal, ports) });
    }
  });
  return signals;
}

/** Returns the price of a symbol that has no signal; null without one. */
async function quoteOf(
  symbol: string,
  signal: AbortSignal,
  { symbols, quotes }: Pick<PositionPorts, "symbols" | "quotes">,
): Promise<Quote | null> {
  const found = symbols.find(symbol);
  if (found === null) return null;
  try {
    return await quotes.latest(found.instrument, { signal });
  } catch (cause) {
    signal.throwIfAborted();
    if (!(cause instanceof ToolError)) throw cause;
    return null;
  }
}

/** Returns the stop and first target for the given side; null when the levels are for the other side. */
export function levelsFor(
  { consensus: { levels } }: PricedPicture,
  side: PositionSide,
): { readonly stop: number; readonly target: number } | null {
  return levels.side === side ? { stop: levels.stop, target: levels.targets[0]! } : null;
}

/** Builds the signal snapshot stored with a position that is seen for the first time. */
function openingOf(picture: PricedPicture, side: PositionSide): Opening {
  const { direction, score, grade } = picture.consensus;
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

/** Returns the opening signals of positions, by symbol. */
export type OpeningsReader = (positions: readonly Holding[]) => Promise<ReadonlyMap<string, Opening>>;

/**
 * Creates a function that reads the daily signals of at most twenty new positions. Symbols whose signal cannot be read
 * are omitted.
 */
export const createOpeningsReader =
  (signal: AbortSignal, ports: PositionPorts): OpeningsReader =>
  async (positions) => {
    const limited = positions.slice(0, MAX_SYMBOLS);
    const symbols = limited.map(({ symbol }) => symbol);
    const signals = await readPositionSignals(symbols, signal, ports);
    return new Map(
      limited.flatMap(({ symbol, quantity }) => {
        const picture = signals.get(symbol)?.picture ?? null;
        return picture === null ? [] : [[symbol, openingOf(picture, sideOf(quantity))] as const];
      }),
    );
  };
