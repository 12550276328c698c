import { z } from "zod";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { parseBody } from "../shared/api.ts";
import { Figure } from "../shared/fields.ts";
import { createHttpClient, type ProviderSetup, parseJson } from "../shared/http-client.ts";
import { parseNewYorkTime } from "../shared/timestamps.ts";

/** A price; null if it is 0 or missing. */
export const PriceOrNull = Figure.refine((price) => price >= 0)
  .nullish()
  .transform((price) => (price === undefined || price === 0 ? null : price));
/** A count; null if it is missing. */
export const CountOrNull = Figure.refine((figure) => figure >= 0)
  .nullish()
  .transform((figure) => figure ?? null);

/** Data of a stock or fund; indexes are rejected. `last_trade_time` is New York time, null without a trade. */
export const Header = z.object({
  symbol: z.string(),
  security_type: z.string().refine((type) => type !== "index"),
  current_price: PriceOrNull,
  last_trade_time: z
    .string()
    .nullish()
    .transform((text) => (typeof text === "string" ? parseNewYorkTime(text) : null)),
});

const BASE_URL = "https://cdn.cboe.com";
const QUOTES_FOLDER = "/api/global/delayed_quotes";

/** Delay of all quotes and chains, minutes. */
export const DELAY_MINUTES = 15;

/** Creates a reader of public files. It rejects only with ProviderFailure; a missing file is `unknown_symbol`. */
export function createFileReader(setup: ProviderSetup, maxBytes?: number) {
  const client = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json" },
    ...(maxBytes !== undefined && { maxBytes }),
  });
  return async <T>(path: string, shape: z.ZodType<T>, signal: AbortSignal): Promise<T> => {
    const { status, body } = await client.text(path, { signal, accept: [403, 404] });
    // a missing file gives a 404, or a 403 with XML; a 403 with HTML comes from a firewall
    const isHtml = /^\s*<(!doctype html|html)/i.test(body);
    if (status === 404 || (status === 403 && !isHtml))
      throw new ProviderFailure("unknown_symbol", "no such file");
    if (isHtml) throw new ProviderFailure("blocked", "HTML page instead of data");
    return parseBody(shape, parseJson(body));
  };
}

/** Creates a reader of a ticker's delayed files. It rejects only with ProviderFailure. */
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
