import type { Timeframe } from "../../domain/bars.ts";
import { TIMEFRAMES } from "../../domain/bars.ts";
import type { Intent, SkillResult } from "../../domain/interpretation.ts";
import type { Market } from "../../domain/market.ts";
import { MOST_SYMBOLS } from "../../domain/task.ts";
import type { QueryHelp, Symbols, TaskCaller, Tasks } from "../../ports/index.ts";
import { readQuery } from "../language/read-query.ts";
import type { Mention } from "../language/reading.ts";
import { answerOf } from "./answer.ts";
import { type Answered, askAll } from "./ask-all.ts";
import { asksOf, roomFor, signalAsks } from "./asks.ts";
import { definitionsIn } from "./define.ts";
import { withHelp } from "./helped.ts";
import { notesTold } from "./notes-told.ts";
import { withinRoom } from "./room.ts";
import { toldRanking } from "./told-signal.ts";
import { topicsOf } from "./topics.ts";

/** A question in plain words, understood and answered. */
export interface Interpretation {
  readonly intent: Intent;
  readonly timeframe: Timeframe | null;
  readonly mentions: readonly Mention[];
  readonly unresolved: readonly string[];
  readonly results: readonly SkillResult[];
  readonly notes: readonly string[];
  readonly answer: string;
}

interface Connected extends TaskCaller {
  readonly symbols: Symbols;
  readonly tasks: Tasks;
  readonly market: Market;
  readonly queryHelp: QueryHelp;
}

/** Symbols up to which levels stand among the figures. */
const MOST_IN_LENGTH = 3;
const RANKED: ReadonlySet<Intent> = new Set(["compare", "scan", "portfolio"]);

/**
 * Reads a question and asks for what it wants: the signal of every symbol it names, and what its intent is about. What a
 * symbol has no data for stands in its result. `self` is the tool that answers in its own name.
 */
export async function interpretationOf(
  {
    query,
    detail,
    self,
  }: { readonly query: string; readonly detail: "concise" | "full"; readonly self: string },
  ctx: Connected,
): Promise<Interpretation> {
  const { reading, note } = await withHelp(query, readQuery(query, ctx.symbols), ctx);
  const mentions = reading.mentions.slice(0, MOST_SYMBOLS);
  const topics = topicsOf(query);
  const definitions = reading.intent === "definition" ? definitionsIn(query) : null;
  const isOpen = reading.intent === "signal" || reading.intent === "unknown";
  const intent = isOpen && topics.asksTraders ? "flow" : reading.intent;
  const understood = {
    intent,
    isDefined: definitions?.exact ?? false,
    timeframe: reading.timeframe,
    symbols: mentions.map(({ instrument }) => instrument.symbol),
    topics,
  };
  const besides = asksOf(understood);
  const wanted = besides.slice(0, roomFor(mentions.length));
  const asks = [...signalAsks(understood), ...wanted];
  const answered = await askAll(asks, {
    ...ctx,
    caller: ctx,
    detail: asks.length > MOST_IN_LENGTH ? "concise" : detail,
    brief: mentions.length > MOST_IN_LENGTH,
    odds: { level: topics.level, query },
  });
  const signals = answered.slice(0, mentions.length);
  const others = answered.slice(mentions.length);
  const ranking = RANKED.has(intent) ? toldRanking(signals.map(scoreOf)) : null;
  const own = (figures: Readonly<Record<string, unknown>>): SkillResult => ({
    symbol: null,
    skill: self,
    figures,
    data: null,
    error: null,
  });
  const results = [
    ...[...signals, ...others].map(({ result }) => result),
    ...(ranking === null ? [] : [own(ranking.figures)]),
    ...(definitions === null || definitions.terms.length === 0
      ? []
      : [own({ terms: definitions.terms.map(({ term, meaning }) => ({ term, meaning })) })]),
  ];
  const fitted = withinRoom(results, { detail, first: wanted.map(({ skill }) => skill) });
  return {
    intent,
    timeframe: reading.timeframe,
    mentions,
    unresolved: reading.unresolved,
    results: fitted.results,
    notes: [
      ...(note === null ? [] : [note]),
      ...(reading.unserved === null
        ? []
        : [
            `There are no bars of the length asked for; these are daily. Bar lengths: ${TIMEFRAMES.join(", ")}`,
          ]),
      ...(reading.mentions.length > MOST_SYMBOLS
        ? [
            `${reading.mentions.length} symbols are named; the first ${MOST_SYMBOLS} are answered, ${reading.mentions.length - MOST_SYMBOLS} left out`,
          ]
        : []),
      ...(besides.length > wanted.length
        ? [
            `Besides the signals, ${wanted.length} of ${besides.length} answers are given; name fewer symbols for more`,
          ]
        : []),
      ...notesTold(answered, detail),
      ...fitted.notes,
    ],
    answer: answerOf({
      intent,
      market: ctx.market.mode,
      signals,
      others,
      ranking: ranking?.sentence ?? null,
      definitions,
      unresolved: reading.unresolved,
    }),
  };
}

function scoreOf({ result: { symbol, figures } }: Answered) {
  const score = figures?.score;
  return { symbol: symbol ?? "", score: typeof score === "number" ? score : null };
}
