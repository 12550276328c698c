import type { Instrument } from "../../domain/market/market.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { tokenName } from "./tokens.ts";
import { Chart, type ChartResult } from "./wire.ts";

/** Where it answers most questions. */
export const BASE_URL = "https://query2.finance.yahoo.com";
/** It answers 429 to clients that do not look like a browser. */
export const HEADERS = {
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
  accept: "application/json",
} as const;

/** How it says that a window ends before the first trade. */
const BEFORE_THE_FIRST = "Data doesn't exist for startDate";

/** Asks the chart of one instrument; null where nothing traded by the end asked for. Rejects with ProviderFailure alone. */
export type FetchChart = (
  instrument: Instrument,
  query: Readonly<Record<string, string | number | undefined>>,
  signal: AbortSignal,
) => Promise<ChartResult | null>;

/** Its chart, which needs neither cookie nor crumb; the answer is about the instrument that was asked for, in dollars. */
export function createClient(setup: ProviderSetup): FetchChart {
  const wire = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL, headers: HEADERS });
  return async (instrument, query, signal) => {
    const symbol = symbolOf(instrument);
    const { status, body } = await wire
      .json(`/v8/finance/chart/${encodeURIComponent(symbol)}`, { query, signal, accept: [400, 404, 422] })
      .catch(rethrowAuthAsBlocked);
    const read = Chart.safeParse(body);
    if (!read.success)
      throw new ProviderFailure("malformed", "another answer than expected", { cause: read.error });
    const { result, error } = read.data.chart;
    if (status === 404 && error !== null)
      throw new ProviderFailure("unknown_symbol", "it lists no such symbol");
    if (status === 422) throw new ProviderFailure("unsupported", "more than it gives of bars so short");
    if (status === 400 && error?.description?.startsWith(BEFORE_THE_FIRST) === true) return null;
    const [chart] = result ?? [];
    if (status !== 200 || error !== null || chart === undefined)
      throw new ProviderFailure("malformed", "an answer without a chart");
    validateChart(chart, symbol, instrument);
    return chart;
  };
}

/** `BRK-B` for BRK.B, `UNI7083-USD` for Uniswap. */
export function symbolOf(instrument: Instrument): string {
  if (instrument.asset_class !== "crypto") return usTicker(instrument, "-");
  const name = tokenName(tickerOf(instrument));
  if (name === null)
    throw new ProviderFailure("unsupported", "a token whose name there is not known for sure");
  return name;
}

const KINDS = { equity: ["EQUITY", "ETF"], etf: ["ETF", "EQUITY"], crypto: ["CRYPTOCURRENCY"] } as const;

function validateChart({ meta }: ChartResult, symbol: string, { asset_class }: Instrument): void {
  if (meta.symbol !== symbol) throw new ProviderFailure("malformed", "an answer about another symbol");
  if (meta.currency !== "USD") throw new ProviderFailure("malformed", "a price in another currency");
  const kinds: readonly string[] = KINDS[asset_class];
  if (!kinds.includes(meta.instrumentType))
    throw new ProviderFailure("malformed", "an answer about another kind of instrument");
}

/** It wants no key, so a 401 or 403 is a wall. */
export function rethrowAuthAsBlocked(cause: unknown): never {
  if (cause instanceof ProviderFailure && cause.kind === "auth")
    throw new ProviderFailure("blocked", "it refuses us", { cause });
  throw cause;
}
