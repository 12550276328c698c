import type { Instrument } from "../../domain/market/market.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { parseBody } from "../shared/api.ts";
import { createHttpClient, type HttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { tokenName } from "./tokens.ts";
import { Chart, type ChartResult } from "./wire.ts";

/** Yahoo responds with 429 to clients without the headers of a browser. */
export const HEADERS = {
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
  accept: "application/json",
} as const;
/** Error of a window that ends before the first trade. */
const BEFORE_FIRST_TRADE = "Data doesn't exist for startDate";

/** Creates a client of one of Yahoo's hosts; most data need no key. */
export const yahooClient = (
  setup: ProviderSetup,
  { baseUrl = "https://query2.finance.yahoo.com", keyless = true } = {},
): HttpClient => createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? baseUrl, headers: HEADERS, keyless });

/**
 * Requests the chart of an instrument; null if nothing traded by the end of the window. Rejects only with
 * ProviderFailure.
 */
export type FetchChart = (
  instrument: Instrument,
  query: Readonly<Record<string, string | number | undefined>>,
  signal: AbortSignal,
) => Promise<ChartResult | null>;

/**
 * The chart API, which needs neither cookie nor crumb. Checks that a chart is about the instrument, in
 * dollars.
 */
export function chartApi(setup: ProviderSetup): FetchChart {
  const client = yahooClient(setup);
  return async (instrument, query, signal) => {
    const symbol = symbolOf(instrument);
    const path = `/v8/finance/chart/${encodeURIComponent(symbol)}`;
    const { status, body } = await client.json(path, { query, signal, accept: [400, 404, 422] });
    const { result, error } = parseBody(Chart, body).chart;
    if (status === 404 && error !== null) throw new ProviderFailure("unknown_symbol", "no such symbol");
    if (status === 422) throw new ProviderFailure("unsupported", "window too long for bars of this length");
    if (status === 400 && error?.description?.startsWith(BEFORE_FIRST_TRADE) === true) return null;
    const [chart] = result ?? [];
    if (status !== 200 || error !== null || chart === undefined)
      throw new ProviderFailure("malformed", "response without a chart");
    validateChart(chart, symbol, instrument);
    return chart;
  };
}

/** `BRK-B` for BRK.B, `UNI7083-USD` for Uniswap. */
export function symbolOf(instrument: Instrument): string {
  if (instrument.asset_class !== "crypto") return usTicker(instrument, "-");
  const name = tokenName(tickerOf(instrument));
  if (name === null) throw new ProviderFailure("unsupported", "no certain name of the token");
  return name;
}

const KINDS = { equity: ["EQUITY", "ETF"], etf: ["ETF", "EQUITY"], crypto: ["CRYPTOCURRENCY"] } as const;

function validateChart({ meta }: ChartResult, symbol: string, { asset_class }: Instrument): void {
  if (meta.symbol !== symbol) throw new ProviderFailure("malformed", "response about another symbol");
  if (meta.currency !== "USD") throw new ProviderFailure("malformed", "a price in another currency");
  const kinds: readonly string[] = KINDS[asset_class];
  if (!kinds.includes(meta.instrumentType))
    throw new ProviderFailure("malformed", "response about another kind of instrument");
}
