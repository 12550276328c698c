import type { Kysely, Selectable } from "kysely";
import { z } from "zod";
import { Intent } from "../../domain/trading/trading.ts";
import type { TicketRecord, TradeRepository } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { findRow, insertMissing, type MarketDb } from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";

const MAX_OPEN_TICKETS = 100;
/** Retention of unused tickets after they expire. */
const RETENTION_MS = 24 * 60 * 60_000;
/** Expired tickets that each new one deletes at most. */
const SWEEP_LIMIT = 20;
const StoredPreview = z.record(z.string(), z.unknown());

/** Tickets of one market. Tickets that became an order are never deleted. */
export function tickets({
  db,
  market,
}: MarketDb): Pick<TradeRepository, "saveTicket" | "ticket" | "tickets" | "confirm"> {
  const at = (account: string, id: string) => ({ account, market, id });
  return {
    async saveTicket(account, { id, intent, shown, ...ticket }) {
      assertSameMarket(ticket.market, market);
      const row = {
        ...at(account, id),
        connection: ticket.connection,
        intent: JSON.stringify(intent),
        shown: JSON.stringify(shown),
        created_at: ticket.createdAt,
        expires_at: ticket.expiresAt,
        order_id: ticket.order,
        confirmed_at: ticket.confirmedAt,
      };
      const inserted = await db.transaction().execute(async (tx) => {
        await sweep(tx, ticket.createdAt);
        return insertMissing(tx, "trade_tickets", [row]);
      });
      if (inserted !== 1) throw new ToolError("CONFLICT", `A ticket ${id} already exists`);
    },

    async ticket(account, id) {
      const row = await findRow(db, "trade_tickets", at(account, id));
      return row === undefined ? null : toTicket(row);
    },

    async tickets(account, when) {
      const rows = await db
        .selectFrom("trade_tickets")
        .selectAll()
        .where((is) => is.and({ account, market }))
        .where("order_id", "is", null)
        .where("expires_at", ">", when)
        .orderBy("created_at", "desc")
        .orderBy("id")
        .limit(MAX_OPEN_TICKETS)
        .execute();
      return rows.map(toTicket);
    },

    async confirm(account, id, when) {
      const { numUpdatedRows } = await db
        .updateTable("trade_tickets")
        .set({ confirmed_at: when })
        .where((is) => is.and(at(account, id)))
        .where("order_id", "is", null)
        .where("confirmed_at", "is", null)
        .where("expires_at", ">", when)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
  };
}

/** Deletes some unused tickets whose retention has ended. */
async function sweep(tx: Kysely<Schema>, now: string): Promise<void> {
  const until = new Date(Date.parse(now) - RETENTION_MS).toISOString();
  await tx
    .deleteFrom("trade_tickets")
    .where((is) =>
      is(
        is.refTuple("account", "market", "id"),
        "in",
        is
          .selectFrom("trade_tickets")
          .select(["account", "market", "id"])
          .where("order_id", "is", null)
          .where("expires_at", "<=", until)
          .limit(SWEEP_LIMIT)
          .$asTuple("account", "market", "id"),
      ),
    )
    .execute();
}

/** Throws when a trade belongs to another market. */
export function assertSameMarket(actual: string, market: string): void {
  if (actual !== market) throw new Error(`A trade of the market ${actual} cannot be stored for ${market}`);
}

const toTicket = (row: Selectable<Schema["trade_tickets"]>): TicketRecord => ({
  id: row.id,
  connection: row.connection,
  market: row.market,
  intent: Intent.parse(JSON.parse(row.intent)),
  shown: readRow(StoredPreview, row.shown) ?? {},
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  order: row.order_id,
  confirmedAt: row.confirmed_at,
});
