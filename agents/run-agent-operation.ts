import type { z } from "zod";
import { worseEdge } from "../src/analytics/levels/side.ts";
import { operationAnswer } from "../src/domain/agents/operation-answer.ts";
import {
  OPERATIONS,
  type Operation,
  OperationInput,
  withItsSymbol,
} from "../src/domain/agents/operations.ts";
import { formatAlternatives } from "../src/domain/answers.ts";
import {
  formatContractsSummary,
  formatDirectionCounts,
  formatNewsSummary,
  formatOperation,
  formatSignalSummary,
  formatUnavailableVenues,
} from "../src/features/agents/operation.text.ts";
import { batchOf, type OperationResult, toOperationAnswer } from "../src/features/agents/operation-result.ts";
import {
  contractRow,
  edgeRow,
  signalRow as rowOf,
  scanRow,
  screenRow,
  storyRow,
} from "../src/features/agents/operation-rows.ts";
import { defineAgent, type Steps } from "../src/kernel/agent.ts";
import { ToolError } from "../src/kernel/errors.ts";
import type { OutputOf } from "../src/kernel/tool.ts";
import { detectEdge } from "../tools/detect-edge.ts";
import { getNews } from "../tools/get-news.ts";
import { getPredictionMarkets } from "../tools/get-prediction-markets.ts";
import { getSignal } from "../tools/get-signal.ts";
import { scanSymbols } from "../tools/scan-symbols.ts";
import { screenUniverse } from "../tools/screen-universe.ts";

/** Default symbols of `top` if no nightly run can be used: widely held funds, stocks and coins. */
const DEFAULT_SYMBOLS =
  "SPY QQQ IWM AAPL MSFT NVDA AMZN GOOGL META TSLA AVGO JPM LLY XOM COST V BTC-USD ETH-USD SOL-USD XRP-USD".split(
    " ",
  );

const USES = [getSignal, screenUniverse, scanSymbols, getNews, getPredictionMarkets, detectEdge] as const;
type Call = Steps<(typeof USES)[number]>;
type OperationRequest = z.output<typeof OperationInput>;

/**
 * Runs one of six operations by name: one signal, several signals, the strongest signals, news, prediction markets, or
 * an edge.
 */
export const runAgentOperation = defineAgent({
  name: "run_agent_operation",
  title: "Run agent operation",
  description:
    "Runs an operation (op) by its name for the Agent SDK, all on one endpoint: signal, batch (up to 20 symbols), top (strongest of the nightly run), news, markets (prediction markets) or edge (news against odds). Use it when an SDK client sends {operation, symbol}. Otherwise call the single tool: get_signal, scan_symbols, screen_universe, get_news, get_prediction_markets, detect_edge.",
  topics: [
    "agent sdk",
    "sdk operation",
    "operation by name",
    "batch operation",
    "top operation",
    "run an operation",
  ],
  uses: USES,
  route: "GET /api/v1/agents",
  listed: false,
  cli: { command: "operation", positionals: ["operation", "symbols"] },
  input: OperationInput,
  output: operationAnswer(OPERATIONS),
  examples: [
    { ask: "Run the signal operation on Apple", input: { operation: "signal", symbol: "AAPL" } },
    {
      ask: "Signals of Microsoft, Nvidia and bitcoin",
      input: { operation: "batch", symbols: ["MSFT", "NVDA", "BTC-USD"] },
    },
    { ask: "The three strongest now", input: { operation: "top", limit: 3 } },
    { ask: "Run the news operation on Nvidia", input: { operation: "news", symbol: "NVDA" } },
    { ask: "Run the markets operation", input: { operation: "markets" } },
    { ask: "Run the edge operation on bitcoin", input: { operation: "edge", symbol: "BTC-USD" } },
  ],
  terminal: formatOperation,

  async run(request, steps) {
    const { operation } = request;
    const result = await OPERATION_HANDLERS[operation](withItsSymbol(request), steps);
    return toOperationAnswer({ operation, market: steps.market }, result);
  },
});

const OPERATION_HANDLERS = {
  async signal({ symbol, timeframe = "1d", detail }, { call }) {
    const answer = await call(getSignal, { symbol: symbol!, timeframe, detail: "concise" });
    const { notes, stale_notes, alternatives } = answer.data;
    const row = signalRow(answer, detail);
    return {
      tool: getSignal.name,
      symbol: row.symbol,
      timeframe,
      rows: [row],
      summary: formatSignalSummary(row),
      notes: [...notes, ...formatAlternatives(alternatives)],
      stale_notes,
    };
  },

  async batch({ symbols = [], timeframe = "1d", detail }, { each }) {
    const requested = [...new Map(symbols.map((text) => [text.toUpperCase(), text])).values()];
    const inputs = requested.map((symbol) => ({ symbol, timeframe, detail: "concise" as const }));
    const outcomes = await each(getSignal, inputs);
    const batch = batchOf(
      requested,
      outcomes.map(({ output, error }) =>
        error === null
          ? {
              row: signalRow(output, detail),
              notes: output.data.notes,
              stale_notes: output.data.stale_notes,
              error,
            }
          : { row: null, error },
      ),
    );
    const { rows, symbols: names } = batch;
    return {
      tool: getSignal.name,
      timeframe,
      ...batch,
      summary: `${rows.length} of ${names.length} symbols have a signal: ${formatDirectionCounts(rows)}`,
    };
  },

  async top(request, { call }) {
    const { symbols, limit, timeframe = "1d" } = request;
    const run = symbols === undefined && timeframe === "1d" ? await newestRun(call, limit) : null;
    if (run === null) return scanStrongest(request, call);
    const rows = run.results.map(screenRow);
    return {
      tool: screenUniverse.name,
      timeframe: "1d",
      rows,
      runs: run.runs,
      notes: run.notes,
      stale_notes: run.stale_notes,
      summary: `The ${rows.length} strongest of ${run.total} in the nightly run over ${run.universe}: ${formatDirectionCounts(rows)}`,
    };
  },

  async news({ symbol, limit }, { call }) {
    const answer = await call(getNews, { symbol: symbol!, limit });
    const { coverage, stale, alternatives } = answer;
    return {
      tool: getNews.name,
      symbol: answer.symbol,
      as_of: answer.data_as_of,
      rows: answer.news.map((story) => storyRow(answer.symbol, story)),
      summary: formatNewsSummary(answer, answer.news.length),
      notes: [
        ...(coverage.note === null ? [] : [coverage.note]),
        ...(stale ? ["No provider responds; this is the last known response"] : []),
        ...formatAlternatives(alternatives),
      ],
    };
  },

  async markets({ symbol, limit }, { call }) {
    const answer = await call(getPredictionMarkets, { ...(symbol !== undefined && { symbol }), limit });
    const { contracts, coverage, alternatives, as_of } = answer;
    const providers = new Map(coverage.map(({ venue, source }) => [venue, source]));
    return {
      tool: getPredictionMarkets.name,
      symbol: answer.symbol,
      as_of,
      rows: contracts.map((contract) =>
        contractRow({ symbol: answer.symbol, source: providers.get(contract.venue) ?? null }, contract),
      ),
      summary: formatContractsSummary(answer, contracts.length),
      notes: [...formatUnavailableVenues(coverage), ...formatAlternatives(alternatives)],
    };
  },

  async edge({ symbol }, { call }) {
    const answer = await call(detectEdge, { symbol: symbol! });
    const { markets, news, alternatives, recommendation } = answer;
    return {
      tool: detectEdge.name,
      symbol: answer.symbol,
      rows: [edgeRow(answer)],
      summary: `${answer.symbol}: ${recommendation}`,
      notes: [
        ...(markets.stale || news.stale
          ? ["A provider does not respond; its last known response is used"]
          : []),
        ...formatAlternatives(alternatives),
      ],
    };
  },
} satisfies Record<Operation, (request: OperationRequest, steps: Call) => Promise<OperationResult>>;

/** Errors of a screen without a run: none has begun, or it is still in progress after the wait. */
const NO_RUN: ReadonlySet<string> = new Set(["NOT_ENOUGH_DATA", "UPSTREAM_UNAVAILABLE"]);

/** Returns the strongest symbols of the newest nightly run; null before the first run. */
const newestRun = (call: Call["call"], limit: number) =>
  call(screenUniverse, { limit, sort: "score" }).catch((cause: unknown) => {
    if (cause instanceof ToolError && NO_RUN.has(cause.code)) return null;
    throw cause;
  });

/** Scans the requested symbols, or the default ones, and returns the strongest. */
async function scanStrongest(
  { symbols, limit, timeframe = "1d" }: OperationRequest,
  call: Call["call"],
): Promise<OperationResult> {
  const isDefault = symbols === undefined;
  const { count, results, errors, notes, stale_notes } = await call(scanSymbols, {
    symbols: symbols ?? DEFAULT_SYMBOLS,
    timeframe,
  });
  if (isDefault && count === 0)
    throw new ToolError(
      "NOT_ENOUGH_DATA",
      "There is no nightly run, and no widely followed symbol can be scanned",
      {
        hint: "Pass symbols of this market, or wait for the first nightly run.",
        command: "market-signal engine run --universe all",
      },
    );
  const rows = results.slice(0, limit).map(scanRow);
  const why = timeframe === "1d" ? "No nightly run has finished yet" : "Nightly runs use daily bars";
  return {
    tool: scanSymbols.name,
    timeframe,
    rows,
    errors: isDefault ? [] : errors,
    summary: `The ${rows.length} strongest of ${count} ${isDefault ? "widely followed symbols" : "symbols"}, scanned now: ${formatDirectionCounts(rows)}`,
    notes: [...(isDefault ? [why] : []), ...notes],
    stale_notes,
  };
}

function signalRow(answer: OutputOf<typeof getSignal>, detail: OperationRequest["detail"]) {
  const { entry_zone, stop_loss } = answer.data.signal;
  const side = stop_loss < entry_zone.low ? "LONG" : "SHORT";
  return rowOf(answer, { entry: worseEdge({ side, entry: entry_zone }), detail });
}
