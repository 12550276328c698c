import { z } from "zod";
import type { Instrument } from "../../domain/market/market.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";

const BASE_URL = "https://api.exchange.coinbase.com";
/** It answers nobody who does not say what he is. */
const HEADERS = { accept: "application/json", "user-agent": "market-signal" };

/** Asks one path of a product for an answer of one shape. Rejects with ProviderFailure alone. */
export type ApiGet = <T>(
  path: string,
  shape: z.ZodType<T>,
  signal: AbortSignal,
  query?: Readonly<Record<string, string | number>>,
) => Promise<T>;

const Refusal = z.object({ message: z.string() });

/** Its public API: refusals are a status with a message, and 404 says that it lists no such product. */
export function createClient(setup: ProviderSetup): ApiGet {
  const wire = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL, headers: HEADERS });
  return async (path, shape, signal, query = {}) => {
    const { status, body } = await wire
      .json(path, { query, signal, accept: [404] })
      .catch(rethrowAuthAsBlocked);
    if (status === 404 && /^not ?found$/i.test(Refusal.safeParse(body).data?.message ?? ""))
      throw new ProviderFailure("unknown_symbol", "it lists no such product");
    const read = shape.safeParse(body);
    if (status !== 200 || !read.success)
      throw new ProviderFailure("malformed", "another answer than documented", { cause: read.error });
    return read.data;
  };
}

/** Where it trades a token under another name than everybody else. */
const PROVIDER_TICKERS: ReadonlyMap<string, string> = new Map([["CELO", "CGLD"]]);

/** A token against the dollar: `BTC-USD`. Throws ProviderFailure "unsupported" for anything else. */
export function productOf(instrument: Instrument): string {
  const base = tickerOf(instrument);
  if (instrument.asset_class !== "crypto" || !/^[A-Z0-9]{1,15}$/.test(base) || isTaken(base))
    throw new ProviderFailure("unsupported", "it prices tokens in US dollars alone");
  return `${PROVIDER_TICKERS.get(base) ?? base}-USD`;
}

/** Money, or a name that means another token there than elsewhere. */
const isTaken = (base: string): boolean => base === "USD" || [...PROVIDER_TICKERS.values()].includes(base);

/** It wants no key, so a 401 or 403 is its firewall's. */
function rethrowAuthAsBlocked(cause: unknown): never {
  if (cause instanceof ProviderFailure && cause.kind === "auth")
    throw new ProviderFailure("blocked", "its firewall refuses us", { cause });
  throw cause;
}
