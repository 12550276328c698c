import type { z } from "zod";
import { worseEdge } from "../src/analytics/levels/side.ts";
import {
  type OperationRow,
  operationAnswer,
  operationLines,
  operationTold as told,
} from "../src/domain/agent-operation.ts";
import { alsoInWords } from "../src/domain/answers.ts";
import { OPERATIONS, type Operation, OperationInput } from "../src/domain/operations.ts";
import type { ScanError, ScanRow } from "../src/domain/scan.ts";
import { defineAgent, type Steps } from "../src/kernel/agent.ts";
import { ToolError } from "../src/kernel/errors.ts";
import type { OutputOf } from "../src/kernel/tool.ts";
import { detectEdge } from "../tools/detect-edge.ts";
import { getNews } from "../tools/get-news.ts";
import { getPredictionMarkets } from "../tools/get-prediction-markets.ts";
import { getSignal } from "../tools/get-signal.ts";
import { scanSymbols } from "../tools/scan-symbols.ts";
import { screenUniverse } from "../tools/screen-universe.ts";

/** Looked at where no nightly run has finished and nobody names others: widely held funds, stocks and coins. */
const FOLLOWED =
  "SPY QQQ IWM AAPL MSFT NVDA AMZN GOOGL META TSLA AVGO JPM LLY XOM COST V BTC-USD ETH-USD SOL-USD XRP-USD".split(
    " ",
  );

const USES = [getSignal, screenUniverse, scanSymbols, getNews, getPredictionMarkets, detectEdge] as const;
type Call = Steps<(typeof USES)[number]>;
type Asked = z.output<typeof OperationInput>;
type Answer = z.input<typeof Output>;
type SignalAnswer = OutputOf<typeof getSignal>;

const Output = operationAnswer(OPERATIONS);

/** One door to what agents ask most: a signal, several, the strongest, news, prediction markets, an edge. */
export const runAgentOperation = defineAgent({
  name: "run_agent_operation",
  title: "Run agent operation",
  description:
    "The one endpoint (API) of the Agent SDK: runs an operation (op) by its name, all in one shape: signal (one symbol), batch (up to 20, each with its result or error), top (strongest of the nightly run), news, markets (prediction markets), edge (news against odds). Use it when a client sends {operation, symbol} or an agent picks the operation while it runs. A question that is known is better asked of its own tool: get_signal, scan_symbols, screen_universe, get_news, get_prediction_markets, detect_edge.",
  uses: USES,
  route: "GET /api/v1/agents",
  command: "agent",
  words: ["operation", "symbol"],
  input: OperationInput,
  output: Output,
  examples: [
    { ask: "Run the signal operation on Apple", input: { operation: "signal", symbol: "AAPL" } },
    {
      ask: "Signals of Microsoft, Nvidia and bitcoin",
      input: { operation: "batch", symbols: ["MSFT", "NVDA", "BTC-USD"] },
    },
    { ask: "The three strongest now", input: { operation: "top", limit: 3 } },
    { ask: "Run the news operation on Nvidia", input: { operation: "news", symbol: "NVDA" } },
    { ask: "What do prediction markets bet on in general?", input: { operation: "markets" } },
    { ask: "Run the edge operation on bitcoin", input: { operation: "edge", symbol: "BTC-USD" } },
  ],
  terminal: operationLines,

  run: (asked, steps) => RUN[asked.operation](asked, steps),
});

const RUN = {
  async signal({ symbol, timeframe = "1d", detail }, { call }) {
    const answer = await call(getSignal, { symbol: symbol!, timeframe, detail: "concise" });
    const row = signalRow(answer, detail);
    return told(
      {
        operation: "signal",
        tool: getSignal.name,
        symbol: row.symbol,
        timeframe,
        market: answer.data.market,
      },
      [row],
      { summary: inWords(row), notes: [...answer.data.notes, ...alsoInWords(answer.data.alternatives)] },
    );
  },

  async batch({ symbols = [], timeframe = "1d", detail }, { each }) {
    const asked = [...new Map(symbols.map((text) => [text.toUpperCase(), text])).values()];
    const inputs = asked.map((symbol) => ({ symbol, timeframe, detail: "concise" as const }));
    const outcomes = await each(getSignal, inputs);
    const rows = new Map<string, OperationRow>();
    const errors: ScanError[] = [];
    const notes: string[] = [];
    const said = new Map<string, string[]>();
    const names: string[] = [];
    for (const [place, { output, error }] of outcomes.entries()) {
      const name = output?.data.signal.symbol ?? asked[place]!;
      if (output !== null && rows.has(name)) {
        notes.push(`${asked[place]} means an instrument that was asked for already`);
        continue;
      }
      names.push(name);
      if (error !== null) errors.push(failed(name, error));
      else {
        rows.set(name, signalRow(output, detail));
        for (const note of output.data.notes) said.set(note, [...(said.get(note) ?? []), name]);
      }
    }
    const market = outcomes.find(({ output }) => output !== null)?.output?.data.market ?? null;
    return told({ operation: "batch", tool: getSignal.name, timeframe, market }, [...rows.values()], {
      summary: `${rows.size} of ${names.length} symbols have a signal${counted([...rows.values()])}`,
      symbols: names,
      errors,
      notes: [...notes, ...[...said].map(([note, of]) => `${of.join(", ")}: ${note}`)],
    });
  },

  async top({ symbols, limit, timeframe = "1d" }, { call }) {
    const run = symbols === undefined && timeframe === "1d" ? await newestRun(call, limit) : null;
    if (run !== null) {
      const rows = run.results.map(({ overallScore: score, actionCard, ...row }) =>
        lineRow({ ...row, ...actionCard, score }),
      );
      return told(
        { operation: "top", tool: screenUniverse.name, timeframe, market: run.market, runs: run.runs },
        rows,
        {
          summary: `The ${rows.length} strongest of ${run.total} in the nightly run over ${run.universe}${counted(rows)}`,
          notes: run.notes,
        },
      );
    }
    const scan = await call(scanSymbols, { symbols: symbols ?? FOLLOWED, timeframe });
    if (symbols === undefined && scan.count === 0)
      throw new ToolError(
        "NOT_ENOUGH_DATA",
        "There is no nightly run, and nothing widely followed can be scanned",
        {
          hint: "Name symbols of this market, or let `market-signal engine run --universe all` make a run.",
        },
      );
    const rows = scan.results.slice(0, limit).map(lineRow);
    const of = symbols === undefined ? "widely followed symbols" : "symbols";
    return told({ operation: "top", tool: scanSymbols.name, timeframe, market: scan.market }, rows, {
      summary: `The ${rows.length} strongest of ${scan.count} ${of}, scanned now${counted(rows)}`,
      errors: symbols === undefined ? [] : scan.errors,
      notes: [
        ...(symbols !== undefined
          ? []
          : [timeframe === "1d" ? "No nightly run has finished yet" : "Nightly runs are of daily bars"]),
        ...scan.notes,
      ],
    });
  },

  async news({ symbol, limit }, { call }) {
    const { news, aggregate, coverage, ...answer } = await call(getNews, { symbol: symbol!, limit });
    const rows = news.map(({ title, publisher, published_at, url, sentiment, relevance, source }) => ({
      symbol: answer.symbol,
      source,
      as_of: published_at,
      story: {
        title,
        publisher,
        published_at,
        url,
        sentiment: sentiment.label,
        score: sentiment.score,
        relevance,
      },
    }));
    const { stories, positive, negative, mean_score } = aggregate;
    return told(
      { operation: "news", tool: getNews.name, symbol: answer.symbol, market: answer.market },
      rows,
      {
        summary:
          stories === null
            ? `No list of news about ${answer.symbol} could be had: ${coverage.reason}`
            : `${stories} stories about ${answer.symbol} in ${answer.hours} hours, ${positive} positive and ${negative} negative; mean score ${mean_score?.toFixed(2) ?? `none: ${aggregate.reason}`}`,
        notes: [
          ...(coverage.note === null ? [] : [coverage.note]),
          ...(answer.stale ? ["No provider answers now: this is the last known answer"] : []),
          ...alsoInWords(answer.alternatives),
        ],
        as_of: answer.data_as_of,
      },
    );
  },

  async markets({ symbol, limit }, { call }) {
    const given = symbol === undefined ? {} : { symbol };
    const { contracts, ...answer } = await call(getPredictionMarkets, { ...given, limit });
    const sourceOf = new Map(answer.coverage.map(({ venue, source }) => [venue, source]));
    const rows = contracts.map(({ as_of, ...contract }) => ({
      ...{ symbol: answer.symbol, source: sourceOf.get(contract.venue) ?? null, as_of },
      contract,
    }));
    const about = answer.symbol === null ? "the economy" : answer.symbol;
    return told(
      { operation: "markets", tool: getPredictionMarkets.name, symbol: answer.symbol, market: answer.market },
      rows,
      {
        summary:
          answer.reason === null
            ? `${rows.length} of ${answer.total} open contracts about ${about}`
            : `No contracts about ${about}: ${answer.reason}`,
        notes: [
          ...answer.coverage.flatMap(({ venue, state, reason }) =>
            state === "answered" ? [] : [`${venue}: ${reason ?? state}`],
          ),
          ...alsoInWords(answer.alternatives),
        ],
        as_of: answer.as_of,
      },
    );
  },

  async edge({ symbol }, { call }) {
    const answer = await call(detectEdge, { sym: symbol! });
    const { type, score, actionability, divergence, null_reason, markets, news, as_of, market } = answer;
    const row = {
      symbol: answer.symbol,
      source: [...new Set([markets.source, news.source].filter((one) => one !== null))].join(", ") || null,
      as_of,
      edge: {
        ...{ type, score, actionability, divergence, null_reason },
        market_probability: answer.marketProbability,
        news_probability: answer.newsSentiment,
        ...{ question: markets.question, by: markets.by },
      },
    };
    return told({ operation: "edge", tool: detectEdge.name, symbol: answer.symbol, market }, [row], {
      summary: `${answer.symbol}: ${answer.recommendation}`,
      notes: [
        ...(markets.stale || news.stale ? ["A side does not answer now: its last known answer is told"] : []),
        ...alsoInWords(answer.alternatives),
      ],
    });
  },
} satisfies Record<Operation, (asked: Asked, steps: Call) => Promise<Answer>>;

/** The head of the newest run; null before the first one. */
const newestRun = (call: Call["call"], limit: number) =>
  call(screenUniverse, { limit, sort: "score" }).catch((cause: unknown) => {
    if (cause instanceof ToolError && cause.code === "NOT_ENOUGH_DATA") return null;
    throw cause;
  });

function signalRow({ data, data_as_of }: SignalAnswer, detail: Asked["detail"]): OperationRow {
  const { signal, price, price_source, bars, source, reasons } = data;
  const { symbol, direction, tier, score, grade, entry_zone, stop_loss, targets, levels_basis } = signal;
  return {
    symbol,
    source,
    as_of: [data_as_of, bars.as_of].sort().at(-1)!,
    signal: {
      ...{ direction, tier, score, grade },
      entry: worseEdge({ side: stop_loss < entry_zone.low ? "LONG" : "SHORT", entry: entry_zone }),
      stop: stop_loss,
      target: targets[0]!,
      rr: signal.reward_to_risk,
      ...{ levels_basis, price, price_source },
      ...(detail === "full" && { reasons }),
    },
  };
}

type Line = Pick<
  ScanRow,
  "symbol" | "tier" | "bias" | "score" | "grade" | "entry" | "stop" | "target" | "rr"
> &
  Pick<ScanRow, "levels_basis" | "close" | "as_of" | "source">;

const lineRow = ({ symbol, source, as_of, bias, close, ...line }: Line): OperationRow => {
  const { tier, score, grade, entry, stop, target, rr, levels_basis } = line;
  const signal = { direction: bias, tier, score, grade, entry, stop, target, rr, levels_basis };
  return { symbol, source, as_of, signal: { ...signal, price: close, price_source: "decision_bar" } };
};

const inWords = ({ symbol, signal }: OperationRow): string =>
  `${symbol}: ${signal!.direction}, grade ${signal!.grade ?? "none"}, score ${signal!.score?.toFixed(1) ?? "none"}`;

/** How many of the lines point which way. */
function counted(rows: readonly OperationRow[]): string {
  const count = (direction: string) => rows.filter(({ signal }) => signal?.direction === direction).length;
  return `: ${count("LONG")} LONG, ${count("SHORT")} SHORT, ${count("WAIT")} WAIT`;
}

function failed(symbol: string, { code, message, hint, data }: ToolError): ScanError {
  const figure = (name: string) => (typeof data?.[name] === "number" ? data[name] : null);
  return { symbol, code, message, hint: hint ?? null, have: figure("have"), need: figure("need") };
}
