import { z } from "zod";
import { Watchlist } from "../src/domain/alerts/alerts.ts";
import { Hint, MarketMode, Succeeded } from "../src/domain/answers.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the watchlists of the account, sorted by name. */
export const listWatchlists = defineTool({
  name: "list_watchlists",
  title: "List watchlists",
  description:
    "Lists every saved watchlist of this account: name, symbols, when it was saved. Use it to show my watchlists, what symbols are on a saved list, or which lists I have. save_watchlist makes or changes one; scan_symbols scores their symbols.",
  topics: [
    "my watchlists",
    "saved watchlists",
    "show my watchlist",
    "saved lists",
    "symbols on my list",
    "names of my lists",
  ],
  toolset: "agents",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/watchlists",
  cli: { command: "watchlists" },
  needs: ["watchlists", "market"],
  input: z.object({}),
  output: z.object({
    ...Succeeded,
    watchlists: z.array(Watchlist),
    count: z.number().int(),
    hint: Hint,
    market: MarketMode,
  }),
  examples: [{ ask: "Which watchlists do I have?", input: {} }],
  terminal: ({ watchlists, hint }, paint) =>
    [
      ...watchlists.map(({ name, symbols }) => `${paint("bold", name)} ${symbols.join(", ")}`),
      ...(hint === null ? [] : [hint]),
    ].join("\n"),

  async handler(_, { watchlists, market, principal }) {
    const found = await watchlists.list(principal.account);
    return {
      watchlists: found,
      count: found.length,
      hint: found.length === 0 ? "No watchlists: save_watchlist creates one." : null,
      market: market.mode,
    };
  },
});
