import type { Selectable } from "kysely";
import { z } from "zod";
import type { ConfirmTicket } from "../../domain/audit/audit-port.ts";
import { newestTicketFirst } from "../../domain/trading/newest-first.ts";
import { Intent } from "../../domain/trading/trading.ts";
import type { TicketRecord, TradeRepository } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import {
  compare,
  deleteRows,
  findRow,
  insertMissing,
  listRows,
  type MarketDb,
  updateRows,
} from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";
import { accountTransaction } from "../transactions.ts";
import { confirmTicket } from "./confirm-ticket.ts";
import { assertWaitingLimit } from "./waiting-bound.ts";

/** Tickets that are listed: the newest that wait for a person, and as many of the others. */
const MAX_OPEN_TICKETS = 100;
/** Retention of unused tickets after they expire. */
const RETENTION_MS = 24 * 60 * 60_000;
/** Maximum number of expired tickets that each new one deletes. */
const SWEEP_LIMIT = 20;
const StoredPreview = z.record(z.string(), z.unknown());

export interface TicketsOptions extends MarketDb {
  /** Confirms a ticket with an entry in the audit log. Default: without an entry. */
  readonly confirmAudited?: ConfirmTicket;
}

/** Creates the repository of one market's tickets. Tickets that became an order are never deleted. */
export function tickets({
  db,
  market,
  confirmAudited,
}: TicketsOptions): Pick<
  TradeRepository,
  "saveTicket" | "ticket" | "tickets" | "confirm" | "refuse" | "requestConfirmation" | "sentUnconfirmed"
> {
  const at = (account: string, id: string) => ({ account, market, id });
  const openIn = (account: string, when: string) => ({
    account,
    market,
    order_id: null,
    refused_at: null,
    expires_at: compare({ ">": when }),
  });
  const openAt = (account: string, id: string, when: string) => ({ ...openIn(account, when), id });
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
        requested_by: ticket.requested?.by ?? null,
        requested_at: ticket.requested?.at ?? null,
        refused_at: ticket.refusedAt ?? null,
      };
      const inserted = await accountTransaction(db, account, async (tx) => {
        const until = new Date(Date.parse(ticket.createdAt) - RETENTION_MS).toISOString();
        await deleteRows(
          tx,
          "trade_tickets",
          { order_id: null, expires_at: compare({ "<=": until }) },
          SWEEP_LIMIT,
        );
        return insertMissing(tx, "trade_tickets", [row]);
      });
      if (inserted !== 1) throw new ToolError("CONFLICT", `A ticket ${id} already exists`);
    },

    async ticket(account, id) {
      const row = await findRow(db, "trade_tickets", at(account, id));
      return row === undefined ? null : toTicket(row);
    },

    async tickets(account, when) {
      const newest = { order: ["created_at desc", "id"], limit: MAX_OPEN_TICKETS } as const;
      const open = openIn(account, when);
      const requested = { ...open, requested_at: compare<string | null>({ "!=": null }) };
      const rows = [
        ...(await listRows(db, "trade_tickets", requested, newest)),
        ...(await listRows(db, "trade_tickets", { ...open, requested_at: null }, newest)),
      ];
      return rows.map(toTicket).toSorted(newestTicketFirst);
    },

    async sentUnconfirmed(account, since) {
      const rows = await db
        .selectFrom("trade_tickets")
        .innerJoin("trade_orders", (join) =>
          join
            .onRef("trade_orders.account", "=", "trade_tickets.account")
            .onRef("trade_orders.market", "=", "trade_tickets.market")
            .onRef("trade_orders.id", "=", "trade_tickets.order_id"),
        )
        .selectAll("trade_tickets")
        .where("trade_tickets.account", "=", account)
        .where("trade_tickets.market", "=", market)
        .where("trade_tickets.confirmed_at", "is", null)
        .where("trade_orders.created_at", ">=", since)
        .where("trade_orders.state", "!=", "rejected")
        .execute();
      return rows.map(toTicket);
    },

    confirm: (account, id, when, about = {}) =>
      confirmAudited?.(account, { id, at: when }, about) ??
      confirmTicket(db, { ...at(account, id), at: when }),

    async refuse(account, id, when) {
      return (await updateRows(db, "trade_tickets", openAt(account, id, when), { refused_at: when })) === 1;
    },

    requestConfirmation: (account, id, { by, at: when, expiresAt, page }) =>
      accountTransaction(db, account, async (tx) => {
        const unconfirmed = { ...openIn(account, when), confirmed_at: null };
        const request = { requested_by: by, requested_at: when, expires_at: expiresAt };
        const fresh = { ...unconfirmed, id, requested_at: null };
        if ((await updateRows(tx, "trade_tickets", fresh, request)) === 0) return false;
        const requested = { requested_at: compare<string | null>({ "!=": null }), id: compare({ "!=": id }) };
        assertWaitingLimit(
          "orders",
          { by, page },
          await listRows(tx, "trade_tickets", { ...unconfirmed, ...requested }),
        );
        return true;
      }),
  };
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
  ...(row.requested_at !== null && { requested: { by: row.requested_by ?? "", at: row.requested_at } }),
  ...(row.refused_at !== null && { refusedAt: row.refused_at }),
});
