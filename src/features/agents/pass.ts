import type { PassDecision, PassRequest } from "../../domain/agents/agent-pass.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { ToolError } from "../../kernel/errors.ts";

/** What an agent decides of a symbol. */
export interface Verdict {
  readonly action: "buy" | "sell" | "hold";
  /** A sentence, without its point. */
  readonly reason: string;
  /** Prices of exits of its own, USD; unsaid, those of the signal. */
  readonly stop?: number | null;
  readonly target?: number | null;
  /** Where a purchase that is sized by risk ends, USD, though the signal opens none; unsaid, it needs the signal's own stop. */
  readonly risked?: number | null;
}

/** A reading of a symbol. */
export interface SymbolMatch {
  readonly symbol: string;
  readonly asset_class: AssetClass;
}

/** What an agent saw of a symbol, and what it makes of it. */
export interface SymbolAnalysis<Figures> {
  readonly symbol: string;
  readonly asset_class: AssetClass;
  readonly figures: Figures;
  /** Why what was seen is not of now, as a clause: nothing is done on it then. Unsaid or null: it is. */
  readonly stale?: string | null;
  /** How else the symbol as asked could be meant; nothing is traded where it could. */
  readonly others?: readonly SymbolMatch[];
  decide(holds: boolean): Verdict;
}

/** A symbol as asked, with what was seen of it or why nothing was. */
export type AnalysisOutcome<Figures> =
  | { readonly asked: string; readonly look: SymbolAnalysis<Figures>; readonly error: null }
  | { readonly asked: string; readonly look: null; readonly error: ToolError };

/** How an agent goes about a pass. */
export interface Pass extends PassRequest {
  /** Name of the agent: part of what a repeated pass is known by. */
  readonly agent: string;
  /** Of the signal that sizes a purchase by risk. */
  readonly timeframe: Timeframe;
}

/** A decision on its way: what it would be without an order, and the order that the same run placed before. */
export interface PassRow<Figures> {
  readonly decision: PassDecision<Figures>;
  readonly look: SymbolAnalysis<Figures> | null;
  readonly verdict: Verdict | null;
  readonly placed: PassDecision["order"];
}
