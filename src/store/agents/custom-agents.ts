import type { Kysely } from "kysely";
import { CustomAgent } from "../../domain/agents/automation.ts";
import type { CustomAgents } from "../../domain/agents/automation-port.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";

/** Custom agents of one market. */
export function customAgents({
  db,
  market,
}: {
  readonly db: Kysely<Schema>;
  readonly market: string;
}): CustomAgents {
  return {
    save: (account, definition, { at, limit }) =>
      db.transaction().execute(async (tx) => {
        const mine = { account, market };
        const { name } = definition;
        const row = { definition: JSON.stringify(definition), changed_at: at };
        const { numUpdatedRows } = await tx
          .updateTable("custom_agents")
          .set(row)
          .where((is) => is.and({ ...mine, name }))
          .executeTakeFirst();
        if (numUpdatedRows === 1n) return { created: false };
        const { count } = await tx
          .selectFrom("custom_agents")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .where((is) => is.and(mine))
          .executeTakeFirstOrThrow();
        if (Number(count) >= limit) return null;
        await tx
          .insertInto("custom_agents")
          .values({ ...mine, name, saved_at: at, ...row })
          .execute();
        return { created: true };
      }),

    async list(account) {
      const rows = await db
        .selectFrom("custom_agents")
        .selectAll()
        .where((is) => is.and({ account, market }))
        .orderBy("saved_at")
        .orderBy("name")
        .execute();
      return rows.flatMap(({ definition, saved_at, changed_at }) => {
        const read = readRow<CustomAgent>(CustomAgent as never, definition);
        return read === null ? [] : [{ definition: read, savedAt: saved_at, changedAt: changed_at }];
      });
    },

    async remove(account, name) {
      const { numDeletedRows } = await db
        .deleteFrom("custom_agents")
        .where((is) => is.and({ account, market, name }))
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
  };
}
