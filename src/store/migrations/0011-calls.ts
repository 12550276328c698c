import { type Migration, sql } from "kysely";
import { createTableSql, owned, real, table, text, textOrNull } from "../table.ts";

/** Time of the recording, end, decision bar and outcome. */
const call = {
  symbol: text,
  asset_class: text,
  recorded_at: text,
  /** Close of the last bar that counts. */
  until: text,
  /** Close time and price of the last bar that had closed. */
  decided_at: text,
  close: real,
  /** `CallResult` as JSON; null: its bars have not arrived. */
  result: textOrNull,
  settled_at: textOrNull,
};

export const CALL_TABLES = {
  /** Checked orders, once per account, order and bar: levels and odds, nothing of the account. */
  checked_orders: table("PRIMARY KEY (id)", {
    /** Keyed hash of market, account, order and bar. */
    id: text,
    market: text,
    ...call,
    /** Plan and odds. */
    json: text,
  }),
  /** Claims; only a withdrawal and a result are added to them, each once. */
  claims: table("PRIMARY KEY (id)", {
    ...owned,
    id: text,
    /** Hash of author, terms and bar. */
    hash: text,
    ...call,
    withdrawn_at: textOrNull,
    /** Author, terms and base. */
    json: text,
  }),
  /** Published records of the odds of checked orders as JSON. */
  check_records: table("PRIMARY KEY (market)", { market: text, computed_at: text, json: text }),
};

export const calls: Migration = {
  async up(db) {
    for (const [name, columns] of Object.entries(CALL_TABLES))
      await sql.raw(createTableSql(name, columns)).execute(db);
    for (const name of ["checked_orders", "claims"])
      await sql.raw(`CREATE INDEX ${name}_due ON ${name} (market, settled_at, until)`).execute(db);
    await sql
      .raw("CREATE INDEX checked_orders_of_bar ON checked_orders (market, symbol, decided_at)")
      .execute(db);
    await sql.raw("CREATE UNIQUE INDEX claims_of_account ON claims (account, market, hash)").execute(db);
  },
};
