/** One listed option. What is not known, not quoted or was never traded is null; 0 is a true count of none. */
export interface OptionContract {
  /** OSI symbol without padding: `MSTR260717C00095000`. */
  readonly symbol: string;
  /** Last day of trading, `YYYY-MM-DD`. */
  readonly expiry: string;
  readonly type: "call" | "put";
  /** US dollars per share, as are all prices of the contract. */
  readonly strike: number;
  readonly bid: number | null;
  readonly ask: number | null;
  /** Contracts wanted, or offered, at that price. */
  readonly bidSize: number | null;
  readonly askSize: number | null;
  readonly last: number | null;
  /** When `last` traded, ISO 8601 UTC. */
  readonly lastTradedAt: string | null;
  /** Contracts traded in the session. */
  readonly volume: number | null;
  /** Contracts open since the session before. */
  readonly openInterest: number | null;
  /** Implied volatility a year as a fraction: 0.77 is 77 percent. */
  readonly iv: number | null;
  /** Change of the price for one dollar of the underlying. */
  readonly delta: number | null;
  /** Change of delta for one dollar of the underlying. */
  readonly gamma: number | null;
  /** Change of the price in a calendar day. */
  readonly theta: number | null;
  /** Change of the price for one percentage point of volatility. */
  readonly vega: number | null;
  /** The source's own model price. */
  readonly theoretical: number | null;
}

/** What an option is on, as the chain's source saw it. */
export interface Underlying {
  /** Canonical symbol. */
  readonly symbol: string;
  readonly price: number | null;
  /** When that price traded, ISO 8601 UTC. */
  readonly tradedAt: string | null;
}

/** All listed options on one instrument, each of 100 shares, as a source told them at one moment. */
export interface OptionChain {
  readonly underlying: Underlying;
  /** When the source put the chain together, ISO 8601 UTC; its figures are `delayMinutes` older. */
  readonly asOf: string;
  readonly delayMinutes: number;
  readonly source: string;
  readonly contracts: readonly OptionContract[];
}
