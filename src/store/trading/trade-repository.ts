import type { ExpressionBuilder, Kysely, Selectable } from "kysely";
import {
  BrokerStatus,
  Intent,
  MAY_FILL,
  mayFill,
  OPEN_QUESTIONS,
  type Order,
  OrderState,
} from "../../domain/trading/trading.ts";
import type { TradeRepository } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { decimal, maxDecimal, truncated } from "../../lib/decimal.ts";
import type { Schema } from "../schema.ts";
import { assertSameMarket, tickets } from "./tickets.ts";

/** Tickets and orders of one market in the store. Those of another market are not found here. */
export function tradeRepository({
  db,
  market,
}: {
  readonly db: Kysely<Schema>;
  readonly market: string;
}): TradeRepository {
  const at = (account: string, id: string) => ({ account, market, id });
  const orderIn = async (on: Kysely<Schema>, account: string, id: string): Promise<Order | null> => {
    const row = await on
      .selectFrom("trade_orders")
      .selectAll()
      .where((is) => is.and(at(account, id)))
      .executeTakeFirst();
    return row === undefined ? null : toOrder(row);
  };
  /** Of orders without a number, which are older than all others, the one made last. */
  const lastOf = (on: Kysely<Schema>, account: string, connection: string) =>
    on
      .selectFrom("trade_orders")
      .select(["id", "number"])
      .where((is) => is.and({ account, market, connection }))
      .orderBy("number", "desc")
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .executeTakeFirst();
  return {
    ...tickets({ db, market }),

    async begin(account, order, { after, type }) {
      assertSameMarket(order.market, market);
      return db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable("trade_tickets")
          .set({ order_id: order.order_id })
          .where((is) => is.and({ ...at(account, order.ticket_id), connection: order.connection_id }))
          .where("order_id", "is", null)
          .where("expires_at", ">", order.created_at)
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) return false;
        const { order_id, ticket_id, connection_id, intent, ...rest } = order;
        const connected = await tx
          .selectFrom("connections")
          .select("id")
          .where((is) => is.and({ account, market, id: connection_id }))
          .executeTakeFirst();
        if (connected === undefined) throw connectionRemovedError();
        const open = await tx
          .selectFrom("trade_orders")
          .select(["id", "state"])
          .where((is) => is.and({ account, market, connection: connection_id }))
          .where("state", "in", OPEN_QUESTIONS)
          .executeTakeFirst();
        if (open !== undefined) throw outcomeUnknownError(open);
        const last = await lastOf(tx, account, connection_id);
        if ((last?.id ?? null) !== after) throw concurrentOrderError(last?.id ?? null);
        if (type === "live" && (await isKillSwitchEngaged(tx, account))) throw killSwitchError();
        await tx
          .insertInto("trade_orders")
          .values({
            ...rest,
            account,
            market,
            intent: JSON.stringify(intent),
            id: order_id,
            ticket: ticket_id,
            connection: connection_id,
            number: (last?.number ?? 0) + 1,
          })
          .execute();
        return true;
      });
    },

    newest: async (account, connection) => (await lastOf(db, account, connection))?.id ?? null,

    change: (account, id, change) =>
      db.transaction().execute(async (tx) => {
        const { connection_id: _, client_order_id: __, market: ___, created_at: ____, ...set } = change;
        const order = tx
          .updateTable("trade_orders")
          .set(set)
          .where((is) => is.and(at(account, id)));
        // what was read back meanwhile is known, whatever came of asking before, or of finding nothing
        const doubtful =
          set.state === "unknown" ||
          set.state === "rejected" ||
          set.state === "accepted" ||
          (set.state === "reconciled" && set.broker_status === "rejected");
        const known = await orderIn(tx, account, id);
        if (known !== null && isOlder(set, known)) return known;
        await (doubtful ? order.where("state", "in", OPEN_QUESTIONS) : order).execute();
        return orderIn(tx, account, id);
      }),

    order: (account, id) => orderIn(db, account, id),

    async orders(account, { states, since, limit, working, connection }) {
      let asked = db
        .selectFrom("trade_orders")
        .selectAll()
        .where((is) => is.and({ account, market }));
      if (states !== undefined) asked = asked.where("state", "in", states);
      if (since !== undefined) asked = asked.where("created_at", ">=", since);
      if (connection !== undefined) asked = asked.where("connection", "=", connection);
      if (working) asked = asked.where(mayStillFill);
      const rows = await asked.orderBy("created_at", "desc").orderBy("id", "desc").limit(limit).execute();
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

    recordEquity: (account, connection, { equity, day }) =>
      db.transaction().execute(async (tx) => {
        const where = { account, market, connection };
        const row = await tx
          .selectFrom("trade_equity")
          .selectAll()
          .where((is) => is.and(where))
          .executeTakeFirst();
        const peak = truncated(maxDecimal(decimal(equity), decimal(row?.peak ?? equity)));
        const before = row === undefined ? equity : row.day < day ? row.last : row.before;
        const set = { peak, day, before, last: equity };
        await tx
          .insertInto("trade_equity")
          .values({ ...where, ...set })
          .onConflict((conflict) => conflict.columns(["account", "market", "connection"]).doUpdateSet(set))
          .execute();
        return { peak, before };
      }),
  };
}

/** May still be filled, or nobody knows. */
const mayStillFill = (is: ExpressionBuilder<Schema, "trade_orders">) =>
  is.or([
    is("state", "in", OPEN_QUESTIONS),
    is.and([is("state", "!=", "rejected"), is("broker_status", "in", MAY_FILL)]),
  ]);

const outcomeUnknownError = ({ id, state }: { readonly id: string; readonly state: string }): ToolError =>
  state === "submitting"
    ? new ToolError("CONFLICT", `The order ${id} of this connection is being sent`, {
        hint: "Try again in a moment; if it stays so, reconcile_orders reads that order back from the broker.",
        data: { order_id: id },
      })
    : new ToolError("CONFLICT", `Nobody knows yet what became of the order ${id} of this connection`, {
        hint: "reconcile_orders reads it back from the broker; nothing else is sent until then.",
        data: { order_id: id },
      });

const connectionRemovedError = (): ToolError =>
  new ToolError("NOT_FOUND", "The connection of this ticket was removed", {
    hint: "list_connections shows those of this account; preview_trade makes a ticket for one of them.",
  });

const concurrentOrderError = (newest: string | null): ToolError =>
  new ToolError("CONFLICT", "Another order of this connection was sent meanwhile", {
    hint: "Try again: the rules look at the account as it is then.",
    data: { newest },
  });

const isKillSwitchEngaged = async (on: Kysely<Schema>, account: string): Promise<boolean> => {
  const row = await on
    .selectFrom("kill_switches")
    .select("engaged")
    .where("account", "=", account)
    .executeTakeFirst();
  return row !== undefined && row.engaged !== 0;
};

const killSwitchError = (): ToolError =>
  new ToolError("REFUSED", "Refused by kill_switch: engaged against released", {
    hint: "Live orders of this account are stopped until its kill switch is released.",
    data: {
      checks: [{ rule: "kill_switch", passed: false, value: "engaged", limit: "released", would_pass: null }],
    },
  });

const FINAL_STATUSES: readonly (string | null)[] = ["filled", "cancelled", "expired"];

/** Whether what is told was true before what is known: units that are filled stay so, and so does an end. */
const isOlder = (told: Partial<Order>, known: Order): boolean =>
  (told.filled_quantity !== undefined && decimal(told.filled_quantity).lt(known.filled_quantity)) ||
  (told.broker_status != null && mayFill(told.broker_status) && FINAL_STATUSES.includes(known.broker_status));

const toOrder = (row: Selectable<Schema["trade_orders"]>): Order => ({
  order_id: row.id,
  ticket_id: row.ticket,
  connection_id: row.connection,
  client_order_id: row.client_order_id,
  intent: Intent.parse(JSON.parse(row.intent)),
  state: OrderState.parse(row.state),
  broker_status: BrokerStatus.nullable().parse(row.broker_status),
  filled_quantity: row.filled_quantity,
  average_price: row.average_price,
  fees: row.fees,
  reason: row.reason,
  market: row.market,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
