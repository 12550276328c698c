import { z } from "zod";
import type { Instrument } from "../../domain/market/market.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { parseBody, readBody } from "../shared/api.ts";
import { createHttpClient, type HttpRequest, type ProviderSetup } from "../shared/http-client.ts";
import { parseIsoDate } from "../shared/timestamps.ts";
import { usTicker } from "../shared/us-ticker.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** An amount such as `$3.46`, `($0.29)`, `1,234.5` or a number; null for `N/A`, `--` and empty text. */
export const Money = z
  .union([z.number(), z.string().max(40)])
  .nullish()
  .transform((value, context): number | null => {
    if (typeof value === "number") return value;
    const text = (value ?? "").trim();
    if (text === "" || text === "N/A" || text === "--") return null;
    const [, minus, digits] = /^(\(|-)?\$?(\d[\d,]*(?:\.\d+)?)\)?$/.exec(text) ?? [];
    if (digits !== undefined) return Number(digits.replaceAll(",", "")) * (minus === undefined ? 1 : -1);
    context.addIssue({ code: "custom", message: "not an amount" });
    return z.NEVER;
  });

/** Returns the last day of a month written like `Dec 2024`, as `YYYY-MM-DD`; null for other text. */
export function parseMonthEnd(text: string): string | null {
  const [, name = "", year = ""] = /^([A-Z][a-z]{2}) ?(\d{4})$/.exec(text.trim()) ?? [];
  const month = MONTHS.indexOf(name);
  return month < 0 ? null : new Date(Date.UTC(Number(year), month + 1, 0)).toISOString().slice(0, 10);
}

/** Converts a date like `Jul 3, 2024` to `YYYY-MM-DD`; null for other text. */
export function parseNamedDate(text: string): string | null {
  const [, month = "", day = "", year] = /^([A-Z][a-z]{2}) (\d{1,2}), (\d{4})$/.exec(text) ?? [];
  const date = `${year}-${padTwo(MONTHS.indexOf(month) + 1)}-${padTwo(Number(day))}`;
  return parseIsoDate(date) === null ? null : date;
}

export const padTwo = (figure: number): string => String(figure).padStart(2, "0");

const BASE_URL = "https://api.nasdaq.com";
/** Request headers of a browser; without them, Nasdaq.com does not respond. */
const HEADERS = {
  accept: "application/json, text/plain, */*",
  "accept-language": "en-US,en;q=0.9",
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
};
/** Request headers of Nasdaq's own pages; reports are served only to these pages. */
const PAGE_HEADERS = { origin: "https://www.nasdaq.com", referer: "https://www.nasdaq.com/" };
/** Response codes: the ticker is not listed in this asset class, and the window contains no session. */
const NOT_LISTED = 1001;
const NO_WINDOW = 1011;

const Envelope = z.object({
  data: z.unknown(),
  status: z.object({
    rCode: z.number(),
    bCodeMessage: z.array(z.object({ code: z.coerce.number() })).nullish(),
  }),
});

type NasdaqRequest = Pick<HttpRequest, "query" | "signal">;

/** Creates the client of an API whose responses are envelopes with the status in the body. */
function createEnvelopeApi(setup: ProviderSetup, headers: Readonly<Record<string, string>>) {
  const client = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL, headers });
  return async (path: string, request: NasdaqRequest) => {
    const { body } = await client.json(path, { ...request, accept: [400] });
    const { data, status } = parseBody(Envelope, body);
    const codes = (status.bCodeMessage ?? []).map(({ code }) => code);
    return {
      codes,
      data,
      async parse<T>(shape: z.ZodType<T>): Promise<T> {
        // a response with status 200 and no data is a temporary failure
        if (data === null && (status.rCode === 200 || status.rCode >= 500))
          throw new ProviderFailure("down", "temporary failure");
        if (status.rCode !== 200) throw new ProviderFailure("malformed", `status ${status.rCode}`);
        return readBody(shape, data, setup.onUnreadable);
      },
    };
  };
}

/** Requests `/api/quote/<ticker>/<path>`. Returns null if the window has no data. */
type QuoteGet = <T extends { readonly symbol: string }>(
  instrument: Instrument,
  path: "info" | "historical",
  shape: z.ZodType<T>,
  request: NasdaqRequest,
) => Promise<T | null>;

/** Creates the client of the API behind Nasdaq's own pages. A ticker is listed either as a stock or as a fund. */
export function quoteApi(setup: ProviderSetup): QuoteGet {
  const get = createEnvelopeApi(setup, HEADERS);
  return async (instrument, path, shape, { query, signal }) => {
    const ticker = usTicker(instrument);
    const classes = instrument.asset_class === "etf" ? ["etf", "stocks"] : ["stocks", "etf"];
    for (const assetclass of classes) {
      const request = { query: { assetclass, ...query }, signal };
      const envelope = await get(`/api/quote/${ticker}/${path}`, request);
      if (envelope.codes.includes(NOT_LISTED)) continue;
      if (envelope.codes.includes(NO_WINDOW)) return null;
      const data = await envelope.parse(shape);
      if (data.symbol.toUpperCase() !== ticker)
        throw new ProviderFailure("malformed", "response about another ticker");
      return data;
    }
    throw new ProviderFailure("unknown_symbol", "listed neither among stocks nor among funds");
  };
}

/** Creates the client of the API of earnings reports. Rejects only with ProviderFailure. */
export function reportsApi(setup: ProviderSetup) {
  const get = createEnvelopeApi(setup, { ...HEADERS, ...PAGE_HEADERS });
  return async <T>(path: string, shape: z.ZodType<T>, request: NasdaqRequest): Promise<T> => {
    const envelope = await get(path, request);
    if (envelope.codes.length > 0 && envelope.data === null)
      throw new ProviderFailure("unknown_symbol", "no such name");
    return envelope.parse(shape);
  };
}
