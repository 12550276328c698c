import { integer, realOrNull, table, text, textOrNull } from "../../table.ts";

const instrument = { market: text, symbol: text };

/** Data of the providers, stored by market. */
export const MARKET_DATA_TABLES = {
  /** Instrument listings; `listed` is JSON with `count` rows. */
  listings: table("PRIMARY KEY (market, kind)", {
    market: text,
    /** `us` or `tokens`. */
    kind: text,
    source: text,
    fetched_at: text,
    count: integer,
    listed: text,
    /** Reason why this list was allowed to replace a much longer one. */
    reason: textOrNull,
  }),
  /** Cached quotes as JSON. */
  kept_quotes: table("PRIMARY KEY (market, symbol)", {
    ...instrument,
    fetched_at: text,
    said: text,
  }),
  /** Cached bars as JSON. */
  kept_bars: table("PRIMARY KEY (market, symbol, timeframe)", {
    ...instrument,
    timeframe: text,
    fetched_at: text,
    said: text,
  }),
  /** Price disagreements between providers as JSON. */
  disagreements: table("PRIMARY KEY (market, symbol, at)", {
    ...instrument,
    at: text,
    said: text,
  }),
  /** Requests sent to providers; `at` is epoch ms. */
  vendor_calls: table("", {
    vendor: text,
    at: integer,
  }),
  /** Option flow of a chain as JSON. */
  flow_snapshots: table("PRIMARY KEY (market, symbol, at)", {
    ...instrument,
    at: text,
    /** Session date. */
    day: text,
    said: text,
  }),
  /** Put/call ratios as JSON; null for a day without published ratios. */
  put_call_days: table("PRIMARY KEY (market, day)", {
    market: text,
    day: text,
    at: text,
    source: text,
    said: textOrNull,
  }),
  /** The last snapshot of each day. */
  estimate_snapshots: table("PRIMARY KEY (market, symbol, source, period, day)", {
    ...instrument,
    source: text,
    /** Quarter as the provider counts it. */
    period: text,
    day: text,
    taken_at: text,
    eps: realOrNull,
    revenue: realOrNull,
  }),
  /** Report dates as known at `noted_at`; `confirmed` is 0 or 1. */
  report_dates: table("PRIMARY KEY (market, symbol, noted_at)", {
    ...instrument,
    noted_at: text,
    source: text,
    date: text,
    hour: text,
    confirmed: integer,
  }),
  /** Prediction market contracts as JSON; never updated. */
  contract_snapshots: table("PRIMARY KEY (market, symbol, at)", {
    ...instrument,
    at: text,
    said: text,
  }),
  /** Congressional trades as JSON. */
  disclosures: table("PRIMARY KEY (market, source, id)", {
    market: text,
    source: text,
    id: text,
    chamber: text,
    ticker: textOrNull,
    filing_date: text,
    member_id: textOrNull,
    said: text,
  }),
  /**
   * Filings already requested; `unread` is JSON of a filing without readable rows, `again` is 1 when the filing is
   * retried later.
   */
  disclosure_filings: table("PRIMARY KEY (market, source, doc_id)", {
    market: text,
    source: text,
    doc_id: text,
    chamber: text,
    filing_date: textOrNull,
    again: integer,
    unread: textOrNull,
  }),
  /** State of each provider of congressional filings. */
  disclosure_sources: table("PRIMARY KEY (market, source, chamber)", {
    market: text,
    source: text,
    chamber: text,
    /** Last response of the provider. */
    told_at: textOrNull,
    /** Last complete response; null until the first. */
    refreshed_at: textOrNull,
    /** Filing date from which the stored data is complete. */
    complete_from: textOrNull,
  }),
};

export const MARKET_DATA_INDEXES = [
  "CREATE INDEX kept_quotes_newest ON kept_quotes (market, fetched_at)",
  "CREATE INDEX kept_bars_newest ON kept_bars (market, fetched_at)",
  "CREATE INDEX vendor_calls_at ON vendor_calls (vendor, at)",
  "CREATE INDEX flow_snapshots_by_day ON flow_snapshots (market, symbol, day, at)",
  "CREATE INDEX disclosures_filed ON disclosures (market, source, chamber, filing_date)",
];
