import { budgetLeft } from "../../analytics/decisions/budget.ts";
import type { PassDecision, PassResult } from "../../domain/agents/agent-pass.ts";
import { ToolError } from "../../kernel/errors.ts";
import { orderCheckNotes } from "./order-checks.ts";
import { formatPassSummary, passNotes } from "./pass.text.ts";
import type { AnalysisOutcome, PassRow, PassSettings, SymbolAnalysis } from "./pass.ts";
import { chargePlacedOrders, executeDecision, type PassContext } from "./pass-act.ts";
import type { PassActions } from "./pass-actions.ts";
import { decideRow } from "./pass-decide.ts";
import { type Holdings, readHoldings } from "./pass-holdings.ts";

/**
 * Runs one pass over symbols: reads holdings, decides on each symbol and executes sales before purchases through the
 * tools. On dry runs and live accounts it only previews; a live trade requires a person's confirmation. Refusals are
 * returned with their decisions.
 */
export async function runPass<Figures>(
  pass: PassSettings,
  analyses: readonly AnalysisOutcome<Figures>[],
  actions: PassActions,
): Promise<PassResult<Figures>> {
  if (pass.quantity !== undefined && pass.risk_pct !== undefined)
    throw new ToolError("INVALID_INPUT", "Set quantity or risk_pct, not both");
  const holdings = await readHoldings(pass, actions);
  const rows = uniqueBySymbol(analyses).map((outcome) => decideRow(outcome, holdings));
  const context: PassContext = {
    pass,
    actions,
    holdings,
    planned: [],
    plannedBudget: { limit: pass.budget_usd ?? null, spent: "0" },
    budget: { limit: pass.budget_usd ?? null, spent: "0" },
  };
  await chargePlacedOrders(rows, context);
  const done = new Map<PassRow<Figures>, PassDecision<Figures>>();
  for (const side of ["placed", "sell", "buy", "hold"] as const)
    for (const row of rows)
      if ((row.placed === null ? row.decision.action : "placed") === side)
        done.set(row, await executeDecision(row, context));
  const decisions = rows.map((row) => done.get(row)!);
  const { budget } = context;
  return {
    dry_run: pass.dry_run,
    connection: toPassConnection(holdings),
    decisions,
    summary: formatPassSummary(decisions, pass),
    budget: { ...budget, left: budgetLeft(budget) },
    notes: [
      ...passNotes({ decisions, budget }, pass, holdings),
      ...(await orderCheckNotes(context.planned, actions.check)),
    ],
  };
}

/** Maps tool outcomes to analyses in request order; a failed tool call affects only its symbol. */
export function toAnalysisOutcomes<Answer, Figures>(
  symbols: readonly string[],
  outcomes: readonly (
    | { readonly output: Answer; readonly error: null }
    | { readonly output: null; readonly error: ToolError }
  )[],
  analyze: (answer: Answer) => SymbolAnalysis<Figures>,
): readonly AnalysisOutcome<Figures>[] {
  return outcomes.map(({ output, error }, i) =>
    error === null
      ? { requested: symbols[i]!, analysis: analyze(output), error }
      : { requested: symbols[i]!, analysis: null, error },
  );
}

/** Removes analyses of an instrument that is already in the list under another name. */
function uniqueBySymbol<Figures>(
  analyses: readonly AnalysisOutcome<Figures>[],
): readonly AnalysisOutcome<Figures>[] {
  const seen = new Set<string>();
  return analyses.filter(({ requested, analysis }) => {
    const name = analysis?.symbol ?? requested;
    return !seen.has(name) && seen.add(name);
  });
}

const toPassConnection = (holdings: Holdings | null): PassResult["connection"] => {
  if (holdings === null) return null;
  const { connection_id, broker, account_type } = holdings.connection;
  return { connection_id, broker, account_type };
};
