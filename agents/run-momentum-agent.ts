import { z } from "zod";
import { momentumDecision } from "../src/analytics/decisions/momentum.ts";
import { PassRequest, passAnswer } from "../src/domain/agents/agent-pass.ts";
import { Iso } from "../src/domain/answers.ts";
import { Price, Score } from "../src/domain/figures.ts";
import { Timeframe, TimeframeText } from "../src/domain/market/bars.ts";
import { PriceSource } from "../src/domain/market/market.ts";
import { Direction, Grade } from "../src/domain/signal/signal.ts";
import { formatPass } from "../src/features/agents/pass.text.ts";
import type { SymbolAnalysis } from "../src/features/agents/pass.ts";
import { runPass, toAnalysisOutcomes } from "../src/features/agents/pass-run.ts";
import { staleBarsReason } from "../src/features/agents/pass-stale.ts";
import { defineAgent } from "../src/kernel/agent.ts";
import type { OutputOf } from "../src/kernel/tool.ts";
import { rounded } from "../src/lib/rounded.ts";
import { getSignal } from "../tools/get-signal.ts";
import { PASS_TOOLS, passActions } from "./pass-actions.ts";

const Figures = z.object({
  grade: Grade.nullable(),
  score: Score.nullable().describe("0-100, 50 neutral; null with null_reason"),
  null_reason: z.string().nullable().describe("Why there is no score and no grade"),
  direction: Direction,
  timeframe: Timeframe,
  price: Price.nullable().describe("USD"),
  price_source: PriceSource.nullable(),
  source: z.string().describe("Provider of bars and price; `sample` is simulated"),
  as_of: Iso.describe("Close of the decision bar"),
});
type Figures = z.infer<typeof Figures>;

/**
 * Runs one pass of the momentum agent: buys the best grades and sells the worst, like the backtest strategy momentum.
 */
export const runMomentumAgent = defineAgent({
  name: "run_momentum_agent",
  title: "Run momentum agent",
  description:
    "Runs one pass of the pre-built momentum agent over 1-20 tickers: it buys what get_signal grades A or A+ and sells what is graded D, D- or F, with the reason for each. Use it for momentum trading by letter grades. Default: a dry run; with dry_run false it places orders on paper within budget_usd, live ones as tickets. start_agent repeats it, run_backtest tests momentum on past bars.",
  topics: [
    "momentum agent",
    "momentum trading",
    "momentum template",
    "trade by letter grade",
    "buy a grades",
  ],
  uses: [getSignal, ...PASS_TOOLS],
  route: "POST /api/v1/agents/momentum",
  cli: { command: "momentum", positionals: ["symbols"] },
  schedulable: "momentum",
  deadlineMs: 180_000,
  input: z.object({
    ...PassRequest,
    dry_run: PassRequest.dry_run.describe(
      "true: decides and previews but places no orders; still requires the scope trade:paper",
    ),
    timeframe: TimeframeText.default("1d").describe("Timeframe of the signals"),
  }),
  output: passAnswer(Figures),
  examples: [
    {
      ask: "What would the momentum agent do with Apple and Microsoft?",
      input: { symbols: ["AAPL", "MSFT"] },
    },
  ],
  terminal: formatPass,

  async run({ timeframe, ...request }, steps) {
    const outcomes = await steps.each(
      getSignal,
      request.symbols.map((symbol) => ({ symbol, timeframe, detail: "concise" as const })),
    );
    const result = await runPass(
      { ...request, agent: "momentum", timeframe },
      toAnalysisOutcomes(request.symbols, outcomes, analyze),
      passActions(steps),
    );
    return { agent: "momentum", ...result, market: steps.market };
  },
});

function analyze({ data, server_time }: OutputOf<typeof getSignal>): SymbolAnalysis<Figures> {
  const { grade, score, reason, direction, timeframe, symbol, stop_loss, entry_zone } = data.signal;
  const { price, price_source, source, bars, asset_class, alternatives, provenance } = data;
  const null_reason = score === null ? reason : null;
  const figures = { grade, score, null_reason, direction, timeframe, price, price_source, source };
  const rest = `score ${score === null ? `unknown (${null_reason ?? "no reason given"})` : rounded(score, 1)}, at the close of ${bars.as_of}, on bars from ${source}`;
  return {
    symbol,
    asset_class,
    others: alternatives,
    figures: { ...figures, as_of: bars.as_of },
    stale: staleBarsReason({
      as_of: bars.as_of,
      stale: provenance.bars.stale,
      now: server_time,
      timeframe,
      asset_class,
    }),
    decide(holds) {
      const decision = momentumDecision({ grade, holds });
      // a good grade is bought even if the signal is WAIT; its stop sizes the purchase only if below the entry zone
      const sizingStop = stop_loss < entry_zone.low ? stop_loss : null;
      return { action: decision.action, reason: `${decision.reason}; ${rest}`, sizingStop };
    },
  };
}
