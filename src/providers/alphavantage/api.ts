import { z } from "zod";
import type { FailureKind } from "../../domain/providers/price-provider.ts";
import { type ApiGet, createApi } from "../shared/api.ts";
import type { ProviderSetup } from "../shared/http-client.ts";

export interface AlphavantageSetup extends ProviderSetup {
  /** API key; sent in the query, the only place where Alpha Vantage accepts it. */
  readonly key: string;
}

/**
 * Error body, sent with status 200. In a body that also has data, `Information` and `Note` are advice. Their text may
 * contain the key, so answers never include it.
 */
const Refusal = z.object({
  Information: z.string().optional(),
  Note: z.string().optional(),
  "Error Message": z.string().optional(),
});

const hasData = (body: unknown): boolean =>
  typeof body === "object" && body !== null && Object.keys(body).some((key) => !(key in Refusal.shape));

/** Creates the client of Alpha Vantage's API. `kindOf` maps the text of an error to the kind of failure. */
export const alphavantageApi = (
  setup: AlphavantageSetup,
  kindOf: (text: string, isError: boolean) => FailureKind,
): ApiGet => {
  const get = createApi(setup, {
    baseUrl: "https://www.alphavantage.co",
    refusal(body) {
      const { Information, Note, "Error Message": error } = Refusal.catch({}).parse(body);
      const advice = hasData(body) ? undefined : (Information ?? Note);
      const text = error ?? advice;
      return text === undefined ? null : kindOf(text, text === error);
    },
  });
  return (path, shape, { query, signal }) =>
    get(path, shape, { query: { ...query, apikey: setup.key }, signal });
};
