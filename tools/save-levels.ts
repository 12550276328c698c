import { z } from "zod";
import { SymbolText } from "../src/domain/answers.ts";
import { DRAWN_LIMITS, DrawnLevelsAnswer, readableText } from "../src/domain/drawn-levels/drawn-levels.ts";
import { formatDrawnLevels } from "../src/features/drawn-levels/drawn-levels.text.ts";
import { saveLevels as save } from "../src/features/drawn-levels/save-levels.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Saves the levels of a symbol, its note, or both, and replaces the previous ones. */
export const saveLevels = defineTool({
  name: "save_levels",
  title: "Save levels",
  description:
    "Saves the lines drawn on a symbol, each a price with a label, and a note on it. Use it to draw, label, change or remove a horizontal line or level, or to write a note. The list replaces the earlier one, so a retry changes nothing; what is omitted stays. get_levels returns them, create_subscription sets an alert at one.",
  topics: [
    "save a level",
    "draw a level",
    "draw a line",
    "mark a price",
    "write a note on",
    "delete my levels",
  ],
  toolset: "agents",
  plan: "pro",
  effect: "write",
  destructive: true,
  listed: "toolset",
  route: "PUT /api/v1/symbols/:symbol/levels",
  cli: { command: "draw" },
  needs: ["drawnLevels", "symbols", "bars", "clock", "market"],
  input: z.object({
    symbol: SymbolText,
    levels: z
      .array(
        z.strictObject({
          price: z.number().positive().max(1e9).describe("USD, in today's share count"),
          label: z.string().max(DRAWN_LIMITS.label).optional().describe("Plain text"),
        }),
      )
      .max(DRAWN_LIMITS.levels)
      .optional()
      .describe("Complete list; empty deletes all. Default: unchanged"),
    note: z.string().max(DRAWN_LIMITS.note).optional().describe("Plain text. Default: unchanged"),
    delete_note: z.boolean().default(false).describe("true: deletes the note"),
  }),
  output: z.object(DrawnLevelsAnswer),
  examples: [
    {
      ask: "Note on Apple that I wait for its report",
      input: { symbol: "AAPL", note: "Wait for the report" },
    },
  ],
  terminal: formatDrawnLevels,

  async handler(
    { symbol, levels, note, delete_note },
    { drawnLevels, symbols, bars, clock, market, principal, signal },
  ) {
    const { instrument } = symbols.resolve(symbol);
    if (levels === undefined && note === undefined && !delete_note)
      throw new ToolError("INVALID_INPUT", "There is nothing to save", {
        hint: "Pass levels, note, or delete_note: true. levels: [] deletes all levels.",
      });
    if (note !== undefined && delete_note)
      throw new ToolError("INVALID_INPUT", "A note is either saved or deleted", {
        hint: "Pass note without delete_note.",
        data: { errors: [{ pointer: "/delete_note", detail: "is true, and note has a text" }] },
      });
    const change = {
      ...(levels !== undefined && { levels }),
      ...((note !== undefined || delete_note) && { note: readableText(note ?? "", DRAWN_LIMITS.note) }),
    };
    const saved = await save(
      change,
      { account: principal.account, instrument, signal },
      { drawnLevels, bars, clock },
    );
    return { symbol: instrument.symbol, ...saved, market: market.mode };
  },
});
