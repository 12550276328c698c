import type { z } from "zod";
import type { CallOptions } from "../../../domain/ports.ts";
import { ProviderFailure } from "../../../domain/providers/price-provider.ts";
import type { Credentials } from "../../../domain/trading/trading-port.ts";
import { ToolError } from "../../../kernel/errors.ts";
import { type Meter, meteredFetch } from "../../../market/failover/meter.ts";
import { createHttpClient, type HttpRequest, type HttpResponse } from "../../shared/http-client.ts";
import { isNoOrder } from "./refusals.ts";

/** Longest wait for what is read, and for what becomes of an order. */
const DEFAULT_TIMEOUTS = { readMs: 8_000, sendMs: 20_000 } as const;

export interface ClientSetup {
  readonly fetch: typeof fetch;
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly timeouts?: { readonly readMs: number; readonly sendMs: number } | undefined;
  /** Counts reads, and what an order's fate hangs on, which finds a place where reads find none. */
  readonly meters: { readonly reads: Meter; readonly orders: Meter };
}

/** An account over HTTP. Reads reject with REFUSED or UPSTREAM_UNAVAILABLE. */
export interface AlpacaClient {
  read<T>(path: string, shape: z.ZodType<T>, query: HttpRequest["query"], asked: CallOptions): Promise<T>;
  /** The order under that id of ours as it is told; null where it knows none. */
  byClientId<T>(id: string, shape: z.ZodType<T>, asked: CallOptions): Promise<T | null>;
  /** Sends an order, once. Rejects with ProviderFailure where nobody knows what became of it. */
  send(order: Readonly<Record<string, unknown>>): Promise<HttpResponse<unknown>>;
  cancel(id: string, asked: CallOptions): Promise<void>;
}

/** Statuses with which it says why it does not take an order. */
const REFUSALS = [400, 403, 404, 422];

/** Speaks to one account with its key in headers. Nothing is asked with a key that is no text of a header. */
export function createClient({
  fetch,
  baseUrl,
  credentials,
  meters,
  timeouts: waits = DEFAULT_TIMEOUTS,
}: ClientSetup): AlpacaClient {
  const { api_key, api_secret } = credentials;
  // a fetch repeats in its error what cannot stand in a header
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
  const within = (ms: number, { signal }: CallOptions): AbortSignal =>
    AbortSignal.any([AbortSignal.timeout(ms), ...(signal === undefined ? [] : [signal])]);

  async function reading<T>(asked: CallOptions, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await work(within(waits.readMs, asked));
    } catch (cause) {
      if (cause instanceof ProviderFailure)
        throw cause.kind === "auth" ? credentialsRefused() : unavailable(cause);
      throw cause;
    }
  }
  const shaped = <T>(body: unknown, shape: z.ZodType<T>): T => {
    const read = shape.safeParse(body);
    if (!read.success) throw new ProviderFailure("malformed", "another answer than documented");
    return read.data;
  };
  return {
    read: (path, shape, query = {}, asked) =>
      reading(asked, async (signal) => shaped((await reads.json(path, { query, signal })).body, shape)),

    byClientId: (id, shape, asked) =>
      reading(asked, async (signal) => {
        const query = { client_order_id: id };
        const { status, body } = await orders.json("/v2/orders:by_client_order_id", {
          query,
          signal,
          accept: [404],
        });
        if (status !== 404) return shaped(body, shape);
        if (!isNoOrder(body)) throw new ProviderFailure("malformed", "no such page");
        return null;
      }),

    send: (order) =>
      orders.json("/v2/orders", { jsonBody: order, signal: within(waits.sendMs, {}), accept: REFUSALS }),

    cancel: (id, asked) =>
      reading(asked, async (signal) => {
        const path = `/v2/orders/${encodeURIComponent(id)}`;
        // one that is over, or that it does not know, is not working: what became of it is read elsewhere
        await orders.text(path, { method: "DELETE", signal, accept: [204, 404, 422] });
      }),
  };
}

const credentialsRefused = (): ToolError =>
  new ToolError("REFUSED", "Alpaca does not accept these credentials", {
    hint: "Key and secret belong to one account, paper or live: connect_broker takes those of the right one.",
  });

const unavailable = (cause: ProviderFailure): ToolError =>
  new ToolError(
    "UPSTREAM_UNAVAILABLE",
    cause.kind === "rate_limited"
      ? "Alpaca takes no more calls of this account for now"
      : "Alpaca gives no answer that can be used",
    { hint: "Try again in a minute.", cause },
  );
