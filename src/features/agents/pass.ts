import type { PassDecision, PassRequest } from "../../domain/agents/agent-pass.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { ToolError } from "../../kernel/errors.ts";

/** An agent's decision on a symbol. */
export interface AgentVerdict {
  readonly action: "buy" | "sell" | "hold";
  /** One sentence without the final period. */
  readonly reason: string;
  /** Exit prices in US dollars. Default: those of the signal. */
  readonly stop?: number | null;
  readonly target?: number | null;
  /** Limit price of a purchase in US dollars, valid for the day. Default: bought at the market. */
  readonly limit?: number | null;
  /** Stop price in US dollars for a position sized by risk; ignored if `stop` is set. Default: the signal's stop. */
  readonly sizingStop?: number | null;
  /**
   * Share of the configured size of a purchase, or of the position of a sale; below 1, nothing is traded on a live
   * account. Default: 1.
   */
  readonly size?: number;
}

/** An instrument that a symbol may refer to. */
export interface SymbolMatch {
  readonly symbol: string;
  readonly asset_class: AssetClass;
}

/** Analysis of a symbol, with the agent's decision function. */
export interface SymbolAnalysis<Figures> {
  readonly symbol: string;
  readonly asset_class: AssetClass;
  readonly figures: Figures;
  /** Reason why the data is not current, as a clause; prevents trades unless null. Default: null. */
  readonly stale?: string | null;
  /** Other instruments that the symbol may refer to; prevents trades unless empty. Default: empty. */
  readonly others?: readonly SymbolMatch[];
  decide(holds: boolean): AgentVerdict;
}

export type AnalysisOutcome<Figures> = { readonly requested: string } & (
  | { readonly analysis: SymbolAnalysis<Figures>; readonly error: null }
  | { readonly analysis: null; readonly error: ToolError }
);

/** Settings of a pass. */
export interface PassSettings extends PassRequest {
  /** Name of the agent; part of the idempotency key of its orders. */
  readonly agent: string;
  /** Timeframe of the signal that sizes purchases by risk. */
  readonly timeframe: Timeframe;
}

/** A decision before execution, with the order that an earlier pass of the run placed. */
export interface PassRow<Figures> {
  readonly decision: PassDecision<Figures>;
  readonly analysis: SymbolAnalysis<Figures> | null;
  readonly verdict: AgentVerdict | null;
  readonly placed: PassDecision["order"];
}
