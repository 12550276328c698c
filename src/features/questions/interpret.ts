import type { Timeframe } from "../../domain/market/bars.ts";
import type { Market } from "../../domain/market/market.ts";
import type { Clock, QueryHelp, Symbols, TaskCaller, Tasks } from "../../domain/ports.ts";
import type { Intent, SkillResult } from "../../domain/questions/interpretation.ts";
import { MAX_SYMBOLS } from "../../domain/questions/task.ts";
import type { Mention } from "../../market/symbols/mentions/mention.ts";
import { plainLetters } from "../../market/symbols/mentions/plain-letters.ts";
import { answerOf } from "./answer.ts";
import { type Answered, askAll } from "./ask-all.ts";
import { actsIn } from "./asked/acts.ts";
import { isOfEvent, namedWithOdds } from "./asked/event.ts";
import { returned } from "./asked/greeting.ts";
import { meantBy, namesOf } from "./asked/list.ts";
import { pastIn } from "./asked/past.ts";
import { type Topics, topicsOf } from "./asked/topics.ts";
import { unreadTold } from "./asked/unread.ts";
import { signalAsks } from "./asks.ts";
import { framed } from "./caveats.ts";
import { definitionsIn } from "./define.ts";
import { withHelp } from "./helped.ts";
import { endsOf } from "./language/longest-read.ts";
import { readQuery } from "./language/read-query.ts";
import { notesTold, readingNotes } from "./notes.ts";
import { isOnlySaid, plannedOf } from "./planned.ts";
import { asksWeakest, isOfElse, toldRanking, untoldIn } from "./ranking.ts";
import { withinRoom } from "./room.ts";
import { listed } from "./told/told.ts";
import { besidesIn, servedOf, unservedTold } from "./unserved.ts";

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
  readonly clock: Clock;
}

/** Symbols up to which levels stand among the figures. */
const MOST_IN_LENGTH = 3;
/** Intents of which the state on a past day can be asked. */
const TIMED: ReadonlySet<Intent> = new Set(["signal", "compare"]);
const RANKED: ReadonlySet<Intent> = new Set(["compare", "scan", "portfolio"]);

/**
 * Reads a question and asks for what it wants: the signal of every symbol it names, and what its intent is about. What a
 * symbol has no data for stands in its result. `self` is the tool that answers in its own name.
 */
export async function interpretationOf(
  {
    query: text,
    detail,
    self,
  }: { readonly query: string; readonly detail: "concise" | "full"; readonly self: string },
  ctx: Connected,
): Promise<Interpretation> {
  const whole = plainLetters(text);
  const query = endsOf(whole);
  const topics = topicsOf(query);
  const { reading, note } = await withHelp(query, readQuery(whole, ctx.symbols), ctx, isOfMarket(topics));
  const mentions = reading.mentions.slice(0, MAX_SYMBOLS);
  const definitions = reading.intent === "definition" ? definitionsIn(query) : null;
  const unresolved = namesOf(reading.unresolved, topics);
  const named = mentions.length + unresolved.length;
  const intent = meantBy(reading.intent, { ...topics, named });
  const past = pastIn(query, ctx.clock.now(), intent);
  const understood = {
    intent,
    isDefined: definitions?.exact ?? false,
    timeframe: reading.timeframe,
    symbols: mentions.map(({ instrument }) => instrument.symbol),
    unresolved,
    topics,
    oddsOn: namedWithOdds(query, mentions).map(({ instrument }) => instrument.symbol),
    excluded: reading.excluded.map(({ instrument }) => instrument.symbol),
    asOf: TIMED.has(intent) ? (past?.day ?? null) : null,
  };
  const asked = besidesIn(query, understood);
  const served = servedOf(asked, understood);
  const { besides, wanted, unanswered } = plannedOf(understood, {
    symbols: mentions.length,
    asked: served.asks,
    instead: asked.length > 0 && isOnlySaid(understood),
    query,
  });
  const asks = [...signalAsks(understood), ...wanted];
  const answered = await askAll(asks, {
    ...ctx,
    caller: ctx,
    detail: asks.length > MOST_IN_LENGTH ? "concise" : detail,
    brief: mentions.length > MOST_IN_LENGTH,
    odds: {
      level: topics.level,
      query,
      asOf: understood.asOf,
      isOfEvent: isOfEvent(query, mentions.flatMap(namesIn)),
    },
  });
  const signals = answered.slice(0, mentions.length);
  const others = answered.slice(mentions.length);
  // which has the higher score is no answer to which rose more
  const isElse = isOfElse(asked.map(({ label }) => label));
  const untold = untoldIn(query);
  const ranking =
    RANKED.has(intent) && !isElse
      ? toldRanking(signals.map(scoreOf), { weakest: asksWeakest(query), untold })
      : null;
  const unserved = unservedTold(
    served.left.filter(({ label }) => ranking === null || !untold.includes(label)),
  );
  const acts = actsIn(query);
  const frame = framed({
    ...understood,
    mentions,
    past,
    others: others.map(({ result }) => result),
    unanswered,
  });
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
    ...(understood.asOf === null ? [] : [own({ as_of: understood.asOf })]),
    ...(definitions === null || definitions.terms.length === 0
      ? []
      : [own({ terms: definitions.terms.map(({ term, meaning }) => ({ term, meaning })) })]),
  ];
  // what odds are asked of is matched word by word
  const unread =
    answered.length === 0 || topics.odds !== null
      ? null
      : unreadTold(query, {
          intent,
          labels: asked.map(({ label }) => label),
          mentions,
          names: [...reading.excluded.map((one) => one.text), ...reading.unresolved],
        });
  const fitted = withinRoom(results, { detail, first: wanted.map(({ skill }) => skill) });
  return {
    intent,
    timeframe: reading.timeframe,
    mentions,
    unresolved,
    results: fitted.results,
    notes: [
      ...(unread === null ? [] : [unread]),
      ...(note === null ? [] : [note]),
      ...readingNotes({ reading, notes: frame.notes }),
      ...(besides.length > wanted.length && unanswered.length === 0
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
      unserved: [
        ...(acts.length === 0 ? [] : [`A question is answered and nothing is done: ${listed(acts)}.`]),
        ...unserved,
      ],
      leading: frame.leading,
      following: frame.following,
      returned: returned(query),
      cashtag: /\$[A-Za-z]/.test(query),
      unresolved,
    }),
  };
}

/** Whether what is asked is of the whole market, so that no name is missing. */
const isOfMarket = ({ hours, mood, odds, asksTraders, flow }: Topics): boolean =>
  hours || mood || odds !== null || asksTraders || flow.length > 0;

const namesIn = ({ text, instrument: { symbol, name } }: Mention) => [name, text, symbol];

function scoreOf({ result: { symbol, figures } }: Answered) {
  const score = figures?.score;
  const direction = figures?.direction;
  return {
    symbol: symbol ?? "",
    score: typeof score === "number" ? score : null,
    direction: typeof direction === "string" ? direction : null,
  };
}
