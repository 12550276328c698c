import { z } from "zod";
import { type ApiGet, createApi } from "../shared/api.ts";
import type { ProviderSetup } from "../shared/http-client.ts";

/** Age that data of all venues must have without a subscription: 15 minutes and one to spare. */
export const WITHHELD_MS = 16 * 60_000;

export interface AlpacaSetup extends ProviderSetup {
  readonly key: string;
  readonly secret: string;
  /** Epoch ms; accounts without a subscription may not request the newest data. */
  readonly now: () => number;
}

const Refusal = z.object({ message: z.string().regex(/invalid symbol/i) });

/**
 * The market data API, with the key in headers. An unreadable symbol is a 400; an unlisted one is left out of
 * responses.
 */
export const alpacaApi = ({ key, secret, ...setup }: AlpacaSetup): ApiGet =>
  createApi(setup, {
    baseUrl: "https://data.alpaca.markets",
    headers: { "APCA-API-KEY-ID": key, "APCA-API-SECRET-KEY": secret },
    accept: [400],
    refusal: (body, status) => (status === 400 && Refusal.safeParse(body).success ? "unknown_symbol" : null),
  });
