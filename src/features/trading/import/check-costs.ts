import type { PriceSource } from "../../../domain/market/market.ts";
import type { Ports } from "../../../domain/ports.ts";
import { itemError } from "../../../kernel/errors.ts";
import { forEachConcurrent } from "../../../lib/concurrency.ts";
import type { ImportedPosition } from "./positions.ts";

/** A position whose cost is far from its market price. */
export interface DoubtfulCost {
  readonly position: ImportedPosition;
  /** US dollars. */
  readonly price: number;
  readonly priceSource: PriceSource;
  /** Time of the trade at this price, ISO 8601 UTC. */
  readonly priceTime: string;
  /** Cost of one unit divided by the price. */
  readonly factor: number;
}

/** Maximum factor between the cost of a unit and its market price, in either direction. */
const MAX_FACTOR = 20;
const MAX_CONCURRENT = 4;
/** Maximum time for all prices, ms; positions without one by then are not judged. */
const MAX_TIME_MS = 20_000;

/**
 * Returns the positions whose cost is more than 20 times or under a twentieth of the latest market price. Positions without
 * a confirmed price, and all positions of the simulated market, are not checked.
 */
export async function doubtfulCosts(
  positions: readonly ImportedPosition[],
  {
    symbols,
    quotes,
    market,
    signal,
  }: Pick<Ports, "symbols" | "quotes" | "market"> & { readonly signal: AbortSignal },
): Promise<readonly DoubtfulCost[]> {
  if (market.mode === "sample" || positions.length === 0) return [];
  const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_TIME_MS)]);
  const doubtful: DoubtfulCost[] = [];
  const check = async (position: ImportedPosition) => {
    const instrument = symbols.find(position.symbol)?.instrument;
    if (instrument === undefined || limited.aborted) return;
    const { price, price_source, timestamp } = await quotes.latest(instrument, { signal: limited });
    const factor = Number(position.averagePrice) / price;
    const isFar = factor > MAX_FACTOR || factor < 1 / MAX_FACTOR;
    if (price > 0 && isFar && price_source !== "unconfirmed_quote")
      doubtful.push({ position, price, priceSource: price_source, priceTime: timestamp, factor });
  };
  const instruments = positions.flatMap(({ symbol }) => symbols.find(symbol)?.instrument ?? []);
  const unlessMissing = (cause: unknown) => {
    signal.throwIfAborted();
    if (!limited.aborted) itemError(cause);
  };
  await quotes.prefetch?.(instruments, { signal: limited }).catch(unlessMissing);
  await forEachConcurrent(MAX_CONCURRENT, positions, (position) => check(position).catch(unlessMissing));
  return positions.flatMap((position) => doubtful.find((one) => one.position === position) ?? []);
}
