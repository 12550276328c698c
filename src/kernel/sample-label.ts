import { z } from "zod";
import { type Market, SAMPLE_LABEL } from "../domain/market/market.ts";
import { MARKET_PORTS, type PortName } from "../domain/ports.ts";

type LabelledTool = { readonly needs: readonly PortName[]; readonly toolset: string };

/** Returns true if the tool's responses contain prices or trades, and so need the market label. */
export const carriesPrices = ({ needs, toolset }: LabelledTool): boolean =>
  toolset === "trading" || needs.some((port) => MARKET_PORTS.has(port));

/** Returns true if responses of this tool carry the label for simulated data, as a field and before every text. */
export const isSimulated = (tool: LabelledTool, { mode }: Pick<Market, "mode">): boolean =>
  mode === "sample" && carriesPrices(tool);

/** Output field with the label; absent for data of a real market. */
const LabelField = {
  label: z.string().optional().describe(`"${SAMPLE_LABEL}" if the data is simulated, else absent`),
};

/** Returns the output schema of a tool, with the label field if its responses contain market data. */
export const labelledOutput = (tool: LabelledTool, output: z.ZodObject): z.ZodObject =>
  carriesPrices(tool) ? output.extend(LabelField) : output;

/** Returns a result with the label if it is simulated, else unchanged. */
export const withLabelField = <Result extends object>(
  tool: LabelledTool,
  market: Market | undefined,
  result: Result,
): Result =>
  market !== undefined && isSimulated(tool, market) ? { ...result, label: SAMPLE_LABEL } : result;
