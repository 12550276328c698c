import { z } from "zod";
import { type FailureKind, ProviderFailure } from "../../domain/providers/price-provider.ts";
import { exceededLimit } from "../../lib/json-size.ts";
import { dateHeader, type ProviderSetup, readLimitedBytes } from "../shared/http-client.ts";

/** Kinds of failure by ccxt's error class. A class that is not listed counts as its nearest listed superclass. */
const KINDS: Readonly<Record<string, FailureKind>> = {
  BadSymbol: "unknown_symbol",
  NotSupported: "unsupported",
  RateLimitExceeded: "rate_limited",
  DDoSProtection: "rate_limited",
  AuthenticationError: "auth",
  PermissionDenied: "auth",
  RestrictedLocation: "blocked",
  RequestTimeout: "timeout",
  ExchangeNotAvailable: "down",
  NetworkError: "down",
};

/** Converts an error of ccxt. Classes are matched by name, because the package is optional. */
export function failureOf(cause: unknown): ProviderFailure {
  if (cause instanceof ProviderFailure) return cause;
  for (let above = cause; above !== null && typeof above === "object"; above = Object.getPrototypeOf(above)) {
    const name = above.constructor?.name ?? "";
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
    if (kind !== undefined) return new ProviderFailure(kind, `ccxt error ${name}`, { cause });
  }
  return new ProviderFailure("malformed", "ccxt could not read the response", { cause });
}

/** The package as loaded by `import("ccxt")`. */
export interface Ccxt {
  readonly default: Readonly<Record<string, unknown>>;
}

export interface CcxtSetup extends Pick<ProviderSetup, "fetch" | "onResponse"> {
  /** Loads the package. Default: from this program's installation. */
  readonly load?: () => Promise<Ccxt>;
}

/** The part of a ccxt exchange that is used here. */
export interface Exchange {
  readonly has: Record<string, unknown>;
  readonly timeframes?: Readonly<Record<string, unknown>> | undefined;
  readonly features?: unknown;
  readonly options: Record<string, unknown>;
  readonly markets?: Readonly<Record<string, unknown>> | undefined;
  fetchImplementation: unknown;
  loadMarkets(): Promise<unknown>;
  fetchTicker(symbol: string): Promise<unknown>;
  fetchTrades(symbol: string, since: undefined, limit: number): Promise<unknown>;
  fetchOHLCV(symbol: string, timeframe: string, since: number, limit: number): Promise<unknown>;
}

/** Timeout of one request, ms; the list of markets takes longest. */
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 12 * 1024 * 1024;
/** Maximum number of values of a response, which ccxt parses at once. */
const MAX_VALUES = 500_000;

/**
 * Opens an exchange and loads its markets, without currencies, and only spot markets if it lists market types. Rejects
 * with ccxt's errors.
 */
export async function openExchange(id: string, { fetch, onResponse, load }: CcxtSetup): Promise<Exchange> {
  const ccxt = await (load ?? importCcxt)().catch((cause: unknown) => {
    throw new ProviderFailure("unsupported", "ccxt is not installed: npm install ccxt", { cause });
  });
  const { exchanges, [id]: Venue } = ccxt.default;
  if (!Array.isArray(exchanges) || !exchanges.includes(id) || typeof Venue !== "function")
    throw new ProviderFailure("unsupported", `ccxt has no exchange named ${id}`);
  const exchange = new (Venue as new (options: object) => Exchange)({ timeout: TIMEOUT_MS });
  exchange.fetchImplementation = limitedFetch({ fetch, ...(onResponse && { onResponse }) });
  exchange.has.fetchCurrencies = false;
  const { fetchMarkets } = exchange.options;
  if (ByType.safeParse(fetchMarkets).success)
    exchange.options.fetchMarkets = { ...(fetchMarkets as object), types: ["spot"] };
  await exchange.loadMarkets();
  if (Object.keys(exchange.markets ?? {}).length === 0)
    throw new ProviderFailure("malformed", "the exchange lists no markets");
  return exchange;
}

const importCcxt = (): Promise<Ccxt> => import("ccxt");

/** Kinds of markets, as most exchanges list them. */
const ByType = z.object({ types: z.array(z.string()).refine((types) => types.includes("spot")) });

/**
 * Creates the fetch function for ccxt. It refuses redirects, limits size, values and depth of responses and reports a
 * blocked country.
 */
const limitedFetch =
  ({ fetch, onResponse }: Pick<ProviderSetup, "fetch" | "onResponse">): typeof fetch =>
  async (input, init) => {
    const { method, headers, body, signal } = init ?? {};
    const response = await fetch(input, {
      ...(method !== undefined && { method }),
      ...(headers !== undefined && { headers }),
      ...(body !== undefined && { body }),
      ...(signal !== undefined && { signal }),
      redirect: "error",
    });
    onResponse?.({ status: response.status, providerClock: dateHeader(response) });
    if (response.status === 451) throw new ProviderFailure("blocked", "status 451");
    const bytes = await readLimitedBytes(response, MAX_BYTES);
    const exceeded = exceededLimit(bytes, { values: MAX_VALUES });
    if (exceeded !== null) throw new ProviderFailure("malformed", "response with too many values or levels");
    const { status, statusText } = response;
    return new Response(bytes.length === 0 ? null : bytes, { status, statusText, headers: response.headers });
  };
