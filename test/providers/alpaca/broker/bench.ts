import { afterAll } from "vitest";
import type { Credentials } from "../../../../src/domain/trading/trading-port.ts";
import { createDirectory } from "../../../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../../../src/market/symbols/listings.ts";
import { alpacaBroker } from "../../../../src/providers/alpaca/broker/broker.ts";
import { FAKE_ALPACA_KEY, type FakeAlpacaOptions, startFakeAlpaca } from "../../../support/fake-alpaca.ts";
import type { Asset } from "../../../support/fake-alpaca-account.ts";
import { movingClock } from "../../../support/store.ts";

/** What everybody has heard of. */
export const symbols = (() => {
  const listings = embeddedListings();
  const members = [...listings.us.values(), ...listings.tokens.values()].map(({ instrument }) => instrument);
  return createDirectory({ members, listings, bulk: false });
})();

const ASSETS: Readonly<Record<string, Asset>> = {
  AAPL: { price: 138 },
  KO: { price: 86.878 },
  "BRK.B": { price: 480.5, fractionable: false },
  "BTC/USD": { price: 97_000, crypto: true },
};

/** An account at a stand-in, closed after the file's tests; `prices` change it. */
export async function alpacaBench(
  over: Partial<FakeAlpacaOptions> & {
    readonly credentials?: Credentials;
    readonly fetch?: typeof fetch;
  } = {},
) {
  const clock = movingClock();
  const prices: Record<string, number> = {};
  const { credentials = FAKE_ALPACA_KEY, fetch = globalThis.fetch, ...options } = over;
  const standIn = await startFakeAlpaca({
    now: () => clock.now().getTime(),
    asset(symbol) {
      const asset = ASSETS[symbol];
      return asset && { ...asset, price: prices[symbol] ?? asset.price };
    },
    ...options,
  });
  afterAll(() => standIn.close());
  const open = alpacaBroker({
    fetch,
    baseUrl: standIn.url,
    symbols,
    clock,
    timeouts: { readMs: 2_000, sendMs: 400 },
  });
  return { clock, standIn, prices, open, broker: open("paper", credentials) };
}

/** An account of which every answer is this one. */
export function tellingBench(status: number, body: unknown) {
  const asked: { readonly url: string; readonly init: RequestInit | undefined }[] = [];
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    asked.push({ url: String(input), init });
    return new Response(status === 204 ? null : text, {
      status,
      headers: { "content-type": "application/json" },
    });
  };
  const open = alpacaBroker({ fetch, symbols, clock: movingClock() });
  return { asked, open, broker: open("paper", FAKE_ALPACA_KEY) };
}
