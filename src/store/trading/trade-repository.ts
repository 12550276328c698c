import type { ExpressionBuilder, Kysely, Selectable } from "kysely";
import {
  BrokerStatus,
  Intent,
  MAY_FILL,
  mayFill,
  type Order,
  OrderState,
  UNRESOLVED_STATES,
} from "../../domain/trading/trading.ts";
import type { TradeRepository } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { decimal, maxDecimal, truncated } from "../../lib/decimal.ts";
import { countAppOrder } from "../accounts/connected-apps.ts";
import { compare, countRows, deleteRows, findRow, insertRows, updateRows, upsert } from "../queries.ts";
import type { Schema } from "../schema.ts";
import { accountTransaction } from "../transactions.ts";
import { assertSameMarket, type TicketsOptions, tickets } from "./tickets.ts";

/** Creates the repository of one market's tickets and orders. Those of another market are not found. */
export function tradeRepository({
  db,
  market,
  tokenIssuer = null,
  ...options
}: TicketsOptions & {
  /** External issuer of the tokens of apps. Default: this server issues them. */
  readonly tokenIssuer?: string | null;
}): TradeRepository {
  const at = (account: string, id: string) => ({ account, market, id });
  const orderIn = async (on: Kysely<Schema>, account: string, id: string): Promise<Order | null> => {
    const row = await findRow(on, "trade_orders", at(account, id));
    return row === undefined ? null : toOrder(row);
  };
  /** Returns the newest order of a connection. Orders without a number are older than all others. */
  const lastOf = (on: Kysely<Schema>, account: string, connection: string) =>
    findRow(
      on,
      "trade_orders",
      { account, market, connection },
      { columns: ["id", "number"], order: ["number desc", "created_at desc", "id desc"] },
    );
  return {
    ...tickets({ db, market, ...options }),

    async begin(account, order, { after, type, recent, app }) {
      assertSameMarket(order.market, market);
      return accountTransaction(db, account, async (tx) => {
        const ticket = {
          ...at(account, order.ticket_id),
          connection: order.connection_id,
          order_id: null,
          refused_at: null,
          expires_at: compare({ ">": order.created_at }),
        };
        if ((await updateRows(tx, "trade_tickets", ticket, { order_id: order.order_id })) !== 1) return false;
        const { order_id, ticket_id, connection_id, intent, ...rest } = order;
        if ((await countRows(tx, "connections", at(account, connection_id))) === 0)
          throw connectionRemovedError();
        const open = await findRow(
          tx,
          "trade_orders",
          { account, market, connection: connection_id, state: UNRESOLVED_STATES },
          { columns: ["id", "state"] },
        );
        if (open !== undefined) throw outcomeUnknownError(open);
        const last = await lastOf(tx, account, connection_id);
        if ((last?.id ?? null) !== after) throw concurrentOrderError(last?.id ?? null);
        if (recent !== undefined) {
          const since = { account, market, created_at: compare({ ">=": recent.since }) };
          if ((await countRows(tx, "trade_orders", since)) > recent.count)
            throw concurrentOrderError(last?.id ?? null);
        }
        if (type === "live" && (await isKillSwitchEngaged(tx, account))) throw killSwitchError();
        const [waiting] = type === "live" ? await unreconciledIn(tx, account, market) : [];
        if (waiting !== undefined) throw unreconciledError(waiting);
        if (app !== undefined && app.id !== null) {
          const sent = { account, client: app.id, market, order_id, created_at: order.created_at };
          await countAppOrder(tx, { ...sent, live_usd: type === "live" ? app.usd : null }, tokenIssuer);
        }
        const row = {
          ...rest,
          ...at(account, order_id),
          intent: JSON.stringify(intent),
          ticket: ticket_id,
          connection: connection_id,
          number: (last?.number ?? 0) + 1,
        };
        await insertRows(tx, "trade_orders", [row]);
        return true;
      });
    },

    unreconciled: (account) => unreconciledIn(db, account, market),

    async setReconciled(account, connection) {
      await deleteRows(db, "unreconciled_connections", { account, market, connection });
    },

    newest: async (account, connection) => (await lastOf(db, account, connection))?.id ?? null,

    change: (account, id, change) =>
      accountTransaction(db, account, async (tx) => {
        const { connection_id: _, client_order_id: __, market: ___, created_at: ____, ...set } = change;
        // a tentative outcome never replaces one that was read back from the broker in the meantime
        const isTentative =
          set.state === "unknown" ||
          set.state === "rejected" ||
          set.state === "accepted" ||
          (set.state === "reconciled" && set.broker_status === "rejected");
        const known = await orderIn(tx, account, id);
        if (known !== null && isOlder(set, known)) return known;
        const current = { ...at(account, id), ...(isTentative && { state: UNRESOLVED_STATES }) };
        await updateRows(tx, "trade_orders", current, set);
        return orderIn(tx, account, id);
      }),

    order: (account, id) => orderIn(db, account, id),

    async orders(account, { states, since, until, limit, working, connection }) {
      let query = db
        .selectFrom("trade_orders")
        .selectAll()
        .where((is) => is.and({ account, market }));
      if (states !== undefined) query = query.where("state", "in", states);
      if (since !== undefined) query = query.where("created_at", ">=", since);
      if (until !== undefined) query = query.where("created_at", "<=", until);
      if (connection !== undefined) query = query.where("connection", "=", connection);
      if (working) query = query.where(mayStillFill);
      const rows = await query.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).execute();
      return rows.map(toOrder);
    },

    async working(account, connection) {
      const all = db.selectFrom("trade_orders").where((is) => is.and({ account, market }));
      const { count } = await (connection === undefined ? all : all.where("connection", "=", connection))
        .where(mayStillFill)
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    recordEquity: (account, connection, { equity, day, stores = true }) =>
      accountTransaction(db, account, async (tx) => {
        const key = { account, market, connection };
        const row = await findRow(tx, "trade_equity", key);
        const peak = truncated(maxDecimal(decimal(equity), decimal(row?.peak ?? equity)));
        const before = row === undefined ? equity : row.day < day ? row.last : row.before;
        if (stores) await upsert(tx, "trade_equity", key, { peak, day, before, last: equity });
        return { peak, before };
      }),
  };
}

/** Matches orders that may still fill or whose outcome is unknown. */
const mayStillFill = (is: ExpressionBuilder<Schema, "trade_orders">) =>
  is.or([
    is("state", "in", UNRESOLVED_STATES),
    is.and([is("state", "!=", "rejected"), is("broker_status", "in", MAY_FILL)]),
  ]);

const outcomeUnknownError = ({ id, state }: { readonly id: string; readonly state: string }): ToolError =>
  state === "submitting"
    ? new ToolError("CONFLICT", `The order ${id} of this connection is being sent`, {
        hint: "Retry in a moment. If this persists, reconcile_orders reads the order back from the broker.",
        data: { order_id: id },
      })
    : new ToolError("CONFLICT", `The outcome of the order ${id} of this connection is unknown`, {
        hint: "Call reconcile_orders to read it back from the broker; no other order is sent until then.",
        data: { order_id: id },
      });

const connectionRemovedError = (): ToolError =>
  new ToolError("NOT_FOUND", "The connection of this ticket was removed", {
    hint: "list_connections lists the connections of this account; preview_trade creates a ticket for one.",
  });

const concurrentOrderError = (newest: string | null): ToolError =>
  new ToolError("CONFLICT", "Another order of this account was sent meanwhile", {
    hint: "Retry: the rules are checked again on the current account.",
    data: { newest },
  });

const isKillSwitchEngaged = async (on: Kysely<Schema>, account: string): Promise<boolean> =>
  ((await findRow(on, "kill_switches", { account }))?.engaged ?? 0) !== 0;

const killSwitchError = (): ToolError =>
  new ToolError("REFUSED", "Refused by kill_switch: engaged, limit released", {
    hint: "Live orders of this account are stopped until its kill switch is released.",
    data: {
      checks: [
        { rule: "kill_switch", state: "failed", value: "engaged", limit: "released", would_pass: null },
      ],
    },
  });

/** Returns the existing connections that were not reconciled since a restore. */
const unreconciledIn = (on: Kysely<Schema>, account: string, market: string) =>
  on
    .selectFrom("unreconciled_connections as waiting")
    .innerJoin("connections", (join) =>
      join
        .onRef("connections.account", "=", "waiting.account")
        .onRef("connections.market", "=", "waiting.market")
        .onRef("connections.id", "=", "waiting.connection"),
    )
    .select(["waiting.connection", "waiting.since"])
    .where("waiting.account", "=", account)
    .where("waiting.market", "=", market)
    .orderBy("waiting.connection")
    .execute();

const unreconciledError = ({
  connection,
  since,
}: {
  readonly connection: string;
  readonly since: string;
}): ToolError =>
  new ToolError(
    "REFUSED",
    `The server was restored from a backup of ${since}, and the orders of ${connection} were not reconciled since`,
    {
      hint: "Call reconcile_orders, which reads the orders of every live connection back from its broker; live orders are accepted after that.",
      data: { connection_id: connection },
    },
  );

const FINAL_STATUSES: readonly (string | null)[] = ["filled", "cancelled", "expired"];

/**
 * Returns true if a change is older than the stored order: it would reduce the filled quantity or reopen a final
 * status.
 */
const isOlder = ({ filled_quantity, broker_status }: Partial<Order>, stored: Order): boolean =>
  (filled_quantity !== undefined && decimal(filled_quantity).lt(stored.filled_quantity)) ||
  (broker_status != null && mayFill(broker_status) && FINAL_STATUSES.includes(stored.broker_status));

const toOrder = ({
  id,
  ticket,
  connection,
  account: _,
  number: __,
  ...row
}: Selectable<Schema["trade_orders"]>): Order => ({
  ...row,
  order_id: id,
  ticket_id: ticket,
  connection_id: connection,
  intent: Intent.parse(JSON.parse(row.intent)),
  state: OrderState.parse(row.state),
  broker_status: BrokerStatus.nullable().parse(row.broker_status),
});
