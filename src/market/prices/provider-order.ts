import type { BarTimeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { CachedQuote, MarketCache } from "../../domain/market/market-cache-port.ts";
import type { Clock } from "../../domain/ports.ts";
import type { Guarded } from "../failover/guard.ts";
import { baseOf, stepsTo } from "./aggregate.ts";

const DAY = 86_400_000;

/**
 * Converts a quote to US dollars with a rate that comes neither from the quote's own family nor from `except`. Returns
 * it unchanged without such a rate.
 */
export type ToDollars = (
  quote: CachedQuote,
  signal: AbortSignal,
  except?: ReadonlySet<string>,
) => Promise<CachedQuote>;

export interface PriceDeps {
  /** Returns the providers of an instrument in order of preference. */
  readonly chain: (instrument: Instrument) => readonly Guarded[];
  readonly memory: MarketCache;
  readonly clock: Clock;
  /**
   * Returns the family of a provider: those that share exchanges, rates or upstreams. Default: each is its own.
   */
  readonly familyOf?: (provider: string) => string;
  /** Converts quotes to US dollars. Default: they stay in their currency, which they name. */
  readonly toDollars?: ToDollars;
}

/**
 * Returns the providers that have extended hours, with their bars up to half an hour: whole hours of providers begin on
 * the hour or at the open, so longer bars are built from half hours.
 */
export function withExtendedHours(guards: readonly Guarded[]): readonly Guarded[] {
  return guards.flatMap((guarded) => {
    const { provider } = guarded;
    if (provider.hasExtendedHours !== true) return [];
    const { "1d": _day, "4h": _fourHours, "1h": _hour, ...reaches } = provider.reaches;
    return [{ ...guarded, provider: { ...provider, reaches } }];
  });
}

/**
 * Returns the providers that can supply these bars: first those with enough history, among them first those with prices
 * in dollars, and then those with fewer aggregation steps.
 */
export function orderedProviders(
  guards: readonly Guarded[],
  timeframe: BarTimeframe,
  /** Time from the start and the end of the window until now, ms. */
  back: { readonly needed: number; readonly end: number },
): readonly Guarded[] {
  const reach = ({ provider: { reaches } }: Guarded) => (reaches[baseOf(timeframe, reaches)!] ?? 0) * DAY;
  const capable = guards.filter(
    (guarded) =>
      guarded.provider.history !== undefined &&
      baseOf(timeframe, guarded.provider.reaches) !== null &&
      reach(guarded) > back.end,
  );
  const isShort = (guarded: Guarded) => Number(reach(guarded) < back.needed);
  const isForeign = ({ provider: { currency = "USD" } }: Guarded) => Number(currency !== "USD");
  const steps = ({ provider }: Guarded) => stepsTo(timeframe, provider.reaches);
  return capable.toSorted(
    (a, b) => isShort(a) - isShort(b) || isForeign(a) - isForeign(b) || steps(a) - steps(b),
  );
}
