import type { z } from "zod";
import type { Instrument } from "../../domain/market/market.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { Envelope } from "./wire.ts";

const BASE_URL = "https://api.nasdaq.com";
/** It lets everything but browsers wait for ever. */
export const HEADERS = {
  accept: "application/json, text/plain, */*",
  "accept-language": "en-US,en;q=0.9",
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
};
/** Its codes for a name that it does not have among such assets, and for a window without a session. */
const NOT_LISTED = 1001;
const NO_WINDOW = 1011;

interface ApiRequest<T> {
  readonly what: "info" | "historical";
  readonly instrument: Instrument;
  readonly shape: z.ZodType<T>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly signal: AbortSignal;
}

/** Asks about one instrument; null where it says that the window asked for holds nothing. Rejects with ProviderFailure alone. */
export type ApiGet = <T extends { readonly symbol: string }>(question: ApiRequest<T>) => Promise<T | null>;

/** The API behind its own pages. A name is looked for among stocks and among funds, as it knows each in one place alone. */
export function createClient(setup: ProviderSetup): ApiGet {
  const wire = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL, headers: HEADERS });

  /** The answer among one class of assets; "unlisted" where the name is not of it. */
  async function among<T>(assetclass: string, ticker: string, question: ApiRequest<T>) {
    const { what, query = {}, shape, signal } = question;
    const path = `/api/quote/${ticker}/${what}`;
    const { body } = await wire.json(path, { query: { assetclass, ...query }, signal, accept: [400] });
    const envelope = Envelope.safeParse(body);
    if (!envelope.success) throw malformed(envelope.error);
    const { data, status } = envelope.data;
    const codes = (status.bCodeMessage ?? []).map(({ code }) => code);
    if (codes.includes(NOT_LISTED)) return "unlisted";
    if (codes.includes(NO_WINDOW)) return null;
    // it says so with a status of 200, and answers when asked again
    if (data === null && (status.rCode === 200 || status.rCode >= 500))
      throw new ProviderFailure("down", "it says that something went wrong");
    const read = shape.safeParse(data);
    if (status.rCode !== 200 || !read.success) throw malformed(read.error);
    return read.data;
  }

  return async (question) => {
    const ticker = tickerAt(question.instrument);
    const classes = question.instrument.asset_class === "etf" ? ["etf", "stocks"] : ["stocks", "etf"];
    for (const assetclass of classes) {
      const answer = await among(assetclass, ticker, question);
      if (answer === "unlisted") continue;
      if (answer !== null && answer.symbol.toUpperCase() !== ticker)
        throw new ProviderFailure("malformed", "an answer about another ticker");
      return answer;
    }
    throw new ProviderFailure("unknown_symbol", "it has it neither among stocks nor among funds");
  };
}

/** Its ticker of a stock or fund: `BRK.B`. Throws ProviderFailure "unsupported" for anything else. */
function tickerAt(instrument: Instrument): string {
  const ticker = tickerOf(instrument);
  if (instrument.asset_class === "crypto" || !/^[A-Z]{1,6}(\.[A-Z]{1,2})?$/.test(ticker))
    throw new ProviderFailure("unsupported", "it has US stocks and funds alone");
  return ticker;
}

const malformed = (cause: unknown) =>
  new ProviderFailure("malformed", "another answer than is known", { cause });
