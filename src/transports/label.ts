import type { Market } from "../domain/market/market.ts";
import { MARKET_PORTS, type PortName } from "../domain/ports.ts";
import type { Tool } from "../kernel/tool.ts";

/** Whether a tool's answers carry prices or tell of trades at them, and so the market's label. */
export const carriesPrices = ({ needs, toolset }: Pick<Tool, "needs" | "toolset">): boolean =>
  toolset === "trading" || needs.some((port: PortName) => MARKET_PORTS.has(port));

/** Whether an answer of this tool must begin with the label. */
export const isSimulated = (tool: Tool, { mode }: Market): boolean =>
  mode === "sample" && carriesPrices(tool);
