import { readFileSync } from "node:fs";
import type { TokenRow } from "../../src/domain/market/listing-repository-port.ts";
import { embeddedListings, type Listings } from "../../src/market/symbols/listings.ts";
import { mergeListings } from "../../src/market/symbols/merge-listings.ts";
import { nasdaqtraderListings } from "../../src/providers/nasdaqtrader/listings.ts";
import { nasdaqtraderVendor } from "../replay/nasdaqtrader.ts";
import { fetchFrom } from "../replay/vendor.ts";
import { fixedWorld } from "./fixed-world.ts";
import { testData } from "./test-data.ts";

export interface LongLists {
  /** The symbol directory as fetched. */
  readonly file: string;
  readonly tokens: readonly TokenRow[];
  readonly listings: Listings;
}

/** About 12,600 recorded listings with the 50 largest tokens; without recordings, about 5,500 made-up ones. */
export async function longLists(): Promise<LongLists> {
  const fetch = fetchFrom(nasdaqtraderVendor, fixedWorld());
  const file = await (await fetch("http://x/dynamic/SymDir/nasdaqtraded.txt")).text();
  const us = await nasdaqtraderListings({ fetch }).list({ signal: new AbortController().signal });
  const tokens = recordedTokens() ?? MADE_UP;
  return { file, tokens, listings: mergeListings(embeddedListings(), { us, tokens }) };
}

const MADE_UP: readonly TokenRow[] = [
  { base: "BTC", name: "Bitcoin", id: "bitcoin", rank: 1 },
  { base: "USDS", name: "USDS", id: "usds", rank: 2 },
  { base: "QAAA", name: "Quadruple A", id: "quadruple-a", rank: 3 },
];

function recordedTokens(): readonly TokenRow[] | null {
  const path = testData("universe", "coingecko_top50_2026.json");
  if (path === null) return null;
  const coins = JSON.parse(readFileSync(path, "utf8")) as readonly Record<string, string | number>[];
  return coins.map(({ symbol, name, id, market_cap_rank }) => ({
    base: String(symbol).toUpperCase(),
    name: String(name),
    id: String(id),
    rank: Number(market_cap_rank),
  }));
}
