import type { Market } from "../../domain/market/market.ts";
import type { QuestionIntent, SkillResult } from "../../domain/requests/interpretation.ts";
import subjects from "./data/subjects.json" with { type: "json" };
import words from "./data/words.json" with { type: "json" };
import type { Definitions } from "./define.ts";
import { patterns } from "./phrases.ts";
import type { Answered } from "./results/call-skills.ts";
import { joinWords, when } from "./sentences.ts";

/** Parts from which the answer text is built. */
export interface AnswerParts {
  readonly intent: QuestionIntent;
  readonly market: Market["mode"];
  readonly detail: "concise" | "full";
  readonly signals: readonly Answered[];
  /** Answers of other tools. */
  readonly others: readonly Answered[];
  /** The sentence that ranks the signals. */
  readonly ranking: string | null;
  readonly definitions: Definitions | null;
  /** Sentences on what is not answered or not done. */
  readonly unserved: readonly string[];
  /** Sentences before the figures on what the answer does not cover. */
  readonly leading: readonly string[];
  /** Sentences after the answers of other tools. */
  readonly following: readonly string[];
  /** The reply to thanks or a farewell; null for any other question. */
  readonly reply: string | null;
  /** true: the question contains a cashtag. */
  readonly cashtag: boolean;
  readonly unresolved: readonly string[];
}

const EXAMPLES = "'What is the signal on Apple?', 'News on Nvidia' or 'What is Congress buying?'";
/** Maximum number of signals in the text of a concise answer; the results contain all of them. */
const MAX_CONCISE_SIGNALS = 6;
const TOPICS =
  "Ask for a signal, a comparison, a scan of the market, news, earnings, options, dark-pool or Congress flow, odds of prediction markets or what a term means";

/**
 * Returns the answer text: our sentences, then the texts of the tools, each on separate lines. From the question it
 * repeats only names.
 */
export function answerOf(parts: AnswerParts): string {
  const { intent, market, detail, signals, others, ranking, unresolved } = parts;
  const shown = detail === "concise" ? signals.slice(0, MAX_CONCISE_SIGNALS) : signals;
  const results = [...others, ...signals];
  const hasSignals = signals.length > 0;
  const names = unknownNames(unresolved, parts.cashtag);
  const hasData = results.some(({ result }) => result.data !== null);
  const intro = [
    ...(hasSignals ? [] : names),
    ...parts.unserved,
    ...openingOf(parts),
    ...parts.leading,
    when(ranking !== null && signals.some(({ stale }) => stale), "Some of these signals are on stale bars."),
    ranking ?? [],
  ].flat();
  const closing = [
    when(shown.length < signals.length, "The other signals are in the results."),
    when(market === "sample" && hasData, "Every figure is SAMPLE data of a simulated market."),
    hasSignals ? names : [],
    when(
      intent === "unknown" && results.length === 0 && parts.unserved.length === 0,
      `${TOPICS}, such as ${EXAMPLES}.`,
    ),
  ].flat();
  return [
    intro.join(" "),
    ...others.map(({ result, text }) => (results.length === 1 ? text : `${headingOf(result)}\n${text}`)),
    ...parts.following,
    ...shown.map(({ text }) => text),
    closing.join(" "),
  ]
    .filter((text) => text !== "")
    .join("\n");
}

/** Returns the heading of one of several texts: the tool and the symbol for which it was called. */
const headingOf = ({ skill, symbol }: SkillResult): string =>
  symbol === null ? `${skill}:` : `${skill} ${symbol}:`;

/** Returns the sentences that precede all figures. */
function openingOf(parts: AnswerParts): readonly string[] {
  const { intent, signals, others, definitions, unresolved, unserved, reply } = parts;
  const isEmpty = signals.length + others.length === 0;
  switch (intent) {
    case "greeting":
      return [reply ?? `Hello. ${TOPICS}: for instance ${EXAMPLES}.`];
    case "definition":
      return definitionsIn(definitions, isEmpty);
    case "unknown":
      return when(
        isEmpty && unserved.length === 0,
        unresolved.length > 0
          ? "It is not clear what the question asks for."
          : "Nothing was understood; English works best.",
      );
    default:
      return when(
        // the note on an unknown name is enough
        isEmpty && unserved.length === 0 && unresolved.length === 0,
        `This looks like a question about ${SUBJECTS[intent] ?? intent}, but no instrument was recognised in it. Name one by its ticker, a cashtag such as $AAPL or its name.`,
      );
  }
}

const SUBJECTS: Readonly<Record<string, string>> = subjects.requested;

function definitionsIn(definitions: Definitions | null, isEmpty: boolean): readonly string[] {
  const { terms, exact } = definitions ?? { terms: [], exact: false };
  if (terms.length === 0)
    return when(
      isEmpty,
      "The glossary lacks this term; it has terms used in answers, such as RSI, grade or Spring.",
    );
  const lines = terms.map(({ term, meaning }) => `${term}: ${meaning}`);
  return exact ? lines : ["The most similar term in the glossary:", ...lines];
}

const MAX_NAMES = 3;

/** Returns a sentence on unknown names, quoting only single plain words, with what to do about them. */
function unknownNames(unresolved: readonly string[], cashtag: boolean): readonly string[] {
  if (unresolved.length === 0) return [];
  const plain = unresolved.filter((word) => /^[\p{L}\p{N}.&'-]{1,20}$/u.test(word)).slice(0, MAX_NAMES);
  const more = unresolved.length - plain.length;
  const quoted = plain.map((name) => `"${name}"`);
  const others = when(more > 0, `${more} more (see unresolved)`);
  const which = plain.length === 0 ? "a name in the question" : joinWords([...quoted, ...others]);
  const advice = cashtag ? "" : ", and a cashtag such as $AAPL is always read as a ticker";
  return [`Unknown: ${which}. resolve_symbol finds similar names${advice}.`];
}

const SAYS = patterns(words.greeting);
const ASKS = /\?|\b(what|who|how|can|hi|hello|hey)\b/i;

/** Returns the reply to thanks or a farewell; null for any other text. */
export function replyTo(query: string): string | null {
  if (ASKS.test(query)) return null;
  return SAYS.farewell.test(query) ? "Goodbye." : SAYS.thanks.test(query) ? "You are welcome." : null;
}
