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

/** Underlying of an option, as seen by the chain's provider. */
export interface Underlying {
  /** Canonical symbol. */
  readonly symbol: string;
  readonly price: number | null;
  /** When that price traded, ISO 8601 UTC. */
  readonly tradedAt: string | null;
}

/** All listed options on one instrument, each of 100 shares, at one moment. */
export interface OptionChain {
  readonly underlying: Underlying;
  /** When the source put the chain together, ISO 8601 UTC; its figures are `delayMinutes` older. */
  readonly asOf: string;
  readonly delayMinutes: number;
  readonly source: string;
  /** Last expiry included, if later ones are omitted. */
  readonly until?: string;
  readonly contracts: readonly OptionContract[];
}

/** One option trade, or several on one contract within moments, from a trade tape. */
export interface OptionTrade {
  readonly id: string;
  /** OSI symbol without padding. */
  readonly contract: string;
  readonly expiry: string;
  readonly type: "call" | "put";
  readonly strike: number;
  /** Dollars per share. */
  readonly price: number;
  /** Contracts. */
  readonly size: number;
  /** Trades it is made of. */
  readonly trades: number;
  /** Dollars paid for all of it. */
  readonly premium: number;
  /** Dollars of it paid at or above the offer, and at or below the bid; null where the tape has no quotes. */
  readonly askPremium: number | null;
  readonly bidPremium: number | null;
  /** Sent to several exchanges at once; null where the tape does not say. */
  readonly sweep: boolean | null;
  /** Agreed on a trading floor. */
  readonly floor: boolean | null;
  /** A part of a trade of several contracts. */
  readonly multileg: boolean | null;
  /** When the last of it traded, epoch ms. */
  readonly executedAt: number;
}

/** Net premium of the whole options market up to a moment: what was paid at the offer less what was paid at the bid. */
export interface TideTick {
  /** Epoch ms. */
  readonly time: number;
  readonly netCallPremium: number;
  readonly netPutPremium: number;
  /** Contracts bought less sold, puts against calls as the source nets them. */
  readonly netVolume: number;
}

/** Daily summary of the options on one symbol, from one snapshot of the chain. */
export interface FlowDay {
  /** Session date, `YYYY-MM-DD`. */
  readonly day: string;
  /** When the snapshot was known, epoch ms. */
  readonly at: number;
  /** Contracts. */
  readonly callVolume: number | null;
  readonly putVolume: number | null;
  /** Dollars, estimated. */
  readonly callPremium: number | null;
  readonly putPremium: number | null;
  /** Volatility at the money for 30 days, and that of puts of delta -0.25; a fraction a year. */
  readonly atmIv: number | null;
  readonly putIv: number | null;
}

/** Put/call ratios of the whole market on one day: volume of puts over that of calls. */
export interface PutCallDay {
  readonly day: string;
  /** When they could be known, epoch ms. */
  readonly at: number;
  readonly total: number | null;
  readonly index: number | null;
  readonly etp: number | null;
  readonly equity: number | null;
  /** Contracts on all products. */
  readonly callVolume: number | null;
  readonly putVolume: number | null;
}
