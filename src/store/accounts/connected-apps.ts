import type { Kysely } from "kysely";
import {
  type AppLimits,
  type AppOrders,
  type AppRepository,
  DEFAULT_APP_LIMITS,
  EXTERNAL_APP_LIMITS,
} from "../../domain/accounts/connected-apps.ts";
import type { Amount } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";
import { type Decimal, decimal, maxDecimal, roundAwayFromZero, truncated } from "../../lib/decimal.ts";
import { countRows, insertRows, upsert } from "../queries.ts";
import type { Schema } from "../schema.ts";
import { accountTransaction } from "../transactions.ts";
import { hasIdentity } from "./identities.ts";

const DAY_MS = 86_400_000;
/** Period over which the notional of an app's live orders is summed. */
const MONEY_PERIOD_MS = DAY_MS;
const ORDERS_DAYS = 30;

/** Columns of an app's limits, all null for an app whose person set none. */
interface LimitsRow {
  readonly changed_at: string | null;
  readonly calls_daily: number | null;
  readonly live_usd_daily: Amount | null;
}

export const limitsOf = ({ changed_at, calls_daily, live_usd_daily }: LimitsRow): AppLimits =>
  changed_at === null ? DEFAULT_APP_LIMITS : { calls_daily, live_usd_daily };

/**
 * Creates the repository of the limits and orders of apps. `tokenIssuer`: external issuer of their tokens, whose identity
 * stands for a person's consent.
 */
export const appRepository = (db: Kysely<Schema>, tokenIssuer: string | null = null): AppRepository => ({
  limits: (account, client) => limitsIn(db, { account, client }, tokenIssuer),
  saveLimits: (account, client, limits, at) =>
    accountTransaction(db, account, async (tx) => {
      if ((await countRows(tx, "auth_clients", { clientId: client })) === 0) return false;
      await upsert(tx, "connected_apps", { account, client }, { ...limits, changed_at: at });
      return true;
    }),
  async orders(account, at) {
    const since = new Date(at.getTime() - ORDERS_DAYS * DAY_MS).toISOString();
    const rows = await db
      .selectFrom("app_orders")
      .select(({ fn }) => ["client", fn.countAll<number>().as("orders")])
      .where("account", "=", account)
      .where("created_at", ">=", since)
      .groupBy("client")
      .execute();
    const found = new Map<string, AppOrders>();
    for (const { client, orders } of rows) {
      const sent = await liveUsdSent(db, { account, client }, at);
      found.set(client, { orders_30_days: Number(orders), live_usd_24_hours: sent.toFixed() });
    }
    return found;
  },
});

/** Returns the limits of an app that the account has allowed; null if it is not connected. */
async function limitsIn(
  on: Kysely<Schema>,
  { account, client }: AppKey,
  tokenIssuer: string | null,
): Promise<AppLimits | null> {
  if (tokenIssuer !== null) return (await hasIdentity(on, account, tokenIssuer)) ? EXTERNAL_APP_LIMITS : null;
  const row = await on
    .selectFrom("auth_consents as consent")
    .innerJoin("auth_users as person", "person.id", "consent.userId")
    .leftJoin("connected_apps as app", (join) =>
      join.onRef("app.client", "=", "consent.clientId").onRef("app.account", "=", "person.account"),
    )
    .select(["app.changed_at", "calls_daily", "live_usd_daily"])
    .where("person.account", "=", account)
    .where("consent.clientId", "=", client)
    .executeTakeFirst();
  return row === undefined ? null : limitsOf(row);
}

interface AppKey {
  readonly account: string;
  readonly client: string;
}

/** Returns the notional of the live orders of an app within 24 hours that were not rejected, US dollars. */
async function liveUsdSent(on: Kysely<Schema>, { account, client }: AppKey, at: Date): Promise<Decimal> {
  const rows = await on
    .selectFrom("app_orders as sent")
    .innerJoin("trade_orders as order", (join) =>
      join
        .onRef("order.account", "=", "sent.account")
        .onRef("order.market", "=", "sent.market")
        .onRef("order.id", "=", "sent.order_id"),
    )
    .select("live_usd")
    .where("sent.account", "=", account)
    .where("sent.client", "=", client)
    .where("sent.created_at", ">", new Date(at.getTime() - MONEY_PERIOD_MS).toISOString())
    .where("live_usd", "is not", null)
    .where("order.state", "!=", "rejected")
    .execute();
  return rows.reduce((sum, { live_usd }) => sum.plus(live_usd ?? 0), decimal(0));
}

/** An order as it is begun. */
export interface BegunOrder extends AppKey {
  readonly market: string;
  readonly order_id: string;
  readonly created_at: string;
  /** Notional of a live order, US dollars; null for paper. */
  readonly live_usd: Amount | null;
}

/**
 * Counts the order of an app, in the transaction that stores the order. Throws UNAUTHENTICATED once the app is
 * disconnected, and REFUSED for a live order beyond its limit.
 */
export async function countAppOrder(
  tx: Kysely<Schema>,
  order: BegunOrder,
  tokenIssuer: string | null,
): Promise<void> {
  const limits = await limitsIn(tx, order, tokenIssuer);
  if (limits === null)
    throw new ToolError("UNAUTHENTICATED", "The app that sends this order was disconnected", {
      hint: "Connect the app again.",
    });
  const { live_usd: usd } = order;
  if (usd !== null && limits.live_usd_daily !== null) {
    const sent = await liveUsdSent(tx, order, new Date(order.created_at));
    if (sent.plus(usd).gt(limits.live_usd_daily)) throw limitError(limits.live_usd_daily, sent, usd);
  }
  await insertRows(tx, "app_orders", [order]);
}

function limitError(limit: Amount, sent: Decimal, usd: Amount): ToolError {
  const [before, after] = [sent, sent.plus(usd)].map((sum) => roundAwayFromZero(sum, 2));
  const what = decimal(limit).eq(0)
    ? "This app may send no live orders: its daily limit is 0 USD"
    : `The daily limit of this app is ${limit} USD of live orders: it sent ${before} USD within 24 hours, and with this order ${after} USD`;
  const wouldPass = maxDecimal(decimal(limit).minus(sent), decimal(0));
  return new ToolError("REFUSED", what, {
    hint: "A person of the account can raise the limit on the page /account; an app cannot.",
    command: "market-signal accounts apps <account> --app <app> --limit-usd <usd>",
    data: {
      checks: [
        {
          rule: "app_live_usd_daily",
          state: "failed",
          value: after,
          limit,
          would_pass: wouldPass.eq(0) ? null : truncated(wouldPass, 2),
        },
      ],
    },
  });
}
