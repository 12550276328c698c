import type { Timeframe } from "../../domain/market/bars.ts";
import type { Market } from "../../domain/market/market.ts";
import type { Clock, QueryHelp, Symbols, TaskCaller, Tasks, ToolSearch } from "../../domain/ports.ts";
import type { QuestionIntent, SkillResult } from "../../domain/requests/interpretation.ts";
import { isBusy, yieldToEventLoop } from "../../lib/event-loop.ts";
import { plainLetters } from "../../market/symbols/mentions/plain-letters.ts";
import type { Mention } from "../../market/symbols/mentions/span.ts";
import { answerOf, replyTo } from "./answer.ts";
import { caveatsOf } from "./caveats.ts";
import type { Definitions } from "./define.ts";
import { excludes } from "./details/negation.ts";
import { isOfEvent } from "./details/odds.ts";
import { topicsOf } from "./details/topics.ts";
import { unknownWordsNote } from "./details/unread.ts";
import { type ParsedQuery, readQuery, withoutMiddle } from "./language/read-query.ts";
import { likelyTickers } from "./likely-tickers.ts";
import { answerNotes, readingNotes } from "./notes.ts";
import { parsedQuestionOf } from "./parsed-question.ts";
import { planOf } from "./plan.ts";
import { priceOddsCalls, priceOddsNotes } from "./price-odds-calls.ts";
import { withQueryHelp } from "./query-help.ts";
import { asksWeakest, notInScore, rankingOf } from "./ranking.ts";
import { type Answered, callSkills } from "./results/call-skills.ts";
import { withinSize } from "./results/result-length.ts";
import { joinWords, when } from "./sentences.ts";
import { signalCalls } from "./skill-calls.ts";
import { isOfMarket, isWanted, refinedCall, toolsFor } from "./tools-for.ts";

/** A parsed question with its answer. */
export interface Interpretation {
  readonly intent: QuestionIntent;
  readonly timeframe: Timeframe | null;
  readonly mentions: readonly Mention[];
  readonly unresolved: readonly string[];
  readonly results: readonly SkillResult[];
  readonly notes: readonly string[];
  readonly answer: string;
}

interface InterpretContext extends TaskCaller {
  readonly symbols: Symbols;
  readonly tasks: Tasks;
  readonly market: Market;
  readonly queryHelp: QueryHelp;
  readonly toolSearch: ToolSearch;
  readonly clock: Clock;
}

/** Maximum number of symbols with unshortened figures and answers. */
const MAX_DETAILED = 3;
const RANKED: ReadonlySet<QuestionIntent> = new Set(["compare", "scan", "portfolio"]);

/**
 * Parses a question and calls the tools it needs: get_signal for every symbol it names, and the tools of its intent. A
 * tool's error becomes its result. `self` is the tool name for results that are computed here.
 */
export async function interpretationOf(
  request: { readonly query: string; readonly detail: "concise" | "full"; readonly self: string },
  ctx: InterpretContext,
): Promise<Interpretation> {
  const { detail, self } = request;
  const whole = plainLetters(request.query);
  const query = withoutMiddle(whole);
  const topics = topicsOf(query);
  if (isBusy()) await yieldToEventLoop();
  const parsedQuery = readQuery(whole, ctx.symbols, ctx.toolSearch.intentOf);
  if (isBusy()) await yieldToEventLoop();
  const { reading: helped, note } = await withQueryHelp(query, parsedQuery, ctx, isOfMarket(topics));
  const isOfNone = namesNone(helped) && !isOfMarket({ ...topics, flow: [] });
  const tickers = likelyTickers(query, ctx.symbols, isOfNone ? "all" : "first");
  const reading =
    tickers.length === 0 ? helped : { ...helped, mentions: uniqueMentions([...tickers, ...helped.mentions]) };
  const { parsed, unusableDay } = parsedQuestionOf(query, { reading, topics }, ctx.clock.now());
  const { mentions, unresolved, definitions } = parsed;
  const priceOddsPlan = priceOddsCalls(parsed);
  const { intent, orders, likely, words, isOutside, isForTool, extra } = toolsFor(
    parsed,
    priceOddsPlan.calls,
    {
      toolSearch: ctx.toolSearch,
      names: [...reading.excluded.map(({ text }) => text), ...reading.unresolved],
    },
  );
  const isServed = extra.length > 0;
  const plan = planOf(parsed, {
    extra: [...priceOddsPlan.calls, ...extra],
    isWanted: (call) => likely === null || isWanted(call, likely),
  });
  const calls = isOutside
    ? []
    : [...signalCalls(parsed), ...plan.calls.map((call) => refinedCall(call, likely?.refined ?? []))];
  const answered = await callSkills(calls, {
    ...ctx,
    caller: ctx,
    detail,
    dataDetail: calls.length > MAX_DETAILED ? "concise" : detail,
    brief: mentions.length > MAX_DETAILED,
    odds: { level: topics.level, query, isOfEvent: isOfEvent(query, mentions.flatMap(namesOf)) },
  });
  const signals = answered.slice(0, isOutside ? 0 : mentions.length);
  const others = answered.slice(signals.length);
  // a comparison of dividends or returns is no comparison of scores
  const isOfOther = likely?.tool != null && extra.some(({ skill }) => skill !== "scan_symbols");
  const ranking =
    RANKED.has(intent) && !isOutside && !isOfOther
      ? rankingOf(signals.map(scoreOf), {
          weakest: asksWeakest(query),
          outsideScore: notInScore(query),
        })
      : null;
  const caveats = caveatsOf(parsed, {
    calls,
    others: others.map(({ result }) => result),
    unanswered: plan.unanswered,
    notListed: ctx.symbols.notListed,
  });
  const results = [
    ...answered.map(({ result }) => result),
    ...ownResults(self, ranking?.figures ?? null, parsed.asOf, definitions),
  ];
  // questions on odds are matched to contracts word by word or read by their levels, so unknown words are no problem
  const isRead =
    isServed ||
    topics.odds !== null ||
    priceOddsPlan.calls.some(({ part }) => part !== "volatility") ||
    (intent === "unknown" && reading !== parsedQuery);
  const unread = answered.length === 0 || isRead ? null : unknownWordsNote(query, { ...words, intent });
  const sized = withinSize(results, { detail, first: plan.calls.map(({ skill }) => skill) });
  return {
    intent,
    timeframe: reading.timeframe,
    mentions,
    unresolved,
    results: sized.results,
    notes: [
      ...when(
        tickers.length > 0,
        `Read as tickers: ${joinWords(tickers.map(({ text }) => text.toUpperCase()))}; write $ before a ticker to be sure`,
      ),
      ...[unread, note].filter((text) => text !== null),
      ...when(unusableDay !== null, `${unusableDay} is not a past day; the answer is current`),
      ...when(
        isServed && reading.excluded.length === 0 && excludes(query),
        "The question excludes something; the answer may contain it",
      ),
      ...readingNotes(reading, [
        ...priceOddsPlan.notes,
        ...priceOddsNotes(parsed, results),
        ...caveats.notes,
      ]),
      ...when(
        plan.omitted > 0 && plan.unanswered.length === 0,
        `Besides the signals, ${plan.calls.length} of ${plan.calls.length + plan.omitted} answers are given; name fewer symbols for more`,
      ),
      ...answerNotes(answered, detail),
      ...sized.notes,
    ],
    answer: answerOf({
      intent,
      market: ctx.market.mode,
      detail,
      signals,
      others,
      ranking: ranking?.sentence ?? null,
      definitions: isForTool || isOutside ? null : definitions,
      unserved: [
        ...when(orders.length > 0 && !isOutside, `Orders are not executed here: ${joinWords(orders)}.`),
        ...(calls.length === signals.length || isOutside ? (likely?.replies ?? []) : []),
        ...(isOutside || orders.length > 0 ? [] : (likely?.notDone ?? [])),
        ...caveats.refused,
      ],
      leading: [
        ...when(unusableDay !== null, `${unusableDay} is not a past day; this is current.`),
        ...unresolved.flatMap((name) => {
          const other = ctx.symbols.notListed?.(name) ?? null;
          return other === null ? [] : [`${name} ${other.reason}. ${other.hint}`];
        }),
        ...caveats.leading,
      ],
      following: caveats.following,
      reply: replyTo(query),
      cashtag: /\$[A-Za-z]/.test(query),
      unresolved,
    }),
  };
}

/** Returns the results that are computed here: the ranking, the past day of the answer and the defined terms. */
function ownResults(
  skill: string,
  ranking: SkillResult["figures"],
  asOf: string | null,
  definitions: Definitions | null,
): readonly SkillResult[] {
  const terms = (definitions?.terms ?? []).map(({ term, meaning }) => ({ term, meaning }));
  return [ranking, asOf === null ? null : { as_of: asOf }, terms.length === 0 ? null : { terms }]
    .filter((figures) => figures !== null)
    .map((figures) => ({ symbol: null, skill, figures, data: null, error: null }));
}

const uniqueMentions = (mentions: readonly Mention[]): readonly Mention[] => [
  ...new Map(mentions.map((mention) => [mention.instrument.symbol, mention])).values(),
];

/** Returns true if a request names no instrument, known or unknown. */
const namesNone = ({ mentions, unresolved, excluded }: ParsedQuery): boolean =>
  mentions.length + unresolved.length + excluded.length === 0;

const namesOf = ({ text, instrument: { symbol, name } }: Mention) => [name, text, symbol];

function scoreOf({ result: { symbol, figures } }: Answered) {
  const score = figures?.score;
  const direction = figures?.direction;
  return {
    symbol: symbol ?? "",
    score: typeof score === "number" ? score : null,
    direction: typeof direction === "string" ? direction : null,
  };
}
