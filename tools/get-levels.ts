import { z } from "zod";
import { SymbolText } from "../src/domain/answers.ts";
import { DrawnLevelsAnswer } from "../src/domain/drawn-levels/drawn-levels.ts";
import { adjustLevels } from "../src/features/drawn-levels/adjust-levels.ts";
import { formatDrawnLevels } from "../src/features/drawn-levels/drawn-levels.text.ts";
import { defineTool } from "../src/kernel/tool.ts";

const NOTHING = { levels: [], levels_saved_at: null, note: null, note_saved_at: null } as const;

/** Returns the levels and the note that the account saved on a symbol. */
export const getLevels = defineTool({
  name: "get_levels",
  title: "Get levels",
  description:
    "Returns my saved levels of a symbol: the lines drawn on its chart, each a price with a label, and the note on it. Use it to show or read them again. Prices are adjusted for later splits, or returned as saved with the reason. save_levels changes them; computed support and resistance are in get_analysis.",
  topics: ["my levels", "saved levels", "drawn lines", "my drawn levels", "my note on", "symbol note"],
  toolset: "agents",
  plan: "pro",
  effect: "read",
  listed: "toolset",
  route: "GET /api/v1/symbols/:symbol/levels",
  cli: { command: "levels" },
  needs: ["drawnLevels", "symbols", "bars", "clock", "market"],
  input: z.object({ symbol: SymbolText }),
  output: z.object(DrawnLevelsAnswer),
  examples: [{ ask: "Which levels have I drawn on Apple?", input: { symbol: "AAPL" } }],
  terminal: formatDrawnLevels,

  async handler({ symbol }, { drawnLevels, symbols, bars, clock, market, principal, signal }) {
    const { instrument } = symbols.resolve(symbol);
    const saved = (await drawnLevels.find(principal.account, instrument.symbol)) ?? NOTHING;
    const adjusted = await adjustLevels(saved, instrument, { bars, clock, signal });
    return { symbol: instrument.symbol, ...adjusted, market: market.mode };
  },
});
