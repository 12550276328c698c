import type { z } from "zod";
import type { Instrument } from "../../domain/market/market.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";

const BASE_URL = "https://cdn.cboe.com";
const FOLDER = "/api/global/delayed_quotes";

/** Minutes by which everything it tells is late. */
export const DELAY_MINUTES = 15;

/** Reads one file of a ticker in one shape. Rejects with ProviderFailure alone. */
export type FetchTickerFile = <T extends { readonly symbol: string }>(
  folder: string,
  ticker: string,
  shape: z.ZodType<T>,
  signal: AbortSignal,
) => Promise<T>;

/** Its public files, one for each ticker: 403, or 404, stands for one that there is not. */
export function createClient(setup: ProviderSetup, maxBytes?: number): FetchTickerFile {
  const read = createFileReader(setup, maxBytes);
  return async (folder, ticker, shape, signal) => {
    const data = await read(`${FOLDER}/${folder}/${ticker}.json`, shape, signal);
    if (data.symbol !== ticker) throw new ProviderFailure("malformed", "an answer about another ticker");
    return data;
  };
}

/** Reads one public file in one shape; `unknown_symbol` for one that there is not. Rejects with ProviderFailure alone. */
export function createFileReader(setup: ProviderSetup, maxBytes?: number) {
  const wire = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json" },
    ...(maxBytes !== undefined && { maxBytes }),
  });
  return async <T>(path: string, shape: z.ZodType<T>, signal: AbortSignal): Promise<T> => {
    const { status, body } = await wire.text(path, { signal, accept: [403, 404] });
    const page = isPage(body);
    if (status === 404 || (status === 403 && !page))
      throw new ProviderFailure("unknown_symbol", "it has no such file");
    if (page) throw new ProviderFailure("blocked", "a page instead of data");
    const read = shape.safeParse(parseJson(body));
    if (!read.success)
      throw new ProviderFailure("malformed", "another answer than is known", { cause: read.error });
    return read.data;
  };
}

/** Its ticker of a stock or fund: `BRK.B`; `BTC` for the fund `BTC.US`. Throws ProviderFailure "unsupported" for the rest. */
export function tickerAt(instrument: Instrument): string {
  const ticker = tickerOf(instrument);
  if (instrument.asset_class === "crypto" || !/^[A-Z]{1,6}(\.[A-Z]{1,2})?$/.test(ticker))
    throw new ProviderFailure("unsupported", "it has US stocks and funds alone");
  return ticker;
}

/** A wall's page; the file store's own refusal is XML. */
const isPage = (body: string): boolean => /^\s*<(!doctype html|html)/i.test(body);

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch (cause) {
    throw new ProviderFailure("malformed", "an answer that is not JSON", { cause });
  }
}
