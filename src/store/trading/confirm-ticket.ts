import type { Kysely } from "kysely";
import type { TicketToConfirm } from "../../domain/audit/audit-port.ts";
import { compare, updateRows } from "../queries.ts";
import type { Schema } from "../schema.ts";

/** Confirms a ticket that is neither used, refused, confirmed nor expired at `at`; false if it is. */
export const confirmTicket = async (
  db: Kysely<Schema>,
  { account, market, id, at }: TicketToConfirm,
): Promise<boolean> => {
  const unconfirmed = {
    account,
    market,
    id,
    order_id: null,
    refused_at: null,
    confirmed_at: null,
    expires_at: compare({ ">": at }),
  };
  return (await updateRows(db, "trade_tickets", unconfirmed, { confirmed_at: at })) === 1;
};
