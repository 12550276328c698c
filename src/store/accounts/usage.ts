import { type Kysely, sql } from "kysely";
import { appOf } from "../../domain/accounts/access.ts";
import type { UsageCount, UsageRepository, UsageSum } from "../../domain/accounts/usage-port.ts";
import { groupBy } from "../../lib/group-by.ts";
import { compare, deleteRows } from "../queries.ts";
import type { Schema } from "../schema.ts";
import { recordTransaction } from "../transactions.ts";

/** Maximum number of counts or keys per statement, because SQLite limits the number of values in one. */
const BATCH_SIZE = 200;
/** Key column of a call without a key. */
const NO_KEY = "";

/** Opens the counts of calls in the database. */
export const usageRepository = (db: Kysely<Schema>): UsageRepository => ({
  add: (counts, lastUses) =>
    recordTransaction(db, async (tx) => {
      for (let i = 0; i < counts.length; i += BATCH_SIZE)
        await tx
          .insertInto("usage_days")
          .values(counts.slice(i, i + BATCH_SIZE).map(toRow))
          .onConflict((conflict) =>
            conflict.columns(["account", "day", "key", "tool"]).doUpdateSet((is) => ({
              calls: is("usage_days.calls", "+", is.ref("excluded.calls")),
              failed: is("usage_days.failed", "+", is.ref("excluded.failed")),
              characters: is("usage_days.characters", "+", is.ref("excluded.characters")),
            })),
          )
          .execute();
      await saveAppUses(tx, counts);
      // uses are counted by hour, so that most have the same time
      for (const [at, uses] of groupBy([...lastUses], ([, at]) => at))
        for (let i = 0; i < uses.length; i += BATCH_SIZE)
          await tx
            .updateTable("keys")
            .set({ last_used_at: at })
            .where(
              "id",
              "in",
              uses.slice(i, i + BATCH_SIZE).map(([id]) => id),
            )
            // another process may have stored a later use
            .where((is) => is.or([is("last_used_at", "is", null), is("last_used_at", "<", at)]))
            .execute();
    }),

  async read({ account, tool, key, since, by }) {
    const label = sql<string | null>`max(keys.name || ' ...' || keys.last4)`;
    const rows = await db
      .selectFrom("usage_days")
      .leftJoin("keys", "keys.id", "usage_days.key")
      .where("usage_days.account", "=", account)
      .where("usage_days.day", ">=", since)
      .$if(tool !== undefined, (query) => query.where("usage_days.tool", "=", tool!))
      .$if(key !== undefined, (query) => query.where("usage_days.key", "=", key!))
      .groupBy(`usage_days.${by}`)
      .select(({ fn }) => [
        `usage_days.${by} as name`,
        label.as("label"),
        fn.sum<number>("usage_days.calls").as("calls"),
        fn.sum<number>("usage_days.failed").as("failed"),
        fn.sum<number>("usage_days.characters").as("characters"),
      ])
      .$if(by !== "day", (query) => query.orderBy("calls", "desc"))
      .orderBy("name", by === "day" ? "desc" : "asc")
      .execute();
    return rows.map(
      ({ name, ...sum }): UsageSum => ({
        name: name === NO_KEY ? null : name,
        label: by === "key" ? sum.label : null,
        calls: Number(sum.calls),
        failed: Number(sum.failed),
        characters: Number(sum.characters),
      }),
    );
  },

  async accounts() {
    const rows = await db.selectFrom("accounts").select("id").orderBy("id").execute();
    return rows.map(({ id }) => id);
  },

  async deleteBefore(day) {
    await deleteRows(db, "usage_days", { day: compare({ "<": day }) });
  },
});

/** Stores when each app was used last. */
async function saveAppUses(tx: Kysely<Schema>, counts: readonly UsageCount[]): Promise<void> {
  const uses = new Map<string, { readonly account: string; readonly client: string; readonly at: string }>();
  for (const { account, key, last_at: at } of counts) {
    const client = appOf(key);
    const id = `${account} ${client}`;
    if (client !== null && at > (uses.get(id)?.at ?? "")) uses.set(id, { account, client, at });
  }
  for (const { account, client, at } of uses.values())
    await tx
      .updateTable("connected_apps")
      .set({ last_used_at: at })
      .where("account", "=", account)
      .where("client", "=", client)
      // another process may have stored a later use
      .where((is) => is.or([is("last_used_at", "is", null), is("last_used_at", "<", at)]))
      .execute();
}

const toRow = ({ key, last_at: _, ...count }: UsageCount) => ({ ...count, key: key ?? NO_KEY });
