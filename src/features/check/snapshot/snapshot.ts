import type { SnapshotInput } from "../../../domain/check/snapshot.ts";
import { type BrokerQuote, readAccount, readQuote, type SnapshotAccount } from "./account.ts";
import { type BrokerFields, createFieldReader, type FieldReader, UnreadableRow } from "./fields.ts";
import { type Holding, readHolding } from "./holdings.ts";
import { type Fill, readFill, readWorkingOrder, type WorkingOrder } from "./orders.ts";

/** A row that cannot be read. */
export interface Unreadable {
  readonly list: "positions" | "open_orders" | "recent_trades";
  /** From 1. */
  readonly row: number;
  /** Reason, without a full stop. Text of the row in it is quoted, and at most 20 characters long. */
  readonly why: string;
}

/** State of an account at a broker, as the caller sent it. null: not given. */
export interface Snapshot {
  readonly quote: BrokerQuote | null;
  readonly account: SnapshotAccount;
  readonly holdings: readonly Holding[] | null;
  readonly working: readonly WorkingOrder[] | null;
  readonly fills: readonly Fill[] | null;
  readonly unreadable: readonly Unreadable[];
}

/**
 * Reads the quote, the account and the rows of a broker by the names that brokers use. Rows of cash, finished orders and
 * orders without a fill are left out; every other row is read or named as unreadable.
 */
export function readSnapshot({
  quote,
  account,
  positions,
  open_orders,
  recent_trades,
}: SnapshotInput): Snapshot {
  const fieldsOf = createFieldReader();
  const holdings = readRows("positions", positions, fieldsOf, readHolding);
  const working = readRows("open_orders", open_orders, fieldsOf, readWorkingOrder);
  const fills = readRows("recent_trades", recent_trades, fieldsOf, readFill);
  return {
    quote: quote === undefined ? null : readQuote(fieldsOf(quote)),
    account: readAccount(fieldsOf(account)),
    holdings: holdings.rows,
    working: working.rows,
    fills: fills.rows,
    unreadable: [holdings, working, fills].flatMap(({ unreadable }) => unreadable),
  };
}

interface ReadRows<Row> {
  readonly rows: readonly Row[] | null;
  readonly unreadable: readonly Unreadable[];
}

/** Reads each row of a list; `read` returns null for a row that is left out, and throws UnreadableRow. */
function readRows<Row>(
  list: Unreadable["list"],
  sent: readonly unknown[] | undefined,
  fieldsOf: FieldReader,
  read: (fields: BrokerFields) => Row | null,
): ReadRows<Row> {
  const rows: Row[] = [];
  const unreadable: Unreadable[] = [];
  for (const [index, row] of (sent ?? []).entries())
    try {
      const found = read(fieldsOf(row));
      if (found !== null) rows.push(found);
    } catch (thrown) {
      if (!(thrown instanceof UnreadableRow)) throw thrown;
      unreadable.push({ list, row: index + 1, why: thrown.message });
    }
  return { rows: sent === undefined ? null : rows, unreadable };
}
