import type { Kysely } from "kysely";
import { z } from "zod";
import { ALERT_LIMITS } from "../../domain/alerts/alerts.ts";
import type { Watchlists } from "../../domain/alerts/alerts-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { readRow, SeenRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";

/** A list of symbols as a row has it. */
export const SymbolsRow = z.array(z.string());

/** Watchlists of one market in the store. */
export function watchlists({
  db,
  market,
}: {
  readonly db: Kysely<Schema>;
  readonly market: string;
}): Watchlists {
  const toList = (row: { readonly name: string; readonly symbols: string; readonly saved_at: string }) => ({
    name: row.name,
    symbols: readRow(SymbolsRow, row.symbols) ?? [],
    saved_at: row.saved_at,
  });
  return {
    save: (account, { name, symbols, saved_at }) =>
      db.transaction().execute(async (tx) => {
        const lists = await tx
          .selectFrom("watchlists")
          .select("name")
          .where((is) => is.and({ account, market }))
          .execute();
        const replaced = lists.some((list) => list.name === name);
        if (symbols.length === 0 || symbols.length > ALERT_LIMITS.symbols)
          await rejectIfWatched(tx, { account, market, name, empty: symbols.length === 0 });
        if (symbols.length === 0) {
          await tx
            .deleteFrom("watchlists")
            .where((is) => is.and({ account, market, name }))
            .execute();
          return { replaced };
        }
        if (!replaced && lists.length >= ALERT_LIMITS.watchlists)
          throw new ToolError("REFUSED", `An account keeps ${ALERT_LIMITS.watchlists} watchlists at most`, {
            hint: "save_watchlist with no symbols deletes one; list_watchlists shows them.",
          });
        if (replaced) await deleteRemovedSymbols(tx, { account, market, watchlist: name }, symbols);
        const row = { symbols: JSON.stringify(symbols), saved_at };
        await tx
          .insertInto("watchlists")
          .values({ account, market, name, ...row })
          .onConflict((conflict) => conflict.columns(["account", "market", "name"]).doUpdateSet(row))
          .execute();
        return { replaced };
      }),

    async find(account, name) {
      const row = await db
        .selectFrom("watchlists")
        .selectAll()
        .where((is) => is.and({ account, market, name }))
        .executeTakeFirst();
      return row === undefined ? null : toList(row);
    },

    async list(account) {
      const rows = await db
        .selectFrom("watchlists")
        .selectAll()
        .where((is) => is.and({ account, market }))
        .orderBy("name")
        .execute();
      return rows.map(toList);
    },
  };
}

/** A list that a subscription watches is neither deleted nor longer than it may watch. */
async function rejectIfWatched(
  tx: Kysely<Schema>,
  {
    empty,
    account,
    market,
    name,
  }: {
    readonly account: string;
    readonly market: string;
    readonly name: string;
    readonly empty: boolean;
  },
): Promise<void> {
  const watching = await tx
    .selectFrom("subscriptions")
    .select("id")
    .where((is) => is.and({ account, market, watchlist: name }))
    .executeTakeFirst();
  if (watching === undefined) return;
  throw new ToolError(
    "REFUSED",
    empty
      ? `The subscription ${watching.id} watches this list`
      : `The subscription ${watching.id} watches this list, which may then hold ${ALERT_LIMITS.symbols} symbols at most`,
    { hint: "cancel_subscription ends it; list_subscriptions shows which watch what." },
  );
}

/** Forgets what was seen of symbols that are not on the list any more: one that comes back is looked at as if for the first time. */
async function deleteRemovedSymbols(
  tx: Kysely<Schema>,
  of: { readonly account: string; readonly market: string; readonly watchlist: string },
  symbols: readonly string[],
): Promise<void> {
  const watching = await tx
    .selectFrom("subscriptions")
    .select(["id", "seen"])
    .where((is) => is.and(of))
    .execute();
  for (const { id, seen } of watching) {
    const all = Object.entries(readRow(SeenRow, seen) ?? {});
    const kept = all.filter(([symbol]) => symbols.includes(symbol));
    if (kept.length === all.length) continue;
    await tx
      .updateTable("subscriptions")
      .set({ seen: JSON.stringify(Object.fromEntries(kept)) })
      .where((is) => is.and({ ...of, id }))
      .execute();
  }
}
