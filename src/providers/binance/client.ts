import type { z } from "zod";
import type { Instrument } from "../../domain/market/market.ts";
import { type FailureKind, ProviderFailure } from "../../domain/providers/price-provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { Refusal } from "./wire.ts";

/** The host that serves market data alone, without a key. */
const BASE_URL = "https://data-api.binance.vision";

/** Asks one path for an answer of one shape. Rejects with ProviderFailure alone. */
export type ApiGet = <T>(
  path: string,
  shape: z.ZodType<T>,
  query: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
) => Promise<T>;

/** Its public API: refusals come as a status of 400 with a negative code. */
export function createClient(setup: ProviderSetup): ApiGet {
  const wire = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL });
  return async (path, shape, query, signal) => {
    const { status, body } = await wire
      .json(path, { query, signal, accept: [400] })
      .catch(rethrowAuthAsBlocked);
    const refusal = Refusal.safeParse(body);
    if (refusal.success)
      throw new ProviderFailure(kindOf(refusal.data.code), `refused with code ${refusal.data.code}`);
    const read = shape.safeParse(body);
    if (status !== 200 || !read.success)
      throw new ProviderFailure("malformed", "another answer than documented", { cause: read.error });
    return read.data;
  };
}

/** A token in USDT, which counts as the dollar: `BTCUSDT`. Throws ProviderFailure "unsupported" for anything else. */
export function pairOf(instrument: Instrument): string {
  const base = tickerOf(instrument);
  if (instrument.asset_class !== "crypto" || base === "USDT" || !/^[A-Z0-9]{1,15}$/.test(base))
    throw new ProviderFailure("unsupported", "it prices tokens in USDT alone");
  return `${base}USDT`;
}

/** Its codes below -1000 are of the network and the server; -1100 and -1121 are about the name of a pair. */
function kindOf(code: number): FailureKind {
  if (code === -1121 || code === -1100) return "unknown_symbol";
  if (code === -1003) return "rate_limited";
  return code <= -1000 && code >= -1008 ? "down" : "malformed";
}

/** It wants no key, so a 401 or 403 is its firewall's. */
function rethrowAuthAsBlocked(cause: unknown): never {
  if (cause instanceof ProviderFailure && cause.kind === "auth")
    throw new ProviderFailure("blocked", "its firewall refuses us", { cause });
  throw cause;
}
