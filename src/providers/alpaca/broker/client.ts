import type { z } from "zod";
import { quoted } from "../../../domain/outside-text.ts";
import type { CallOptions } from "../../../domain/ports.ts";
import { ProviderFailure } from "../../../domain/providers/price-provider.ts";
import type { Credentials } from "../../../domain/trading/trading-port.ts";
import { ToolError } from "../../../kernel/errors.ts";
import { withTimeLimit } from "../../../lib/time-limit.ts";
import { type Meter, meteredFetch } from "../../../market/failover/meter.ts";
import { createHttpClient, type HttpRequest, type HttpResponse } from "../../shared/http-client.ts";
import { Refusal } from "./wire.ts";

const MAX_QUOTED_LENGTH = 160;

/** Reworded reasons by message pattern. Error codes are not used, because one code covers many reasons. */
const KNOWN_REFUSALS: readonly (readonly [RegExp, (refusal: Refusal) => string])[] = [
  [
    /insufficient (\w+ ){0,2}buying power|insufficient balance/i,
    ({ cost_basis, buying_power }) =>
      cost_basis === undefined || buying_power === undefined
        ? "The account has too little buying power for this order"
        : `The order needs ${cost_basis} USD of buying power and ${buying_power} USD is available`,
  ],
  [
    /insufficient .*qty available/i,
    ({ available }) =>
      available === undefined
        ? "The order exceeds the quantity available to sell"
        : `The quantity available to sell is ${available}; open orders may reserve the rest`,
  ],
  [/not fractionable/i, () => "Alpaca trades this symbol only in whole shares"],
  [
    /not allowed to short|cannot be sold short|not shortable|short sell/i,
    () => "Alpaca does not allow short sales of this symbol",
  ],
  [
    /wash trade/i,
    () => "The order could trade with an open order of this account on the other side (wash trade)",
  ],
  [
    /bracket orders must be entry orders/i,
    () => "An order that closes a position cannot have a stop loss or take profit at Alpaca",
  ],
  [/allowed for extended hours/i, () => "Outside regular hours Alpaca accepts only limit orders"],
  [/sub-?penny|minimum pric/i, () => "The price has too many decimal places"],
  [/minimal (order )?amount|cost basis must be/i, () => "The order is below Alpaca's minimum"],
  [/(asset|symbol).* not found|not find asset|invalid symbol/i, () => "Alpaca does not know the symbol"],
  [/order not found/i, () => "Alpaca does not know the order"],
  [/not (active|tradable)/i, () => "Alpaca does not currently trade this symbol"],
  [/pattern day trad/i, () => "The pattern day trading rule forbids this order"],
  [/crypto orders not allowed/i, () => "The account may not trade crypto"],
  [/time_in_force/i, () => "Alpaca does not support this time in force for this order"],
  [/must be unique/i, () => "Another order already has this id"],
  [/^(unauthorized|forbidden)\W*$/i, () => "Alpaca does not allow these credentials to trade"],
];

/** Returns the reason why an order was rejected: reworded if it is known, else quoted; null if Alpaca gives none. */
export function reasonOf(body: unknown): string | null {
  const refusal = Refusal.safeParse(body).data;
  if (refusal === undefined) return null;
  const known = KNOWN_REFUSALS.find(([words]) => words.test(refusal.message));
  return known === undefined
    ? `Alpaca rejected the order: ${quoted(refusal.message, MAX_QUOTED_LENGTH)}`
    : known[1](refusal);
}

/** Returns true if an order was rejected because its id already exists. */
export const isDuplicate = (body: unknown): boolean => {
  const refusal = Refusal.safeParse(body).data;
  return refusal?.code === 40010001 && /client_order_id must be unique/i.test(refusal.message);
};

/** Returns true if Alpaca itself reports an unknown order; a 404 from elsewhere does not count. */
const isNoOrder = (body: unknown): boolean => Refusal.safeParse(body).data?.code === 40410000;

const DEFAULT_TIMEOUTS = { readMs: 8_000, sendMs: 20_000 } as const;

export interface ClientSetup {
  readonly fetch: typeof fetch;
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly timeouts?: { readonly readMs: number; readonly sendMs: number } | undefined;
  /** Call budgets: one of reads, one of calls that send or change orders. */
  readonly meters: { readonly reads: Meter; readonly orders: Meter };
}

/** HTTP client of one account. Reads reject with REFUSED or UPSTREAM_UNAVAILABLE. */
export interface AlpacaClient {
  read<T>(path: string, shape: z.ZodType<T>, query: HttpRequest["query"], options: CallOptions): Promise<T>;
  /** Returns the order with our client id; null if Alpaca has no such order. */
  byClientId<T>(id: string, shape: z.ZodType<T>, options: CallOptions): Promise<T | null>;
  /** Sends an order once. Rejects with ProviderFailure if its outcome is unknown. */
  send(order: Readonly<Record<string, unknown>>): Promise<HttpResponse<unknown>>;
  cancel(id: string, options: CallOptions): Promise<void>;
}

/** HTTP statuses of rejections that may carry a reason. */
const REFUSALS = [400, 403, 404, 422];

/**
 * Creates the client of an account, with the key in headers. @throws ToolError "REFUSED" for a key that
 * cannot be a header
 */
export function createClient({
  fetch,
  baseUrl,
  credentials,
  meters,
  timeouts = DEFAULT_TIMEOUTS,
}: ClientSetup): AlpacaClient {
  const { api_key, api_secret } = credentials;
  // fetch quotes an invalid header in its error, which would expose the key
  if (![api_key, api_secret].every((text) => /^[!-~]+$/.test(text))) throw credentialsRefused();
  const headers = {
    accept: "application/json",
    "APCA-API-KEY-ID": api_key,
    "APCA-API-SECRET-KEY": api_secret,
    "user-agent": "market-signal",
  };
  const over = (meter: Meter) =>
    createHttpClient({ baseUrl, headers, fetch: meteredFetch(fetch, () => meter) });
  const [reads, orders] = [over(meters.reads), over(meters.orders)];

  async function withTimeout<T>(options: CallOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await withTimeLimit(timeouts.readMs, options.signal, work);
    } catch (cause) {
      if (cause instanceof ProviderFailure)
        throw cause.kind === "auth" ? credentialsRefused() : unavailable(cause);
      throw cause;
    }
  }
  const parsed = <T>(body: unknown, shape: z.ZodType<T>): T => {
    const read = shape.safeParse(body);
    if (!read.success) throw new ProviderFailure("malformed", "unexpected response");
    return read.data;
  };
  return {
    read: (path, shape, query = {}, options) =>
      withTimeout(options, async (signal) => parsed((await reads.json(path, { query, signal })).body, shape)),

    byClientId: (id, shape, options) =>
      withTimeout(options, async (signal) => {
        const query = { client_order_id: id };
        const { status, body } = await orders.json("/v2/orders:by_client_order_id", {
          query,
          signal,
          accept: [404],
        });
        if (status !== 404) return parsed(body, shape);
        if (!isNoOrder(body)) throw new ProviderFailure("malformed", "no such endpoint");
        return null;
      }),

    send: (order) =>
      withTimeLimit(timeouts.sendMs, undefined, (signal) =>
        orders.json("/v2/orders", { jsonBody: order, signal, accept: REFUSALS }),
      ),

    cancel: (id, options) =>
      withTimeout(options, async (signal) => {
        const path = `/v2/orders/${encodeURIComponent(id)}`;
        // an order that has ended or is unknown is not working; its outcome is read elsewhere
        await orders.text(path, { method: "DELETE", signal, accept: [204, 404, 422] });
      }),
  };
}

const credentialsRefused = (): ToolError =>
  new ToolError("REFUSED", "Alpaca does not accept these credentials", {
    hint: "Paper and live accounts have different keys. Call connect_broker with the key and secret of the right account.",
  });

const unavailable = (cause: ProviderFailure): ToolError =>
  new ToolError(
    "UPSTREAM_UNAVAILABLE",
    cause.kind === "rate_limited"
      ? "Alpaca currently accepts no more calls from this account"
      : "Alpaca did not return a usable response",
    { hint: "Retry in a minute.", cause },
  );
