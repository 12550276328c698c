import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProviderTimeframe } from "../../src/domain/market/bars.ts";
import type { Instrument } from "../../src/domain/market/market.ts";
import {
  type PriceProvider,
  type ProviderBars,
  ProviderFailure,
} from "../../src/domain/providers/price-provider.ts";
import { fetchFrom, type Vendor } from "../replay/vendor.ts";
import { fixed, fixedWorld } from "../support/fixed-world.ts";

/** A signal that never aborts. */
export const { signal } = new AbortController();

/** Kind of a request's failure; "answered" if it succeeds. Other errors are returned unchanged. */
export const kindOf = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    () => "answered",
    (failure: unknown) => (failure instanceof ProviderFailure ? failure.kind : failure),
  );

/** A stock with any symbol. */
export const stock = (symbol: string): Instrument => ({ ...fixed("AAPL"), symbol });

/** A token in dollars by its base ticker. */
export const token = (base: string): Instrument => ({
  symbol: `${base}-USD`,
  name: base,
  asset_class: "crypto",
  sector: null,
  currency: "USD",
});

/** A fetch, and its requests: decoded URLs, and headers. */
export interface RecordedFetch {
  readonly fetch: typeof fetch;
  readonly requests: string[];
  readonly headers: Headers[];
}

/** Records the requests of a fetch. */
export function recorded(fetch: typeof globalThis.fetch): RecordedFetch {
  const requests: string[] = [];
  const headers: Headers[] = [];
  return {
    requests,
    headers,
    fetch: (input, init) => {
      requests.push(decodeURIComponent(String(input).replaceAll("+", " ")));
      headers.push(new Headers(init?.headers));
      return fetch(input, init);
    },
  };
}

/** Responses by the end of their path: a text, a value to write as JSON, or a function of the URL. "" matches every path. */
export type Responses = Readonly<Record<string, unknown>>;

/** A fetch with fixed responses; an unknown path gets an empty response. */
export const respondWith = (responses: Responses, init: ResponseInit = {}): RecordedFetch =>
  recorded(async (input) => {
    const url = new URL(String(input));
    const path = Object.keys(responses).find((end) => url.pathname.endsWith(end));
    const response = path === undefined ? "" : responses[path];
    const body: unknown = typeof response === "function" ? response(url) : response;
    return body instanceof Response
      ? body
      : new Response(typeof body === "string" ? body : JSON.stringify(body), init);
  });

/** The correct responses of a replayed provider in the fixed world. */
export const respondAs = (vendor: Vendor): RecordedFetch => recorded(fetchFrom(vendor, fixedWorld()));

/** A file of recorded JSON. */
export const readJson = <T = unknown>(...path: readonly string[]): T =>
  JSON.parse(readFileSync(join(...path), "utf8")) as T;

/** A fetch that returns the responses in order; the last one is repeated. */
export function respondInOrder(bodies: readonly unknown[], init: ResponseInit = {}): RecordedFetch {
  let calls = 0;
  return respondWith({ "": () => bodies[Math.min(calls++, bodies.length - 1)] }, init);
}

/** A response of a provider from the file of documented errors and shapes. */
export const documented = (file: string, provider: string, what: string): unknown =>
  readJson<readonly { provider: string; what: string; body: unknown }[]>(file).find(
    (entry) => entry.provider === provider && entry.what.startsWith(what),
  )!.body;

interface Window {
  readonly from: string;
  readonly until: string;
  readonly timeframe?: ProviderTimeframe;
  readonly extendedHours?: boolean;
}

/** Bars between two dates or times; daily bars by default. */
export const barsIn = (
  provider: PriceProvider,
  { from, until, timeframe = "1d", extendedHours = false }: Window,
  of = fixed("AAPL"),
): Promise<ProviderBars> =>
  provider.history!(of, {
    timeframe,
    from: Date.parse(from),
    until: Date.parse(until),
    ...(extendedHours && { extendedHours }),
    signal,
  });

/** A quote without the figures of its day. */
export const NO_DAY = { previousClose: null, open: null, high: null, low: null, volume: null };

/** Properties of the bars of US providers: adjusted for splits, regular hours, all venues. */
export const US_BARS = { adjustment: "split", hours: "regular", volumeScope: "all_venues", venue: "US" };

/** A query parameter of each request; null if it is missing. */
export const parameters = (requests: readonly string[], name: string): readonly (string | null)[] =>
  requests.map((url) => new URL(url).searchParams.get(name));
