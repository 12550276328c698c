import { z } from "zod";
import { ToolError } from "../../../src/kernel/errors.ts";
import { defineTool } from "../../../src/kernel/tool.ts";

const CANDIDATES = [
  { symbol: "BTC-USD", name: "Bitcoin", asset_class: "crypto" },
  { symbol: "BTC.US", name: "Grayscale Bitcoin Mini Trust", asset_class: "etf" },
];
const definition = {
  name: "name_instrument",
  title: "Name an instrument",
  description: "Returns the symbol unless it is ambiguous. Use it to see which one was chosen.",
  toolset: "market",
  plan: "member",
  effect: "read",
  route: "GET /api/v1/name-instrument",
  needs: [],
  input: z.object({
    symbol: z.string().describe("Ticker"),
    note: z.string().optional().describe("Any text"),
  }),
  output: z.object({ symbol: z.string(), note: z.string().nullable() }),
  examples: [{ ask: "Name it", input: { symbol: "BTC-USD" } }],
  handler({ symbol, note = null }: { readonly symbol: string; readonly note?: string | null | undefined }) {
    if (symbol === "BTC")
      throw new ToolError("INVALID_INPUT", '"BTC" names several instruments', {
        data: { candidates: CANDIDATES },
      });
    if (symbol === "BTCC")
      throw new ToolError("UNKNOWN_SYMBOL", "No instrument", { data: { candidates: CANDIDATES } });
    return { symbol, note };
  },
} as const;

/** Refuses the symbol `BTC` as ambiguous and `BTCC` as unknown. */
export const nameInstrument = defineTool(definition);

/** The same, as a tool that places orders. */
export const orderInstrument = defineTool({
  ...definition,
  name: "order_instrument",
  effect: "trade",
  route: "POST /api/v1/order-instrument",
});
