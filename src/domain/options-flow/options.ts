/** One listed option. Null means unknown, not quoted or never traded; 0 is an actual zero. */
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
  /** Contracts bid, or offered, at that price. */
  readonly bidSize: number | null;
  readonly askSize: number | null;
  readonly last: number | null;
  /** Time at which `last` traded, ISO 8601 UTC. */
  readonly lastTradedAt: string | null;
  /** Contracts traded in the session. */
  readonly volume: number | null;
  /** Open contracts as of the previous session. */
  readonly openInterest: number | null;
  /** Annualized implied volatility as a fraction: 0.77 is 77 percent. */
  readonly iv: number | null;
  /** Change of the price for one dollar of the underlying. */
  readonly delta: number | null;
  /** Change of delta for one dollar of the underlying. */
  readonly gamma: number | null;
  /** Change of the price in a calendar day. */
  readonly theta: number | null;
  /** Change of the price for one percentage point of volatility. */
  readonly vega: number | null;
  /** The provider's own model price. */
  readonly theoretical: number | null;
}

/** Underlying of an option, as seen by the chain's provider. */
export interface Underlying {
  /** Canonical symbol. */
  readonly symbol: string;
  readonly price: number | null;
  /** Time at which that price traded, ISO 8601 UTC. */
  readonly tradedAt: string | null;
}

/** All listed options on one instrument at one time; each contract covers 100 shares. */
export interface OptionChain {
  readonly underlying: Underlying;
  /** Time at which the provider compiled the chain, ISO 8601 UTC; its figures are `delayMinutes` older. */
  readonly asOf: string;
  readonly delayMinutes: number;
  readonly source: string;
  /** Last expiry included, if later ones are omitted. */
  readonly until?: string;
  readonly contracts: readonly OptionContract[];
}

/** One option trade, or several on one contract in quick succession, from a trade tape. */
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
  /** Number of trades combined in it. */
  readonly trades: number;
  /** Total premium, dollars. */
  readonly premium: number;
  /** Premium paid at or above the ask, and at or below the bid, dollars; null if the tape has no quotes. */
  readonly askPremium: number | null;
  readonly bidPremium: number | null;
  /** True: sent to several exchanges at once; null if the tape does not say. */
  readonly sweep: boolean | null;
  /** True: executed on a trading floor. */
  readonly floor: boolean | null;
  /** True: part of a multi-leg trade. */
  readonly multileg: boolean | null;
  /** Execution time of its last trade, epoch ms. */
  readonly executedAt: number;
}

/** Net premium of the whole options market up to `time`: premium paid at the ask minus premium paid at the bid. */
export interface TideTick {
  /** Epoch ms. */
  readonly time: number;
  readonly netCallPremium: number;
  readonly netPutPremium: number;
  /** Contracts bought minus contracts sold, with puts netted against calls as the provider does it. */
  readonly netVolume: number;
}

/** Daily summary of the options on one symbol, from one snapshot of the chain. */
export interface FlowDay {
  /** Session date, `YYYY-MM-DD`. */
  readonly day: string;
  /** Time at which the snapshot was known, epoch ms. */
  readonly at: number;
  /** Contracts. */
  readonly callVolume: number | null;
  readonly putVolume: number | null;
  /** Dollars, estimated. */
  readonly callPremium: number | null;
  readonly putPremium: number | null;
  /** 30-day volatility at the money, and of puts with delta -0.25; annualized fractions. */
  readonly atmIv: number | null;
  readonly putIv: number | null;
}

/** Put/call ratios of the whole market on one day: volume of puts over that of calls. */
export interface PutCallDay {
  readonly day: string;
  /** Time from which they could be known, epoch ms. */
  readonly at: number;
  readonly total: number | null;
  readonly index: number | null;
  readonly etp: number | null;
  readonly equity: number | null;
  /** Contracts on all products. */
  readonly callVolume: number | null;
  readonly putVolume: number | null;
}
