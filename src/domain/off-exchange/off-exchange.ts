/** Off-exchange volume of one instrument on one day. "Off exchange" includes wholesalers, not only dark pools. */
export interface OffExchangeDay {
  /** 00:00 UTC of the date, epoch ms, like the `time` of daily bars. */
  readonly day: number;
  /** Shares sold short, including exempt ones. */
  readonly short: number;
  readonly shortExempt: number;
  /** All shares reported off exchange. */
  readonly total: number;
  /** Publication time, epoch ms. */
  readonly knownAt: number;
}

/** Off-exchange volume of one week, as reported by venues. */
export interface OffExchangeWeek {
  /** 00:00 UTC of its Monday, epoch ms. */
  readonly week: number;
  /** `ats`: alternative trading systems, including dark pools; `otc`: dealers and wholesalers. */
  readonly kind: "ats" | "otc";
  readonly shares: number;
  readonly trades: number;
  /** US dollars; null if not reported. */
  readonly notional: number | null;
  /** Publication time, epoch ms. */
  readonly knownAt: number;
}

/** Volume at a rounded price over one day. */
export interface PriceVolume {
  readonly price: number;
  /** Shares. */
  readonly offExchange: number;
  readonly onExchange: number;
}

/** Response of a provider of off-exchange volume, ascending by time. */
export interface OffExchangeAnswer<T> {
  readonly rows: readonly T[];
  readonly source: string;
  /** Time of the provider call, epoch ms. */
  readonly fetchedAt: number;
  /** Time at which the newest row became known, epoch ms; null without rows. */
  readonly asOf: number | null;
  /** True for an older answer, returned because no provider gives a newer one. */
  readonly stale: boolean;
  /** Reason why requested rows are missing; null if complete. */
  readonly gap: string | null;
}
