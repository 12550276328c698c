import type { PassRefusal } from "../../domain/agents/agent-pass.ts";
import type { ToolError } from "../../kernel/errors.ts";
import { decimal } from "../../lib/decimal.ts";
import type { AgentVerdict, AnalysisOutcome, PassRow, SymbolAnalysis } from "./pass.ts";
import type { Holdings } from "./pass-holdings.ts";

/**
 * Decides on one analyzed symbol before any order is placed, and finds the order that an earlier pass of the run placed
 * for it.
 */
export function decideRow<Figures>(
  { requested, analysis, error }: AnalysisOutcome<Figures>,
  holdings: Holdings | null,
): PassRow<Figures> {
  const name = analysis?.symbol ?? requested.toUpperCase();
  const placed = holdings?.placed.find(({ intent }) => intent.symbol === name) ?? null;
  const pending = { trade: null, order: null, repeated: false, refused: null };
  if (analysis === null) {
    const why = `No action, because its analysis failed: ${error.message.replace(/\.$/, "")}.`;
    const unknown = { symbol: requested, action: "hold", why, figures: null, held: null } as const;
    const decision = { ...pending, ...unknown, refused: toRefusal(error) };
    return { decision, analysis, verdict: null, placed };
  }
  const { symbol, figures } = analysis;
  const held = holdings?.heldQuantity(symbol) ?? null;
  const verdict = constrainedVerdict(symbol, analysis, holdings);
  const { action, reason } = verdict;
  const decision = { symbol, action, why: `${reason}.`, figures, held, ...pending };
  return { decision, analysis, verdict, placed };
}

/**
 * Returns the agent's verdict, or hold when a short position, stale data, a reduced size on a live account or a working
 * order prevents trading.
 */
function constrainedVerdict<Figures>(
  symbol: string,
  { decide, stale = null }: SymbolAnalysis<Figures>,
  holdings: Holdings | null,
): AgentVerdict {
  const units = decimal(holdings?.heldQuantity(symbol) ?? "0");
  if (units.lt(0))
    return {
      action: "hold",
      reason: `${symbol} is held short, ${units.toFixed()} units, which agents do not trade`,
    };
  const buying = holdings?.workingOrder(symbol, "buy") ?? null;
  const selling = holdings?.workingOrder(symbol, "sell") ?? null;
  const flat = units.eq(0);
  // a symbol with a working buy order is treated as held, unless the agent would buy
  const free = flat ? decide(false) : null;
  const verdict = free === null || (buying !== null && free.action !== "buy") ? decide(true) : free;
  if (verdict.action === "hold") return verdict;
  if (stale !== null) return { action: "hold", reason: `${verdict.reason}; no action, because ${stale}` };
  if ((verdict.size ?? 1) < 1 && holdings?.connection.account_type === "live")
    return { action: "hold", reason: `${verdict.reason}; no action, because the account is live` };
  const waits = verdict.action === "buy" ? buying : (selling ?? (flat ? buying : null));
  if (waits === null) return verdict;
  const { order_id, intent } = waits;
  return {
    action: "hold",
    reason: `${verdict.reason}, and the order ${order_id} to ${intent.side} ${intent.quantity} is already working: cancel_order cancels it`,
  };
}

export const toRefusal = ({ code, message, hint }: ToolError): PassRefusal => ({
  code,
  message,
  hint: hint ?? null,
});
