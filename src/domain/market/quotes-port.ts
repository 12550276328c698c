import type { CallOptions } from "../call-options.ts";
import type { Instrument, Quote } from "./market.ts";

export interface QuoteOptions extends CallOptions {
  /** True requests a second provider and compares both, if there are several. */
  readonly verify?: boolean | undefined;
}

/** Latest prices. Rejects with NO_PRICE if there is none; never returns a prior close as live. */
export interface Quotes {
  latest(instrument: Instrument, options?: QuoteOptions): Promise<Quote>;
  /**
   * Fetches the quotes of several instruments in as few calls as possible, so that `latest` finds them in its cache.
   * Rejects only if the signal aborts.
   */
  prefetch?(instruments: readonly Instrument[], options?: CallOptions): Promise<void>;
  /**
   * Runs `work` and returns the number of requests to providers that it caused. Omitted for prices without a network.
   */
  countCalls?<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly calls: number }>;
}
