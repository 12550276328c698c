import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { ACTION_DISPATCHER } from "./call-tool.ts";
import type { ConnectionTools } from "./connection-tools.ts";

/** Returns the instructions for a model, sent when it connects. */
export function instructionsOf(
  { market }: Pick<Ports, "market">,
  { otherToolsets, finder, readonly }: ConnectionTools,
): string {
  return [
    "Trading analytics for US stocks, ETFs and crypto: prices, signals and the evidence behind them.",
    "If a symbol is ambiguous, resolve the name first; a bare crypto ticker can also be a stock.",
    "A null is unknown, never zero. Cite the source and time of each result.",
    market.mode === "sample"
      ? `This server uses simulated prices: such results begin with "${SAMPLE_LABEL}". Never present them as real.`
      : "",
    otherToolsets.length > 0
      ? `Not every tool is listed: ${finder} finds the others (${otherToolsets.join(", ")}), call_tool calls those that read${readonly ? "" : `, ${ACTION_DISPATCHER} those that change records; a trade has its own name`}.`
      : "",
    "Information, not investment advice.",
  ]
    .filter((line) => line !== "")
    .join("\n");
}
