import { createHash } from "node:crypto";
import { z } from "zod";
import type { CallOptions, Clock, Symbols } from "../../../domain/ports.ts";
import { ProviderFailure } from "../../../domain/providers/price-provider.ts";
import { minimumNotional } from "../../../domain/trading/minimum-notional.ts";
import type { AccountType, Intent } from "../../../domain/trading/trading.ts";
import type { Broker, BrokerOrder, Credentials, SubmitResult } from "../../../domain/trading/trading-port.ts";
import { ToolError } from "../../../kernel/errors.ts";
import { createBoundedCache } from "../../../lib/bounded-cache.ts";
import { createAllowance, createMeter, type Meter, OwnLimitReached } from "../../../market/failover/meter.ts";
import { type ClientSetup, createClient, isDuplicate, reasonOf } from "./client.ts";
import { type AlpacaOrderResult, canonicalSymbol, isSame, toAlpacaOrder, toBrokerOrders } from "./order.ts";
import { ordersSince } from "./orders.ts";
import { Account, Order, Positions } from "./wire.ts";

const HOSTS: Readonly<Record<AccountType, string>> = {
  paper: "https://paper-api.alpaca.markets",
  live: "https://api.alpaca.markets",
};

/** Call budgets per account, within the 200 calls a minute that Alpaca allows: one for all calls, one for reads. */
const TOTAL_BUDGET = { calls: 190, perMs: 60_000, atOnce: 10 } as const;
const READ_BUDGET = { calls: 160, perMs: 60_000, atOnce: 8 } as const;
const MAX_QUEUE_MS = 3_000;
/** Maximum number of accounts whose calls are counted. */
const MAX_METERED_ACCOUNTS = 1_000;

export interface AlpacaBrokerOptions {
  readonly fetch: typeof fetch;
  /** Replaces the base URLs of both live and paper trading, for example with a local replay server. */
  readonly baseUrl?: string | undefined;
  readonly symbols: Pick<Symbols, "find">;
  readonly clock: Clock;
  readonly timeouts?: ClientSetup["timeouts"];
}

type OpenBroker = (type: AccountType, credentials: Credentials) => Broker;

/**
 * Creates the broker for accounts at Alpaca. All connections to one account share one call budget. Fractional
 * trading is reported as unsupported, because Alpaca accepts neither stop loss nor take profit for fractional orders.
 * @see https://docs.alpaca.markets/reference/getaccount-1
 */
export function alpacaBroker({ fetch, baseUrl, symbols, clock, timeouts }: AlpacaBrokerOptions): OpenBroker {
  const meterCache = createBoundedCache<string, { readonly reads: Meter; readonly orders: Meter }>({
    name: "limits of broker accounts",
    max: MAX_METERED_ACCOUNTS,
  });
  const metersOf = (type: AccountType, { api_key }: Credentials) => {
    const key = createHash("sha256").update(`${type}|${api_key}`).digest("base64");
    const cached = meterCache.get(key);
    if (cached !== undefined) return cached;
    const all = createAllowance(TOTAL_BUDGET, clock);
    const meters = {
      reads: createMeter([createAllowance(READ_BUDGET, clock), all], { maxWaitMs: MAX_QUEUE_MS }),
      orders: createMeter([all], { maxWaitMs: MAX_QUEUE_MS }),
    };
    meterCache.set(key, meters);
    return meters;
  };
  const canonical = (symbol: string, kind: string) => canonicalSymbol(symbol, kind, symbols);

  return (type, credentials) => {
    const meters = metersOf(type, credentials);
    const client = createClient({
      fetch,
      baseUrl: baseUrl ?? HOSTS[type],
      credentials,
      meters,
      timeouts,
    });
    return {
      async account(options = {}) {
        const account = await client.read("/v2/account", Account, {}, options);
        if (account.currency !== "USD")
          throw new ToolError("REFUSED", "The account at Alpaca is not in US dollars");
        return {
          number: account.account_number,
          equity: account.equity,
          cash: account.cash,
          buyingPower: account.buying_power,
          shorting: account.shorting_enabled === true,
          fractional: false,
          equityBefore: account.last_equity ?? null,
          asOf: clock.now().toISOString(),
        };
      },
      async positions(options = {}) {
        const held = await client.read("/v2/positions", Positions, {}, options);
        return held
          .filter(({ qty }) => qty !== "0")
          .map(({ symbol, asset_class, qty, side, avg_entry_price }) => ({
            symbol: canonical(symbol, asset_class),
            quantity: side === "short" ? `-${qty.replace("-", "")}` : qty,
            averagePrice: avg_entry_price,
          }));
      },
      legsHold: true,
      minimumNotional: ({ asset_class }, intent) => minimumNotional(asset_class, intent),
      refusal(intent) {
        const order = orderOf("", intent, symbols);
        return "refused" in order ? order.refused : null;
      },
      submit: (order) => submit(order, { client, symbols, canonical }),
      async find(clientOrderId, options = {}) {
        const order = await client.byClientId(clientOrderId, Order, options);
        return order === null ? null : requireSameOrder(order, clientOrderId, canonical);
      },
      orders: ({ since, ...options }) => ordersSince(client, since, canonical, options),
      async cancel(id, options = {}) {
        if (z.guid().safeParse(id).success) await client.cancel(id, options);
      },
    };
  };
}

function orderOf(clientOrderId: string, intent: Intent, symbols: Pick<Symbols, "find">): AlpacaOrderResult {
  const instrument = symbols.find(intent.symbol)?.instrument;
  if (instrument?.symbol !== intent.symbol) return { refused: `The symbol ${intent.symbol} is unknown` };
  return toAlpacaOrder(clientOrderId, intent, instrument);
}

type Canonical = (symbol: string, kind: string) => string;

function requireSameOrder(order: Order, clientOrderId: string, canonical: Canonical): BrokerOrder {
  if (order.client_order_id === clientOrderId) return toBrokerOrders(order, canonical)[0]!;
  throw new ToolError("UPSTREAM_UNAVAILABLE", "Alpaca returned a different order than the one requested", {
    hint: "Retry in a minute.",
  });
}

/** Sends an order without retry. If Alpaca reports a duplicate id, returns the outcome of the existing order. */
async function submit(
  { clientOrderId, intent }: { readonly clientOrderId: string; readonly intent: Intent },
  at: {
    readonly client: ReturnType<typeof createClient>;
    readonly symbols: Pick<Symbols, "find">;
    readonly canonical: Canonical;
  },
  options: CallOptions = {},
): Promise<SubmitResult> {
  const { client, symbols, canonical } = at;
  const refused = (reason: string): SubmitResult => ({ outcome: "rejected", reason });
  const unsent = (reason: string): SubmitResult => ({ outcome: "unsent", reason });
  const unknown = (reason: string): SubmitResult => ({ outcome: "unknown", reason });
  const order = orderOf(clientOrderId, intent, symbols);
  if ("refused" in order) return unsent(order.refused);
  try {
    const { status, body } = await client.send(order.body);
    if (status === 200) {
      const accepted = Order.safeParse(body).data;
      if (accepted === undefined || !isSame(accepted, order.body))
        return unknown("Alpaca returned a response that does not match the order");
      return outcomeOf(toBrokerOrders(accepted, canonical)[0]!);
    }
    if (isDuplicate(body)) {
      const existing = await client.byClientId(clientOrderId, Order, options);
      if (existing === null)
        return unknown("Alpaca reports a duplicate order id but does not find the order");
      return isSame(existing, order.body)
        ? outcomeOf(toBrokerOrders(existing, canonical)[0]!)
        : refused("Another order already has this id");
    }
    const reason = reasonOf(body);
    if (reason !== null) return refused(reason);
    if (status === 403) return refused("Alpaca does not allow these credentials to trade");
    return unknown(`Alpaca responded with status ${status} without a reason`);
  } catch (cause) {
    if (cause instanceof OwnLimitReached)
      return unsent("Nothing was sent: this account has used all calls that Alpaca allows per minute");
    const kind = cause instanceof ProviderFailure ? cause.kind : null;
    if (kind === "auth") return refused("Alpaca does not allow these credentials to trade");
    return unknown(
      kind === "timeout"
        ? "Alpaca did not respond in time"
        : kind === "rate_limited"
          ? "Alpaca currently accepts no more calls from this account"
          : "The connection to Alpaca broke, or its response was unusable",
    );
  }
}

const outcomeOf = (order: BrokerOrder): SubmitResult =>
  order.status === "rejected"
    ? { outcome: "rejected", reason: order.reason ?? "Alpaca rejected the order" }
    : { outcome: "accepted", order };
