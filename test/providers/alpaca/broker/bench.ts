import { afterAll } from "vitest";
import type { Credentials } from "../../../../src/domain/trading/trading-port.ts";
import { createDirectory } from "../../../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../../../src/market/symbols/listings.ts";
import { alpacaBroker } from "../../../../src/providers/alpaca/broker/broker.ts";
import { FAKE_ALPACA_KEY, type FakeAlpacaOptions, startFakeAlpaca } from "../../../support/fake-alpaca.ts";
import type { Asset } from "../../../support/fake-alpaca-account.ts";
import { movingClock } from "../../../support/store.ts";

/** All embedded listings. */
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

/** An account at a simulated Alpaca, closed after the tests of the file; `prices` override its prices. */
export async function alpacaBench(
  over: Partial<FakeAlpacaOptions> & {
    readonly credentials?: Credentials;
    readonly fetch?: typeof fetch;
    /**
     * Timeout of sending an order, in milliseconds. Short only if a response hangs, because a busy machine may be slow.
     */
    readonly sendMs?: number;
  } = {},
) {
  const clock = movingClock();
  const prices: Record<string, number> = {};
  const { credentials = FAKE_ALPACA_KEY, fetch = globalThis.fetch, sendMs = 20_000, ...options } = over;
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
    timeouts: { readMs: 8_000, sendMs },
  });
  return { clock, standIn, prices, open, broker: open("paper", credentials) };
}

/** An account that always gets this response. */
export function fixedResponseBench(status: number, body: unknown) {
  const requests: { readonly url: string; readonly init: RequestInit | undefined }[] = [];
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const fetch: typeof globalThis.fetch = async (input, init) => {
    requests.push({ url: String(input), init });
    return new Response(status === 204 ? null : text, {
      status,
      headers: { "content-type": "application/json" },
    });
  };
  const open = alpacaBroker({ fetch, symbols, clock: movingClock() });
  return { requests, open, broker: open("paper", FAKE_ALPACA_KEY) };
}
