import type { Watchlist } from "../../domain/alerts/alerts.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Returns the account's watchlist with this name. Rejects with NOT_FOUND, which names the lists that exist. */
export async function requireWatchlist(
  account: string,
  name: string,
  { watchlists }: Pick<Ports, "watchlists">,
): Promise<Watchlist> {
  const found = await watchlists.find(account, name);
  if (found !== null) return found;
  const names = (await watchlists.list(account)).map((list) => list.name);
  const known =
    names.length === 0 ? "This account has none" : `Watchlists of this account: ${names.join(", ")}`;
  throw new ToolError("NOT_FOUND", `There is no watchlist "${name}"`, {
    hint: `${known}; save_watchlist creates one.`,
    data: { watchlists: names },
  });
}

/**
 * Returns the given symbols and those of a watchlist, at most `max`, with a note on those left out. Rejects with
 * INVALID_INPUT if neither is given.
 */
export async function givenSymbols(
  account: string,
  {
    symbols,
    watchlist,
  }: { readonly symbols?: readonly string[] | undefined; readonly watchlist?: string | undefined },
  { max, watchlists }: Pick<Ports, "watchlists"> & { readonly max: number },
): Promise<{ readonly symbols: readonly string[]; readonly notes: readonly string[] }> {
  if (symbols === undefined && watchlist === undefined)
    throw new ToolError("INVALID_INPUT", "Pass symbols or watchlist", {
      hint: "list_watchlists shows the watchlists of this account; save_watchlist creates one.",
      data: { errors: [{ pointer: "/symbols", detail: "is required without watchlist" }] },
    });
  const listed =
    watchlist === undefined ? [] : (await requireWatchlist(account, watchlist, { watchlists })).symbols;
  const given = symbols ?? [];
  const all = [...given, ...listed.filter((symbol) => !given.includes(symbol))];
  const omitted = all.slice(max);
  return {
    symbols: all.slice(0, max),
    notes:
      omitted.length === 0
        ? []
        : [`Only the first ${max} symbols were read. Not read: ${omitted.join(", ")}. Pass them as symbols.`],
  };
}
