import type { Clock } from "../../domain/ports.ts";
import type { PushOutbox } from "../../domain/push-outbox-port.ts";
import { compare, deleteRows, insertMissing, listRows, type MarketDb, updateRows } from "../queries.ts";

/** Time after which another process may take a notification: longer than all attempts of one process. */
const LEASE_MS = 120_000;
const MAX_TAKEN = 3;
const PAGE = 100;

/** Creates the outbox of A2A notifications of one market. */
export function a2aOutbox({ db, market, clock }: MarketDb & { readonly clock: Clock }): PushOutbox {
  const now = () => clock.now().getTime();
  return {
    async add(push) {
      const created_at = clock.now().toISOString();
      const row = { ...push, market, next_at: now() + LEASE_MS, attempts: 1, created_at };
      await insertMissing(db, "a2a_pushes", [row]);
    },
    async remove(id) {
      await deleteRows(db, "a2a_pushes", { id });
    },
    async takeLeft() {
      await deleteRows(db, "a2a_pushes", { market, attempts: compare({ ">": MAX_TAKEN }) });
      const due = await listRows(
        db,
        "a2a_pushes",
        { market, next_at: compare({ "<=": now() }) },
        { order: ["created_at", "id"], limit: PAGE },
      );
      const taken = [];
      for (const { next_at, attempts, id, account, task, config, event } of due) {
        // only one of several processes that read the row changes it
        const changes = { next_at: now() + LEASE_MS, attempts: attempts + 1 };
        if ((await updateRows(db, "a2a_pushes", { id, next_at }, changes)) === 0) continue;
        taken.push({ id, account, task, config, event });
      }
      return taken;
    },
  };
}
