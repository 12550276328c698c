import type { Market } from "../domain/market/market.ts";
import { MARKET_PORTS, type PortName } from "../domain/ports.ts";
import type { Tool } from "../kernel/tool.ts";

/** Returns true if the tool's responses contain prices or trades, and so need the market label. */
export const carriesPrices = ({ needs, toolset }: Pick<Tool, "needs" | "toolset">): boolean =>
  toolset === "trading" || needs.some((port: PortName) => MARKET_PORTS.has(port));

/** Returns true if responses of this tool must begin with the label for simulated data. */
export const isSimulated = (tool: Tool, { mode }: Market): boolean =>
  mode === "sample" && carriesPrices(tool);
