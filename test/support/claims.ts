import type { Claims } from "../../src/domain/claims/claims-port.ts";
import { claims } from "../../src/store/claims/claims.ts";
import { countingIds } from "./context.ts";
import { openMemoryStore } from "./store.ts";

/** Claims in a new store in memory, which lasts as long as the test file. */
export async function storedClaims(): Promise<Claims> {
  const { db } = await openMemoryStore();
  return claims({ db, market: "test", ids: countingIds() });
}

/** A claim of AAPL at 100, until 13 February 2026; every field can be overridden. */
export const newClaim = (over: Partial<Parameters<Claims["add"]>[1]> = {}): Parameters<Claims["add"]>[1] => ({
  author: "A friend",
  symbol: "AAPL",
  asset_class: "equity",
  side: "LONG",
  rule: "touch",
  price: 100,
  price_source: "live_quote",
  entry: null,
  target: 110,
  stop: null,
  deadline: "2026-02-13",
  bars: 21,
  base: 0.25,
  windows: 279,
  data_as_of: "2026-01-14T21:00:00.000Z",
  recorded_at: "2026-01-15T15:00:00.000Z",
  until: "2026-02-13T21:00:00.000Z",
  close: 100,
  ...over,
});
