import type { Instrument } from "../domain/market.ts";
import { ToolError } from "../kernel/errors.ts";
import type { Symbols } from "../ports/index.ts";
import { embeddedListings, type Listings } from "./listings.ts";

export interface DirectoryOptions {
  /** What the loaded market holds data of; may know names that the table lacks. */
  readonly members: readonly Instrument[];
  readonly listings?: Listings;
}

/** The `Symbols` port over the embedded table and one market's members. Needs no network. */
export function createDirectory({ members }: DirectoryOptions): Symbols {
  return {
    resolve: () => {
      throw new ToolError("UNKNOWN_SYMBOL", "No instrument has this name");
    },
    search: () => [],
    members: () => members,
  };
}

/**
 * Instrument that a name as written stands for, such as a file's name without its ending; null where the name
 * is neither a ticker nor a USD pair. A name the table lacks is a token in pair form, else a stock.
 * Pass `listings` when reading many names.
 */
export function canonicalOf(_name: string, _listings: Listings = embeddedListings()): Instrument | null {
  return null;
}

/** What the exchange or a vendor calls it: `BTC` for the fund `BTC.US`, `BTC` for the token `BTC-USD`. */
export function tickerOf({ symbol }: Instrument): string {
  return symbol.replace(/\.US$|-USD$/, "");
}
