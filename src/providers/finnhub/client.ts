import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { Quote } from "./wire.ts";

export const BASE_URL = "https://finnhub.io";

export interface FinnhubSetup extends ProviderSetup {
  readonly key: string;
}

/** Asks for the quote of one symbol. Rejects with ProviderFailure alone. */
export type FetchQuote = (symbol: string, signal: AbortSignal) => Promise<Quote>;

/** Its API, with the token in a header. */
export function createClient({ key, ...setup }: FinnhubSetup): FetchQuote {
  const wire = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json", "X-Finnhub-Token": key },
  });
  return async (symbol, signal) => {
    const { body } = await wire.json("/api/v1/quote", { query: { symbol }, signal });
    const read = Quote.safeParse(body);
    if (!read.success)
      throw new ProviderFailure("malformed", "another answer than documented", { cause: read.error });
    return read.data;
  };
}
