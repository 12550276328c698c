import { z } from "zod";
import { type ApiGet, createApi } from "../shared/api.ts";
import type { ProviderSetup } from "../shared/http-client.ts";

/** Minimum age of data from all venues for accounts without a subscription: 15 minutes plus a margin of one. */
const WITHHELD_MS = 16 * 60_000;

export interface AlpacaSetup extends ProviderSetup {
  readonly key: string;
  readonly secret: string;
  /** Returns the current time, epoch ms. Accounts without a subscription may not request the newest data. */
  readonly now: () => number;
  /** Plan of the account. Default: free. */
  readonly plan?: "free" | "algo_trader_plus";
}

/** Feeds that the plan of an account includes. */
export interface AlpacaFeeds {
  /** Feed of real-time quotes: IEX only, or all venues. */
  readonly quotes: "iex" | "sip";
  readonly options: "indicative" | "opra";
  /** Minimum age of data from all venues, ms. */
  readonly withheldMs: number;
}

export const feedsOf = ({ plan = "free" }: Pick<AlpacaSetup, "plan">): AlpacaFeeds =>
  plan === "free"
    ? { quotes: "iex", options: "indicative", withheldMs: WITHHELD_MS }
    : { quotes: "sip", options: "opra", withheldMs: 0 };

const Refusal = z.object({ message: z.string().regex(/invalid symbol/i) });

/**
 * Creates the client of the market data API, with the key in headers. A malformed symbol gives a 400; an unlisted one
 * is missing from the response.
 */
export const alpacaApi = ({ key, secret, ...setup }: AlpacaSetup): ApiGet =>
  createApi(setup, {
    baseUrl: "https://data.alpaca.markets",
    headers: { "APCA-API-KEY-ID": key, "APCA-API-SECRET-KEY": secret },
    accept: [400],
    refusal: (body, status) => (status === 400 && Refusal.safeParse(body).success ? "unknown_symbol" : null),
  });
