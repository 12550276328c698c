import type { z } from "zod";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { parseBody } from "../shared/api.ts";
import { createHttpClient, type ProviderSetup, parseJson } from "../shared/http-client.ts";

const BASE_URL = "https://cdn.cboe.com";
const QUOTES_FOLDER = "/api/global/delayed_quotes";

/** Delay of all quotes and chains, minutes. */
export const DELAY_MINUTES = 15;

/** Reads one public file; `unknown_symbol` for a missing one. Rejects only with ProviderFailure. */
export function createFileReader(setup: ProviderSetup, maxBytes?: number) {
  const client = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json" },
    ...(maxBytes !== undefined && { maxBytes }),
  });
  return async <T>(path: string, shape: z.ZodType<T>, signal: AbortSignal): Promise<T> => {
    const { status, body } = await client.text(path, { signal, accept: [403, 404] });
    // the file store refuses missing files in XML, a firewall answers with HTML
    const isHtml = /^\s*<(!doctype html|html)/i.test(body);
    if (status === 404 || (status === 403 && !isHtml))
      throw new ProviderFailure("unknown_symbol", "no such file");
    if (isHtml) throw new ProviderFailure("blocked", "HTML page instead of data");
    return parseBody(shape, parseJson(body));
  };
}

/** Reads a delayed file of a ticker. Rejects only with ProviderFailure. */
export function createTickerReader(setup: ProviderSetup, maxBytes?: number) {
  const read = createFileReader(setup, maxBytes);
  return async <T extends { readonly symbol: string }>(
    folder: string,
    ticker: string,
    shape: z.ZodType<T>,
    signal: AbortSignal,
  ): Promise<T> => {
    const data = await read(`${QUOTES_FOLDER}/${folder}/${ticker}.json`, shape, signal);
    if (data.symbol !== ticker) throw new ProviderFailure("malformed", "response about another ticker");
    return data;
  };
}
