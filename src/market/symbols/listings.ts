import type { AssetClass, Instrument } from "../../domain/market/market.ts";
import listingTables from "./listings.json" with { type: "json" };

/** A known instrument and its names. */
export interface Listing {
  readonly instrument: Instrument;
  /** Ticker on a US exchange, or a token's base symbol: `AAPL`, `BRK.B`, `BTC`. */
  readonly ticker: string;
  /** Other common names in addition to `instrument.name`, in lower case: `google`, `facebook`. */
  readonly aliases: readonly string[];
  /**
   * true: a token of the major-crypto universe, which takes precedence over a fund with the same ticker; false for US
   * listings.
   */
  readonly major: boolean;
  /** Position within its sector or kind, best known first; breaks ties in a search. */
  readonly rank: number;
  /**
   * true: recognised in a question by its name, or by its ticker in upper or lower case; false for instruments known
   * only from downloaded lists.
   */
  readonly familiar: boolean;
}

/** US listings and tokens; separate, because both may use the same ticker. */
export interface Listings {
  /** US stocks and funds by ticker. */
  readonly us: ReadonlyMap<string, Listing>;
  /** Tokens by base symbol. */
  readonly tokens: ReadonlyMap<string, Listing>;
}

/** Parses and returns the embedded listings. Each call takes a few milliseconds, so reuse the result. */
export function embeddedListings(): Listings {
  const tokens = new Map(rows(listingTables.tokens).map((row) => [row.ticker, token(row)]));
  const us = new Map<string, Listing>();
  const add = (asset_class: AssetClass, sector: string | null, table: readonly string[]) => {
    for (const row of rows(table)) us.set(row.ticker, listed(row, asset_class, sector, tokens));
  };
  for (const [sector, table] of Object.entries(listingTables.sectors)) add("equity", sector, table);
  add("equity", null, listingTables.closedEndFunds);
  add("etf", null, listingTables.exchangeTradedFunds);
  return { us, tokens };
}

/** Returns a listing for an instrument that the embedded table lacks. */
export const unlisted = (instrument: Instrument): Listing => ({
  instrument,
  ticker: tickerOf(instrument),
  aliases: [],
  major: false,
  rank: Number.MAX_SAFE_INTEGER,
  familiar: instrument.asset_class === "crypto",
});

/** Returns the ticker that exchanges and providers use: `BTC` for the fund `BTC.US` and for the token `BTC-USD`. */
export const tickerOf = ({ symbol }: Instrument): string => symbol.replace(/\.US$|-USD$/, "");

interface Row extends Omit<Listing, "instrument"> {
  readonly name: string;
}

/** Parses lines of `TICKER|name|alias,alias`. A star before a ticker marks a token of the major-crypto universe. */
const rows = (table: readonly string[]): readonly Row[] =>
  table.map((line, rank) => {
    const [key = "", name = "", aliases] = line.split("|");
    return {
      ticker: key.replace("*", ""),
      name,
      aliases: aliases?.split(",") ?? [],
      major: key.startsWith("*"),
      rank,
      familiar: true,
    };
  });

/** Returns the listing of a token; its symbol is the pair with the US dollar. */
export const token = (row: Row): Listing =>
  listing(row, {
    symbol: `${row.ticker}-USD`,
    name: row.name,
    asset_class: "crypto",
    sector: null,
    currency: "USD",
  });

/**
 * Returns a US listing. A fund with the ticker of a major token gets a symbol such as `BTC.US`, so that symbols are
 * unique.
 */
export function listed(
  row: Row,
  asset_class: AssetClass,
  sector: string | null,
  tokens: ReadonlyMap<string, Listing>,
): Listing {
  const { ticker, name } = row;
  const shadowed = asset_class === "etf" && tokens.get(ticker)?.major === true;
  const symbol = shadowed ? `${ticker}.US` : ticker;
  return listing(row, { symbol, name, asset_class, sector, currency: "USD" });
}

// written property by property: thousands are created at once, and rest and spread are slow
const listing = ({ ticker, aliases, major, rank, familiar }: Row, instrument: Instrument): Listing => ({
  instrument,
  ticker,
  aliases,
  major,
  rank,
  familiar,
});
