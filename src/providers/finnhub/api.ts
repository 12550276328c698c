import { type ApiGet, createApi } from "../shared/api.ts";
import type { ProviderSetup } from "../shared/http-client.ts";

export interface FinnhubSetup extends ProviderSetup {
  readonly key: string;
}

/** Creates the client of Finnhub's API, with the token in a header. */
export const finnhubApi = ({ key, ...setup }: FinnhubSetup): ApiGet =>
  createApi(setup, { baseUrl: "https://finnhub.io", headers: { "X-Finnhub-Token": key } });
