import { z } from "zod";
import type { Adjustment, Bar, Bars } from "./bars.ts";
import type { CorporateActions } from "./corporate-actions.ts";
import type { PriceCurrency } from "./currency.ts";
import type { MemberList } from "./memberships.ts";
import type { OmittedRow } from "./omitted-rows.ts";
import type { Origin } from "./provenance.ts";

export const AssetClass = z.enum(["equity", "etf", "crypto"]);
export type AssetClass = z.infer<typeof AssetClass>;

/** Class of what has a price or a level: an instrument, or an index, which cannot be traded. */
export const QuotedClass = z.enum([...AssetClass.options, "index"]);
/** Note of an answer on an index; absent for instruments. */
export const IndexNote = z.string().optional().describe("What an index lacks, and the fund that tracks it");

/** A tradable instrument with its canonical symbol: `AAPL`, `BRK.B`, `BTC-USD`. */
export interface Instrument {
  readonly symbol: string;
  readonly name: string;
  readonly asset_class: AssetClass;
  /** GICS sector for stocks; null for funds and crypto. */
  readonly sector: string | null;
  readonly currency: "USD";
}

/** Returns a symbol that can only mean this instrument: a crypto pair, or the ticker with the suffix `.US`. */
export const unambiguousSymbol = ({
  symbol,
  asset_class,
}: Pick<Instrument, "symbol" | "asset_class">): string =>
  asset_class === "crypto" || symbol.endsWith(".US") ? symbol : `${symbol}.US`;

/** Kinds of instruments that are scanned, ranked and compared separately: stocks with funds, and crypto. */
export const MARKET_KINDS = ["stocks", "crypto"] as const;
export type MarketKind = (typeof MARKET_KINDS)[number];
export const kindOf = ({ asset_class }: Pick<Instrument, "asset_class">): MarketKind =>
  asset_class === "crypto" ? "crypto" : "stocks";

/** Meaning of a name that is not a listed instrument: an index, a former ticker, or a delisted company. */
export interface NotListed {
  readonly kind: "index" | "renamed" | "delisted";
  /** Continues a sentence that begins with the name. */
  readonly reason: string;
  readonly hint: string;
  /** The fund that tracks an index, or the instrument under its present ticker; null if there is none. */
  readonly instrument: Instrument | null;
  /** The index with its canonical symbol, if it is one whose level providers have. */
  readonly index?: MarketIndex;
}

/** An index with its canonical symbol: `^GSPC`, `^VIX`. Its level is in points. */
export interface MarketIndex {
  readonly symbol: string;
  readonly name: string;
}

/** Returns an index as the market data of US funds, whose trading days it has. */
export const asInstrument = ({ symbol, name }: MarketIndex): Instrument => ({
  symbol,
  name,
  asset_class: "etf",
  sector: null,
  currency: "USD",
});

export const BENCHMARKS = { stocks: "SPY", crypto: "BTC-USD" } as const satisfies Record<MarketKind, string>;

/** Resolution of a typed name: the instrument, and the others it could mean. */
export interface Resolution {
  readonly instrument: Instrument;
  readonly alternatives: readonly Instrument[];
}

/**
 * Origin of a price. `live_quote`: a recent last trade of the current session that an independent provider confirms;
 * `unconfirmed_quote`: one that no independent provider confirms; `delayed_quote`: an older or
 * delayed trade of the current session; `prior_close`: the official close of a finished session; `last_trade`: any other
 * trade of a finished session; `file_close` and `historical_close`: the close of a bar.
 */
export const PriceSource = z
  .enum([
    "live_quote",
    "unconfirmed_quote",
    "delayed_quote",
    "prior_close",
    "last_trade",
    "file_close",
    "historical_close",
  ])
  .describe("live_quote: last trade of the current session; prior_close: official close");
export type PriceSource = z.infer<typeof PriceSource>;

export const MarketState = z
  .enum(["pre", "regular", "post", "closed", "always_open"])
  .describe("Session of the venue at the time of the response");
export type MarketState = z.infer<typeof MarketState>;

/** Latest price known to a provider. `timestamp` is when it traded (ISO 8601 UTC), not when it was requested. */
export interface Quote {
  readonly price: number;
  readonly change: number | null;
  readonly changePercent: number | null;
  readonly volume: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly open: number | null;
  /** Best bid and ask. Default: null, the provider has none. */
  readonly bid?: number | null;
  readonly ask?: number | null;
  readonly timestamp: string;
  readonly source: string;
  readonly venue: string;
  readonly price_source: PriceSource;
  readonly market_state: MarketState;
  /** Delay of the provider behind the market in minutes, 0 if real time; null if the price does not come from a feed. */
  readonly delayed_minutes: number | null;
  /** Currency of the price figures. Default: USD. */
  readonly currency?: PriceCurrency;
  readonly origin?: Origin;
}

/** Bars of one instrument with their provenance. Empty means that none exist. */
export interface BarSeries {
  readonly bars: Bars;
  /** The unfinished bar, separate from the closed ones; null without one. */
  readonly forming: Bar | null;
  readonly source: string;
  readonly venue: string;
  readonly adjustment: Adjustment;
  /** Currency of the prices. Default: USD. */
  readonly currency?: PriceCurrency;
  /** Close time of the last closed bar, ISO 8601 UTC; null without bars. */
  readonly as_of: string | null;
  /** Splits and dividends within the bars. Default: not known. */
  readonly actions?: CorporateActions;
  /** Rows of the same period that are not among the bars. Default: none. */
  readonly omitted?: readonly OmittedRow[];
  /** Sentence that names the files of the bars. Omitted if only one file has them. */
  readonly chosen?: string;
  readonly origin?: Origin;
}

/** Label of simulated prices, in text and images. */
export const SAMPLE_LABEL = "SAMPLE (simulated)";

/** The market being served; `id` identifies it wherever its data is stored. */
export interface Market {
  readonly mode: "sample" | "files" | "live";
  readonly id: string;
  /** Identifies the data read at this start, if it may differ at the next start, as with a folder of files. */
  readonly content?: string;
  /** Returns notes on the data as a whole, such as that it ended long ago. Default: none. */
  readonly notes?: () => readonly string[];
  /** Lists with their members over time, by name in upper case. Default: none. */
  readonly memberships?: ReadonlyMap<string, MemberList>;
  /** true if providers are called at replacement URLs, such as a local replay: its prices are not those of a market. */
  readonly replaced?: true;
  /** Canonical symbol that the public demo shows. */
  readonly demo?: string;
  /**
   * Demo shown to anonymous visitors if prices require provider calls: `beforehand` shows only pre-built results, from
   * providers whose terms allow it; `never` shows nothing, since no enabled provider's terms do. Default: built on
   * request.
   */
  readonly demoFor?: "beforehand" | "never";
}
