import type { Selectable } from "kysely";
import type { ConfirmationProposal } from "../../domain/trading/confirmation.ts";
import type { ConfirmationRequest, ConfirmationRequests } from "../../domain/trading/confirmations-port.ts";
import { compare, deleteRows, findRow, insertRows, listRows, type MarketDb, updateRows } from "../queries.ts";
import type { Schema } from "../schema.ts";
import { accountTransaction } from "../transactions.ts";
import { assertWaitingLimit } from "./waiting-bound.ts";

/** Retention of requests after they have expired. */
const RETENTION_MS = 24 * 3_600_000;

/** Creates the repository of one market's requests for confirmation. */
export function confirmationRequests({ db, market }: MarketDb): ConfirmationRequests {
  const at = (account: string, id: string) => ({ account, market, id });
  return {
    add: (account, { id, proposal, requestedBy, requestedAt, expiresAt }, { outdated, page }) =>
      accountTransaction(db, account, async (tx) => {
        const until = new Date(Date.parse(requestedAt) - RETENTION_MS).toISOString();
        await deleteRows(tx, "confirmation_requests", {
          account,
          market,
          expires_at: compare({ "<=": until }),
        });
        for (const old of outdated)
          await deleteRows(tx, "confirmation_requests", { ...at(account, old), decision: null });
        const waiting = { account, market, decision: null, expires_at: compare({ ">": requestedAt }) };
        const rows = await listRows(tx, "confirmation_requests", waiting);
        assertWaitingLimit("requests", { by: requestedBy, page }, rows);
        await insertRows(tx, "confirmation_requests", [
          {
            ...at(account, id),
            proposal: JSON.stringify(proposal),
            requested_by: requestedBy,
            requested_at: requestedAt,
            expires_at: expiresAt,
            decision: null,
            decided_by: null,
            decided_at: null,
            connection: null,
          },
        ]);
      }),

    async find(account, id) {
      const row = await findRow(db, "confirmation_requests", at(account, id));
      return row === undefined ? null : toRequest(row);
    },

    async list(account) {
      const order = ["requested_at desc", "id"] as const;
      return (await listRows(db, "confirmation_requests", { account, market }, { order })).map(toRequest);
    },

    async decide(account, id, { decision, decidedBy, decidedAt }) {
      const waiting = { ...at(account, id), decision: null, expires_at: compare({ ">": decidedAt! }) };
      const decided = { decision, decided_by: decidedBy, decided_at: decidedAt };
      return (await updateRows(db, "confirmation_requests", waiting, decided)) === 1;
    },

    async reopen(account, id) {
      const open = { decision: null, decided_by: null, decided_at: null, connection: null };
      await updateRows(db, "confirmation_requests", at(account, id), open);
    },

    async saveConnection(account, id, connection) {
      await updateRows(db, "confirmation_requests", at(account, id), { connection });
    },
  };
}

const toRequest = (row: Selectable<Schema["confirmation_requests"]>): ConfirmationRequest => ({
  id: row.id,
  proposal: JSON.parse(row.proposal) as ConfirmationProposal,
  requestedBy: row.requested_by,
  requestedAt: row.requested_at,
  expiresAt: row.expires_at,
  decision: row.decision as ConfirmationRequest["decision"],
  decidedBy: row.decided_by,
  decidedAt: row.decided_at,
  connection: row.connection,
});
