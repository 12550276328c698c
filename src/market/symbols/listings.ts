import type { AssetClass, Instrument } from "../../domain/market/market.ts";
import { COMMUNICATION } from "./listings/communication.ts";
import { DISCRETIONARY } from "./listings/discretionary.ts";
import { ENERGY } from "./listings/energy.ts";
import { FINANCIALS } from "./listings/financials.ts";
import { CLOSED_END, FUNDS } from "./listings/funds.ts";
import { HEALTH } from "./listings/health.ts";
import { INDUSTRIALS } from "./listings/industrials.ts";
import { MATERIALS } from "./listings/materials.ts";
import { REAL_ESTATE } from "./listings/real-estate.ts";
import { STAPLES } from "./listings/staples.ts";
import { TECHNOLOGY } from "./listings/technology.ts";
import { TOKENS } from "./listings/tokens.ts";
import { UTILITIES } from "./listings/utilities.ts";

/** A known instrument with what people call it. */
export interface Listing {
  readonly instrument: Instrument;
  /** Ticker on a US exchange, or a token's base symbol: `AAPL`, `BRK.B`, `BTC`. */
  readonly ticker: string;
  /** Everyday names besides `instrument.name`, in lower case: `google`, `facebook`. */
  readonly aliases: readonly string[];
  /** A token of the major-crypto universe, which wins its bare name over a fund; false for US listings. */
  readonly major: boolean;
  /** Place within its sector or kind, best known first; breaks ties of a search. */
  readonly rank: number;
  /** Whether talk of markets means it by its name and its ticker in any case; false for what only long lists know. */
  readonly familiar: boolean;
}

/** Two readings of a bare name, kept apart: the same ticker may be a US listing and a token. */
export interface Listings {
  /** US stocks and funds by ticker. */
  readonly us: ReadonlyMap<string, Listing>;
  /** Tokens by base symbol. */
  readonly tokens: ReadonlyMap<string, Listing>;
}

/** The embedded table, parsed anew on each call (a few milliseconds): keep what it gives. */
export function embeddedListings(): Listings {
  const tokens = new Map(rows(TOKENS).map((row) => [row.ticker, token(row)]));
  const us = new Map<string, Listing>();
  const add = (asset_class: AssetClass, sector: string | null, table: string) => {
    for (const row of rows(table)) us.set(row.ticker, listed(row, asset_class, sector, tokens));
  };
  add("equity", "Information Technology", TECHNOLOGY);
  add("equity", "Communication Services", COMMUNICATION);
  add("equity", "Consumer Discretionary", DISCRETIONARY);
  add("equity", "Financials", FINANCIALS);
  add("equity", "Health Care", HEALTH);
  add("equity", "Industrials", INDUSTRIALS);
  add("equity", "Consumer Staples", STAPLES);
  add("equity", "Energy", ENERGY);
  add("equity", "Materials", MATERIALS);
  add("equity", "Utilities", UTILITIES);
  add("equity", "Real Estate", REAL_ESTATE);
  add("equity", null, CLOSED_END);
  add("etf", null, FUNDS);
  return { us, tokens };
}

/** A listing that the table lacks, known by its instrument alone. */
export const unlisted = (instrument: Instrument): Listing => ({
  instrument,
  ticker: tickerOf(instrument),
  aliases: [],
  major: false,
  rank: Number.MAX_SAFE_INTEGER,
  familiar: instrument.asset_class === "crypto",
});

/** What an exchange or vendor calls it: `BTC` for the fund `BTC.US` as well as for the token `BTC-USD`. */
export const tickerOf = ({ symbol }: Instrument): string => symbol.replace(/\.US$|-USD$/, "");

/** A listing before it is known what kind of instrument it is. */
interface Row extends Omit<Listing, "instrument"> {
  readonly name: string;
}

function rows(table: string): readonly Row[] {
  return table
    .trim()
    .split("\n")
    .map((line, rank) => {
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
}

/** A token under its pair with the dollar. */
export const token = (row: Row): Listing =>
  listing(row, {
    symbol: `${row.ticker}-USD`,
    name: row.name,
    asset_class: "crypto",
    sector: null,
    currency: "USD",
  });

/** A fund whose bare name belongs to a major token is written `BTC.US`, so that every canonical name reads back. */
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

// property by property: thousands are made at once, and rest and spread are slow
const listing = ({ ticker, aliases, major, rank, familiar }: Row, instrument: Instrument): Listing => ({
  instrument,
  ticker,
  aliases,
  major,
  rank,
  familiar,
});
