import type { Instrument } from "../../domain/market/market.ts";
import type { CloseProvider, WitnessFigures } from "../../domain/providers/close-provider.ts";
import type { Guardable } from "../../domain/providers/provider.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { previousSessionDay } from "../calendar/calendar.ts";
import type { Guarded } from "../failover/guard.ts";

/** A provider that has figures of several instruments in one call. */
export interface WitnessSource {
  readonly guarded: Guarded<Guardable>;
  readonly batchSize: number;
  readonly read: (
    batch: readonly Instrument[],
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, WitnessFigures>>;
}

/** Returns true for a price provider that has quotes in batches. */
export const hasBatches = ({ provider }: Guarded): boolean => provider.latestOf !== undefined;

/** Returns a provider of closes, or one of quotes in batches with their previous closes, as a source of figures. */
export function asWitness(guarded: Guarded | Guarded<CloseProvider>): WitnessSource {
  const { provider } = guarded;
  if ("call" in provider)
    return {
      guarded: guarded as Guarded<CloseProvider>,
      batchSize: provider.batchSize,
      read: (batch, signal) => provider.call(batch, { signal }),
    };
  return {
    guarded: guarded as Guarded,
    batchSize: provider.batchSize ?? 1,
    async read(batch, signal) {
      const quotes = await provider.latestOf!(batch, { signal });
      return new Map(
        [...quotes].map(([symbol, { price, tradedAt, previousClose }]) => {
          const day = previousSessionDay(newYorkDay(tradedAt));
          const isKnown = day !== null && previousClose !== null;
          const closes = isKnown
            ? [{ day: new Date(day).toISOString().slice(0, 10), close: previousClose }]
            : [];
          return [symbol, { closes, last: { price, tradedAt } }] as const;
        }),
      );
    },
  };
}
