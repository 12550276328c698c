import { budgetLeft } from "../../analytics/decisions/budget.ts";
import type { PassDecision, PassResult } from "../../domain/agents/agent-pass.ts";
import { ToolError } from "../../kernel/errors.ts";
import { formatPassSummary, passNotes } from "./pass.text.ts";
import type { AnalysisOutcome, Pass, PassRow, SymbolAnalysis } from "./pass.ts";
import { chargePlacedOrders, executeDecision, type PassContext } from "./pass-act.ts";
import type { PassActions } from "./pass-actions.ts";
import { decideRow } from "./pass-decide.ts";
import { type Holdings, readHoldings } from "./pass-holdings.ts";

/**
 * One pass over symbols: reads what is held, lets the agent decide of each, and places what it decides, sales before
 * purchases, by the tools alone. In a dry run, and at a live account, trades are previewed and none is sent: a live one
 * waits for its owner. What is refused is told beside its decision; what ends the whole call rejects.
 */
export async function runPass<Figures>(
  pass: Pass,
  looked: readonly AnalysisOutcome<Figures>[],
  desk: PassActions,
): Promise<PassResult<Figures>> {
  if (pass.quantity !== undefined && pass.risk_pct !== undefined)
    throw new ToolError("INVALID_INPUT", "Say quantity or risk_pct, not both");
  const holdings = await readHoldings(pass, desk);
  const rows = uniqueBySymbol(looked).map((one) => decideRow(one, holdings));
  const acting: PassContext = {
    pass,
    desk,
    holdings,
    plannedBudget: { limit: pass.budget_usd ?? null, spent: "0" },
    budget: { limit: pass.budget_usd ?? null, spent: "0" },
  };
  await chargePlacedOrders(rows, acting);
  const done = new Map<PassRow<Figures>, PassDecision<Figures>>();
  for (const side of ["placed", "sell", "buy", "hold"] as const)
    for (const row of rows)
      if ((row.placed === null ? row.decision.action : "placed") === side)
        done.set(row, await executeDecision(row, acting));
  const decisions = rows.map((row) => done.get(row)!);
  const { budget } = acting;
  return {
    dry_run: pass.dry_run,
    connection: toPassConnection(holdings),
    decisions,
    summary: formatPassSummary(decisions, pass),
    budget: { ...budget, left: budgetLeft(budget) },
    notes: passNotes({ decisions, budget }, pass, holdings),
  };
}

/** What a tool told of each symbol, in the order asked, as the agent sees it; a failure stands for its symbol alone. */
export function toAnalysisOutcomes<Answer, Figures>(
  symbols: readonly string[],
  outcomes: readonly (
    | { readonly output: Answer; readonly error: null }
    | { readonly output: null; readonly error: ToolError }
  )[],
  look: (answer: Answer) => SymbolAnalysis<Figures>,
): readonly AnalysisOutcome<Figures>[] {
  return outcomes.map(({ output, error }, i) =>
    error === null
      ? { asked: symbols[i]!, look: look(output), error }
      : { asked: symbols[i]!, look: null, error },
  );
}

/** Two names of one instrument are one; the first stands. */
function uniqueBySymbol<Figures>(
  looked: readonly AnalysisOutcome<Figures>[],
): readonly AnalysisOutcome<Figures>[] {
  const seen = new Set<string>();
  return looked.filter(({ asked, look }) => {
    const name = look?.symbol ?? asked;
    return !seen.has(name) && seen.add(name);
  });
}

const toPassConnection = (holdings: Holdings | null): PassResult["connection"] => {
  if (holdings === null) return null;
  const { connection_id, broker, account_type } = holdings.connection;
  return { connection_id, broker, account_type };
};
