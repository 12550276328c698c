import type { Kysely, Selectable } from "kysely";
import type {
  LedgerRow,
  PaperOrder,
  PaperOwner,
  PaperPosition,
  PaperRepository,
} from "../../domain/trading/paper-repository-port.ts";
import { BrokerStatus, Intent, MAY_FILL, PaperFills, Side } from "../../domain/trading/trading.ts";
import { decimal } from "../../lib/decimal.ts";
import {
  compare,
  deleteRows,
  findRow,
  insertMissing,
  insertRows,
  listRows,
  type MarketDb,
  upsertRows,
} from "../queries.ts";
import type { Schema } from "../schema.ts";
import { accountTransaction } from "../transactions.ts";

export function paperRepository({ db, market }: MarketDb): PaperRepository {
  const at = ({ account, connection }: PaperOwner) => ({ account, connection, market });
  const ordersOf = (on: Kysely<Schema>, owner: PaperOwner) =>
    on
      .selectFrom("paper_orders")
      .selectAll()
      .where((is) => is.and(at(owner)));
  const read: PaperRepository["read"] = (owner) => {
    // all rows of one state, without waiting for transactions that write
    const reading = db.transaction().setAccessMode("read only");
    return reading.execute(async (tx) => {
      const exchange = await findRow(tx, "paper_books", at(owner));
      if (exchange === undefined) return null;
      const columns = ["symbol", "quantity", "cost", "average_price"] as const;
      const positions = await listRows(tx, "paper_positions", at(owner), { columns, order: ["symbol"] });
      const families = tx
        .selectFrom("paper_orders")
        .select("parent")
        .where((is) => is.and(at(owner)))
        .where("status", "in", MAY_FILL)
        .where("parent", "is not", null);
      const working = await ordersOf(tx, owner)
        .where((is) =>
          is.or([
            is("status", "in", MAY_FILL),
            is("client_order_id", "in", families),
            is("parent", "in", families),
          ]),
        )
        .orderBy("created_at")
        .orderBy("client_order_id")
        .execute();
      const closes = await listRows(tx, "paper_closes", at(owner), {
        columns: ["symbol", "day", "close"],
        order: ["symbol"],
      });
      const opening = await findRow(tx, "paper_ledger", { ...at(owner), booking: 0, row: 1 });
      const { version, cash, fills, opened_at: openedAt } = exchange;
      return {
        version,
        cash,
        fills,
        openedAt,
        openingCash: opening?.amount ?? cash,
        fillModel: PaperFills.parse(exchange.fill_model),
        positions: positions.map(toPosition),
        working: working.map(toOrder),
        closes,
      };
    });
  };
  return {
    read,
    open: (owner, cash, openedAt, fills = "market") =>
      accountTransaction(db, owner.account, async (tx) => {
        const row = { ...at(owner), version: 1, cash, fills: 0, opened_at: openedAt, fill_model: fills };
        if ((await insertMissing(tx, "paper_books", [row])) !== 1) return;
        const opening = { ...at(owner), booking: 0, symbol: null, quantity: null };
        await insertRows(tx, "paper_ledger", [
          { ...opening, row: 1, ledger: "cash", amount: cash },
          { ...opening, row: 2, ledger: "opening", amount: `-${cash}` },
        ]);
      }),
    async order(owner, by) {
      const key = "id" in by ? { id: by.id } : { client_order_id: by.clientOrderId };
      const found = await findRow(db, "paper_orders", { ...at(owner), ...key });
      return found === undefined ? null : toOrder(found);
    },
    async orders(owner, since) {
      const rows = await ordersOf(db, owner)
        .where((is) => is.or([is("updated_at", ">=", since), is("status", "in", MAY_FILL)]))
        .orderBy("created_at")
        .orderBy("client_order_id")
        .execute();
      return rows.map(toOrder);
    },
    async fills(owner, after = "") {
      const rows = await listRows(
        db,
        "paper_fills",
        { ...at(owner), at: compare({ ">": after }) },
        { order: ["number"] },
      );
      return rows.map(({ account: _, connection: __, market: ___, client_order_id, side, ...fill }) => ({
        ...fill,
        clientOrderId: client_order_id,
        side: Side.parse(side),
      }));
    },
    splits: (owner) =>
      listRows(db, "paper_splits", at(owner), {
        columns: ["number", "symbol", "ratio", "at"],
        order: ["number"],
      }),
    async ledger(owner) {
      const columns = ["booking", "ledger", "symbol", "amount", "quantity"] as const;
      const rows = await listRows(db, "paper_ledger", at(owner), { columns, order: ["booking", "row"] });
      return rows.map((row) => ({ ...row, ledger: row.ledger as LedgerRow["ledger"] }));
    },
    write: (owner, version, change) =>
      accountTransaction(db, owner.account, async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable("paper_books")
          .set((is) => ({
            version: version + 1,
            cash: change.cash,
            fills: is("fills", "+", change.fills.length + (change.splits?.length ?? 0)),
          }))
          .where((is) => is.and({ ...at(owner), version }))
          .executeTakeFirst();
        if (numUpdatedRows !== 1n) return false;
        await deleteRows(tx, "paper_positions", at(owner));
        const held = change.positions.filter(({ quantity }) => quantity !== "0");
        await insertRows(
          tx,
          "paper_positions",
          held.map(({ averagePrice, ...row }) => ({ ...at(owner), ...row, average_price: averagePrice })),
        );
        const orders = change.orders.map((order) => ({ ...at(owner), ...fromOrder(order) }));
        await upsertRows(tx, "paper_orders", ["account", "connection", "market", "client_order_id"], orders);
        const fills = change.fills.map(({ clientOrderId, ...fill }) => ({
          ...at(owner),
          ...fill,
          client_order_id: clientOrderId,
        }));
        await insertRows(tx, "paper_fills", fills);
        const entries = change.rows.map((entry, i) => ({ ...at(owner), ...entry, row: i + 1 }));
        await insertRows(tx, "paper_ledger", entries);
        const splits = (change.splits ?? []).map((split) => ({ ...at(owner), ...split }));
        await insertRows(tx, "paper_splits", splits);
        if (change.closes === undefined) return true;
        await deleteRows(tx, "paper_closes", at(owner));
        const closes = change.closes.map((close) => ({ ...at(owner), ...close }));
        await insertRows(tx, "paper_closes", closes);
        return true;
      }),
  };
}

/** Maps a stored row to a position. Without a stored average price, the average is computed from the cost. */
const toPosition = ({
  average_price,
  ...row
}: Pick<
  Selectable<Schema["paper_positions"]>,
  "symbol" | "quantity" | "cost" | "average_price"
>): PaperPosition => ({
  ...row,
  averagePrice: average_price ?? decimal(row.cost).div(row.quantity).toFixed(),
});

const fromOrder = (order: PaperOrder) => ({
  client_order_id: order.clientOrderId,
  id: order.id,
  leg: order.leg,
  parent: order.parent,
  intent: JSON.stringify(order.intent),
  status: order.status,
  filled_quantity: order.filledQuantity,
  filled_value: order.filledValue,
  fees: order.fees,
  reason: order.reason,
  triggered: order.triggered ? 1 : 0,
  matched_to: order.matchedTo,
  expires_at: order.expiresAt,
  created_at: order.createdAt,
  updated_at: order.updatedAt,
});

const toOrder = (row: Selectable<Schema["paper_orders"]>): PaperOrder => ({
  clientOrderId: row.client_order_id,
  id: row.id,
  leg: row.leg as PaperOrder["leg"],
  parent: row.parent,
  intent: Intent.parse(JSON.parse(row.intent)),
  status: BrokerStatus.parse(row.status),
  filledQuantity: row.filled_quantity,
  filledValue: row.filled_value,
  fees: row.fees,
  reason: row.reason,
  triggered: row.triggered === 1,
  matchedTo: row.matched_to,
  expiresAt: row.expires_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
