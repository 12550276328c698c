import type { Kysely, Selectable } from "kysely";
import { z } from "zod";
import { ALERT_LIMITS } from "../../domain/alerts/alerts.ts";
import type { Watchlists } from "../../domain/alerts/alerts-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { deleteRows, findRow, listRows, type MarketDb, updateRows, upsert } from "../queries.ts";
import { readRow, SeenRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";
import { accountTransaction } from "../transactions.ts";

/** Key by which subscriptions refer to a watchlist. */
interface WatchlistKey {
  readonly account: string;
  readonly market: string;
  readonly watchlist: string;
}

/** Stored JSON of symbols. */
export const SymbolsRow = z.array(z.string());

export function watchlists({ db, market }: MarketDb): Watchlists {
  return {
    save: (account, { name, symbols, saved_at }) =>
      accountTransaction(db, account, async (tx) => {
        const lists = await listRows(tx, "watchlists", { account, market }, { columns: ["name"] });
        const replaced = lists.some((list) => list.name === name);
        if (symbols.length === 0 || symbols.length > ALERT_LIMITS.symbols)
          await rejectIfWatched(tx, { account, market, watchlist: name }, symbols.length === 0);
        if (symbols.length === 0) {
          await deleteRows(tx, "watchlists", { account, market, name });
          return { replaced };
        }
        if (!replaced && lists.length >= ALERT_LIMITS.watchlists)
          throw new ToolError("REFUSED", `An account has at most ${ALERT_LIMITS.watchlists} watchlists`, {
            hint: "save_watchlist with no symbols deletes one; list_watchlists lists them.",
          });
        if (replaced) await deleteRemovedSymbols(tx, { account, market, watchlist: name }, symbols);
        const row = { symbols: JSON.stringify(symbols), saved_at };
        await upsert(tx, "watchlists", { account, market, name }, row);
        return { replaced };
      }),

    async find(account, name) {
      const row = await findRow(db, "watchlists", { account, market, name });
      return row === undefined ? null : toList(row);
    },

    async list(account) {
      const rows = await listRows(db, "watchlists", { account, market }, { order: ["name"] });
      return rows.map(toList);
    },
  };
}

const toList = ({ name, symbols, saved_at }: Selectable<Schema["watchlists"]>) => ({
  name,
  symbols: readRow(SymbolsRow, symbols) ?? [],
  saved_at,
});

/** Throws REFUSED when a subscription uses the watchlist. `empty`: the watchlist would be left without symbols. */
async function rejectIfWatched(tx: Kysely<Schema>, list: WatchlistKey, empty: boolean): Promise<void> {
  const watching = await findRow(tx, "subscriptions", list);
  if (watching === undefined) return;
  throw new ToolError(
    "REFUSED",
    empty
      ? `The subscription ${watching.id} uses this watchlist`
      : `The subscription ${watching.id} uses this watchlist, so it may have at most ${ALERT_LIMITS.symbols} symbols`,
    { hint: "cancel_subscription ends it; list_subscriptions lists all subscriptions." },
  );
}

/** Deletes the last seen state of symbols removed from a watchlist, so that a symbol added again is evaluated as new. */
async function deleteRemovedSymbols(
  tx: Kysely<Schema>,
  list: WatchlistKey,
  symbols: readonly string[],
): Promise<void> {
  const watching = await listRows(tx, "subscriptions", list, { columns: ["id", "seen"] });
  for (const { id, seen } of watching) {
    const all = Object.entries(readRow(SeenRow, seen) ?? {});
    const remaining = all.filter(([symbol]) => symbols.includes(symbol));
    if (remaining.length === all.length) continue;
    const states = JSON.stringify(Object.fromEntries(remaining));
    await updateRows(tx, "subscriptions", { ...list, id }, { seen: states });
  }
}
