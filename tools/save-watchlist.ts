import { z } from "zod";
import { ALERT_LIMITS, Watchlist, WatchlistName } from "../src/domain/alerts/alerts.ts";
import { Alternatives, MarketMode, named, Succeeded, SymbolText } from "../src/domain/answers.ts";
import { resolveSymbols } from "../src/features/alerts/symbols.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Saves symbols as a named list and replaces the previous list; an empty list deletes it. */
export const saveWatchlist = defineTool({
  name: "save_watchlist",
  title: "Save watchlist",
  description:
    "Saves a named watchlist of up to 100 symbols: makes a new list, replaces the one of that name, or deletes it when symbols is empty. Use it to create, edit, add to, remove from or delete a watchlist or list of tickers or coins. list_watchlists shows what is saved, create_subscription sets an alert on one, what_changed returns what moved.",
  topics: [
    "create a watchlist",
    "add to watchlist",
    "remove from watchlist",
    "edit watchlist",
    "delete watchlist",
  ],
  toolset: "agents",
  plan: "pro",
  effect: "write",
  destructive: true,
  route: "POST /api/v1/watchlists/:name",
  cli: { command: "watchlist", positionals: ["name", "symbols"] },
  needs: ["symbols", "watchlists", "clock", "market"],
  input: z.object({
    name: WatchlistName,
    symbols: z
      .array(SymbolText)
      .max(ALERT_LIMITS.listed)
      .describe("Complete list, at most 100 tickers or pairs; an empty list deletes it"),
  }),
  output: z.object({
    ...Succeeded,
    watchlist: Watchlist,
    count: z.number().int().describe("Number of symbols on the list"),
    replaced: z.boolean().describe("true: a list of this name existed and was replaced"),
    deleted: z.boolean().describe("true: the list was deleted"),
    alternatives: Alternatives,
    market: MarketMode,
  }),
  examples: [
    {
      ask: "Save Apple, Microsoft and Nvidia as a list called tech",
      input: { name: "tech", symbols: ["AAPL", "MSFT", "NVDA"] },
    },
  ],
  terminal: ({ watchlist: { name, symbols }, replaced, deleted }, paint) =>
    deleted
      ? `${paint("bold", name)} deleted`
      : `${paint("bold", name)} ${replaced ? "replaced" : "saved"}: ${symbols.join(", ")}`,

  async handler({ name, symbols: names }, { symbols, watchlists, clock, market, principal }) {
    const { instruments, alternatives } = resolveSymbols(names, symbols);
    const watchlist = {
      name,
      symbols: instruments.map(({ symbol }) => symbol),
      saved_at: clock.now().toISOString(),
    };
    const deleted = instruments.length === 0;
    const { replaced } = await watchlists.save(principal.account, watchlist);
    if (deleted && !replaced)
      throw new ToolError("NOT_FOUND", `There is no watchlist "${name}" to delete`, {
        hint: "list_watchlists shows the watchlists of this account; pass symbols to create one.",
      });
    return {
      watchlist,
      count: instruments.length,
      replaced,
      deleted,
      alternatives: alternatives.map(named),
      market: market.mode,
    };
  },
});
