import type { z } from "zod";
import type { Timeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { type FailureKind, ProviderFailure } from "../../domain/providers/price-provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { Envelope } from "./wire.ts";

const BASE_URL = "https://www.okx.com";

/** What its bars are called. Its plain day begins at 16:00 UTC; hours and less lie on the UTC grid as they are. */
export const BAR_INTERVALS = {
  "1d": "1Dutc",
  "4h": "4H",
  "1h": "1H",
  "30m": "30m",
  "15m": "15m",
  "5m": "5m",
} as const satisfies Record<Timeframe, string>;

/** Asks one path for data of one shape. Rejects with ProviderFailure alone. */
export type ApiGet = <T>(
  path: string,
  shape: z.ZodType<T>,
  query: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
) => Promise<T>;

/** Its public API: refusals come as a code, mostly within a status of 200. */
export function createClient(setup: ProviderSetup): ApiGet {
  const wire = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL });
  return async (path, shape, query, signal) => {
    const { status, body } = await wire
      .json(path, { query, signal, accept: [400] })
      .catch(rethrowAuthAsBlocked);
    const envelope = Envelope.safeParse(body);
    if (!envelope.success) throw malformed(envelope.error);
    const { code, data } = envelope.data;
    if (code !== "0") throw new ProviderFailure(KINDS[code] ?? "malformed", `refused with code ${code}`);
    const read = shape.safeParse(data);
    if (status !== 200 || !read.success) throw malformed(read.error);
    return read.data;
  };
}

/** A token in USDT, which counts as the dollar: `BTC-USDT`. Throws ProviderFailure "unsupported" for anything else. */
export function pairOf(instrument: Instrument): string {
  const base = tickerOf(instrument);
  if (instrument.asset_class !== "crypto" || base === "USDT" || !/^[A-Z0-9]{1,15}$/.test(base))
    throw new ProviderFailure("unsupported", "it prices tokens in USDT alone");
  return `${base}-USDT`;
}

/** @see https://www.okx.com/docs-v5/en/#error-code */
const KINDS: Readonly<Record<string, FailureKind>> = {
  "51001": "unknown_symbol",
  "51012": "unknown_symbol",
  "50011": "rate_limited",
  "50061": "rate_limited",
  "50001": "down",
  "50004": "down",
  "50005": "down",
  "50013": "down",
  "50026": "down",
};

const malformed = (cause: unknown) =>
  new ProviderFailure("malformed", "another answer than documented", { cause });

/** It wants no key, so a 401 or 403 is its firewall's. */
function rethrowAuthAsBlocked(cause: unknown): never {
  if (cause instanceof ProviderFailure && cause.kind === "auth")
    throw new ProviderFailure("blocked", "its firewall refuses us", { cause });
  throw cause;
}
