import { CustomAgent } from "../../domain/agents/automation.ts";
import type { CustomAgents } from "../../domain/agents/automation-port.ts";
import { countRows, deleteRows, insertRows, listRows, type MarketDb, updateRows } from "../queries.ts";
import { readRow } from "../row-schemas.ts";
import { accountTransaction } from "../transactions.ts";

export function customAgents({ db, market }: MarketDb): CustomAgents {
  return {
    save: (account, definition, { at, limit }) =>
      accountTransaction(db, account, async (tx) => {
        const key = { account, market, name: definition.name };
        const row = { definition: JSON.stringify(definition), changed_at: at };
        if ((await updateRows(tx, "custom_agents", key, row)) === 1) return { created: false };
        if ((await countRows(tx, "custom_agents", { account, market })) >= limit) return null;
        await insertRows(tx, "custom_agents", [{ ...key, saved_at: at, ...row }]);
        return { created: true };
      }),

    async list(account) {
      const rows = await listRows(db, "custom_agents", { account, market }, { order: ["saved_at", "name"] });
      return rows.flatMap(({ definition, saved_at, changed_at }) => {
        const read = readRow<CustomAgent>(CustomAgent as never, definition);
        return read === null ? [] : [{ definition: read, savedAt: saved_at, changedAt: changed_at }];
      });
    },

    remove: async (account, name) => (await deleteRows(db, "custom_agents", { account, market, name })) === 1,
  };
}
