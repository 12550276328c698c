import type { Kysely } from "kysely";
import { decimal } from "../../../src/lib/decimal.ts";
import type { Schema } from "../../../src/store/schema.ts";

/** An order as reported to a client. */
export interface ReportedOrder {
  readonly client_order_id: string;
  readonly state: string;
  readonly broker_status: string | null;
  readonly filled_quantity: string;
}

const ZERO = decimal(0);
const sum = (values: readonly string[]) => values.reduce((all, value) => all.plus(value), ZERO);
const rowsOf = <K extends keyof Schema & `${"trade" | "paper"}_${string}`>(db: Kysely<Schema>, table: K) =>
  db
    .selectFrom(table as "trade_orders")
    .selectAll()
    .execute() as unknown as Promise<readonly Schema[K][]>;

/** Groups rows by key. */
function by<T>(rows: readonly T[], keyOf: (row: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

/**
 * Faults of the trading tables on disk: tickets used twice, orders known to only one side, fills without bookings,
 * bookings that do not add up, and differences from acknowledged results. `settled`: nothing may be open.
 */
export async function ledgerFaults(
  db: Kysely<Schema>,
  reported: ReadonlyMap<string, ReportedOrder>,
  { settled = false }: { readonly settled?: boolean } = {},
): Promise<{ readonly faults: readonly string[]; readonly orders: number; readonly fills: number }> {
  const [tickets, orders, books, positions, papers, fills, rows] = await Promise.all([
    rowsOf(db, "trade_tickets"),
    rowsOf(db, "trade_orders"),
    rowsOf(db, "paper_books"),
    rowsOf(db, "paper_positions"),
    rowsOf(db, "paper_orders"),
    rowsOf(db, "paper_fills"),
    rowsOf(db, "paper_ledger"),
  ]);
  const faults: string[] = [];
  const ofOrder = by(orders, ({ client_order_id }) => client_order_id);
  const ofPaper = by(papers, ({ client_order_id }) => client_order_id);
  const fillsOf = by(fills, ({ client_order_id }) => client_order_id);
  for (const [id, all] of [...ofOrder, ...ofPaper]) if (all.length > 1) faults.push(`${id} is there twice`);

  const used = by(
    tickets.filter(({ order_id }) => order_id !== null),
    ({ order_id }) => order_id!,
  );
  for (const [id, all] of used) if (all.length > 1) faults.push(`${id} was made of two tickets`);
  for (const { id, ticket } of orders)
    if (used.get(id)?.[0]?.id !== ticket) faults.push(`${id} is not what its ticket says that it became`);
  for (const [id] of used)
    if (!orders.some((order) => order.id === id)) faults.push(`${id} is a ticket's and not there`);

  const open = orders.filter(({ state }) => state === "submitting" || state === "unknown");
  for (const [connection, all] of by(open, ({ connection }) => connection))
    if (all.length > 1 || settled) faults.push(`${all.length} open questions on ${connection}`);

  for (const { client_order_id: id, leg } of papers)
    if (leg === "entry" && !ofOrder.has(id)) faults.push(`the exchange has ${id}, and the book does not`);
  for (const { client_order_id: id, state, broker_status, filled_quantity } of orders) {
    const there = ofPaper.get(id)?.[0];
    const denied = state === "rejected" || broker_status === "rejected";
    if (denied && there !== undefined && there.status !== "rejected")
      faults.push(`the exchange has ${id}, and the book says ${state}`);
    if ((state === "accepted" || state === "reconciled") && !denied && there === undefined)
      faults.push(`the book says ${state} of ${id}, and the exchange does not have it`);
    if (there !== undefined && decimal(there.filled_quantity).lt(filled_quantity))
      faults.push(`the book has more of ${id} filled than the exchange`);
  }
  for (const { client_order_id: id, filled_quantity, filled_value } of papers) {
    const mine = fillsOf.get(id) ?? [];
    const value = mine.reduce((all, { quantity, price }) => all.plus(decimal(quantity).times(price)), ZERO);
    if (!sum(mine.map(({ quantity }) => quantity)).eq(filled_quantity) || !value.eq(filled_value))
      faults.push(`the fills of ${id} do not add up to it`);
  }

  const owner = ({ account, connection }: { account: string; connection: string }) =>
    `${account} ${connection}`;
  const [rowsBy, fillsBy, held] = [by(rows, owner), by(fills, owner), by(positions, owner)];
  for (const book of books) {
    const mine = rowsBy.get(owner(book)) ?? [];
    const bookings = by(mine, ({ booking }) => String(booking));
    for (const [booking, all] of bookings)
      if (!sum(all.map(({ amount }) => amount)).eq(0))
        faults.push(`booking ${booking} of ${owner(book)} does not add up to 0`);
    const made = fillsBy.get(owner(book)) ?? [];
    for (const { number } of made)
      if (!bookings.has(String(number))) faults.push(`fill ${number} of ${owner(book)} is not booked`);
    if (bookings.size !== book.fills + 1)
      faults.push(`${owner(book)} has ${bookings.size} bookings of ${book.fills + 1}`);
    const cash = sum(mine.filter(({ ledger }) => ledger === "cash").map(({ amount }) => amount));
    if (!cash.eq(book.cash)) faults.push(`${owner(book)} has ${book.cash}, and booked ${cash}`);
    for (const { symbol, quantity } of held.get(owner(book)) ?? []) {
      const units = sum(
        mine.flatMap((row) => (row.symbol === symbol && row.quantity !== null ? row.quantity : [])),
      );
      if (!units.eq(quantity)) faults.push(`${owner(book)} holds ${quantity} ${symbol}, and booked ${units}`);
    }
  }

  for (const [id, { state, broker_status, filled_quantity }] of reported) {
    const order = ofOrder.get(id)?.[0];
    if (order === undefined) faults.push(`${id} was acknowledged and is lost`);
    else if (state !== order.state && state !== "submitting" && state !== "unknown")
      faults.push(`${id} was reported as ${state} and is ${order.state}`);
    else if (
      decimal(order.filled_quantity).lt(filled_quantity) ||
      (broker_status === "filled" && order.broker_status !== "filled")
    )
      faults.push(`${id} was reported as ${broker_status} and is ${order.broker_status}`);
  }
  return { faults, orders: orders.length, fills: fills.length };
}
