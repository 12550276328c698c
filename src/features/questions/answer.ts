import type { Market } from "../../domain/market/market.ts";
import type { Intent } from "../../domain/questions/interpretation.ts";
import type { Answered } from "./ask-all.ts";
import type { Definitions } from "./define.ts";
import { listed } from "./told/told.ts";

/** What the words of an answer are made of. */
export interface Ground {
  readonly intent: Intent;
  readonly market: Market["mode"];
  readonly signals: readonly Answered[];
  /** What was asked for besides the signals. */
  readonly others: readonly Answered[];
  /** The sentence that sets the signals side by side. */
  readonly ranking: string | null;
  readonly definitions: Definitions | null;
  /** What is asked and not answered, or bidden and not done, which is said first of all. */
  readonly unserved: readonly string[];
  /** What is said before any figure of what the answer is not. */
  readonly leading: readonly string[];
  /** What is said of what was asked for besides the signals, after it. */
  readonly following: readonly string[];
  /** What is said in return of thanks or a farewell; null where words greet or ask. */
  readonly returned: string | null;
  /** Whether the question writes a cashtag. */
  readonly cashtag: boolean;
  readonly unresolved: readonly string[];
}

const EXAMPLES = "'What is the signal on Apple?', 'News on Nvidia' or 'What is Congress buying?'";
const ASKABLE =
  "Ask for a signal, a comparison, a scan of the market, news, earnings, options, dark-pool or Congress flow, odds of prediction markets or what a term means";
/** Signals put into words, alone and beside what else was asked for; the others stand in the results. */
const MOST_TOLD = { alone: 5, beside: 2 } as const;

/**
 * The answer in words: of the query it holds nothing but names, and of numbers only those that stand in the results.
 */
export function answerOf(ground: Ground): string {
  const { intent, market, signals, others, ranking, unresolved } = ground;
  const most = others.length === 0 ? MOST_TOLD.alone : MOST_TOLD.beside;
  const told = signals.slice(0, most).map(({ sentence }) => sentence);
  const isUnknown = signals.length === 0 && unresolved.length > 0;
  const hasData = [...signals, ...others].some(({ result }) => result.data !== null);
  const sentences = [
    ...(isUnknown ? unknownNames(unresolved, ground.cashtag) : []),
    ...ground.unserved,
    ...(isUnknown && others.length === 0 && NAMING.has(intent) ? [] : opening(ground)),
    ...ground.leading,
    ...(ranking === null ? [] : [ranking]),
    ...others.map(({ sentence }) => sentence),
    ...ground.following,
    ...told,
    ...(signals.length > most ? ["The others are in the results."] : []),
    ...(market === "sample" && hasData ? ["Every figure is SAMPLE, of a simulated market."] : []),
    ...(isUnknown ? [] : unknownNames(unresolved, ground.cashtag)),
    ...(intent === "unknown" && signals.length + others.length === 0
      ? [`${ASKABLE}, such as ${EXAMPLES}.`]
      : []),
  ];
  // what follows a colon goes on
  return sentences
    .reduce(
      (said, one) =>
        said.endsWith(":")
          ? `${said} ${one.replace(/^[NOT](?=[a-z])/, (first) => first.toLowerCase())}`
          : `${said} ${one}`,
      "",
    )
    .trimStart();
}

/** What is said before any figure. */
function opening({
  intent,
  signals,
  others,
  definitions,
  unresolved,
  unserved,
  returned,
}: Ground): readonly string[] {
  const isBare = signals.length + others.length === 0;
  switch (intent) {
    case "greeting":
      return [returned ?? `Hello. ${ASKABLE}: for instance ${EXAMPLES}.`];
    case "definition":
      return definitionsIn(definitions, isBare);
    case "portfolio":
      return [
        "What is held is not looked at here: list_positions tells it, with what follows from each signal.",
        ...(isBare ? ["Name what is held, and each position's signal is told."] : []),
      ];
    case "unknown":
      return isBare && unserved.length === 0
        ? [unresolved.length > 0 ? "It is not clear what is asked for." : "Nothing was recognised."]
        : [];
    default:
      return isBare && unserved.length === 0
        ? [
            `This was read as a question about ${ABOUT[intent]}, and no instrument was recognised in it. Name one by its ticker, a cashtag such as $AAPL or its name.`,
          ]
        : [];
  }
}

/** Intents of which nothing more is to be said once the name is unknown. */
const NAMING: ReadonlySet<Intent> = new Set(["signal", "compare", "scan", "news", "earnings", "flow"]);

const ABOUT: Readonly<Record<Exclude<Intent, "greeting" | "definition" | "portfolio" | "unknown">, string>> =
  {
    signal: "a signal",
    compare: "a comparison",
    scan: "a scan",
    news: "news",
    earnings: "earnings",
    flow: "flow",
  };

function definitionsIn(definitions: Definitions | null, isBare: boolean): readonly string[] {
  const { terms, exact } = definitions ?? { terms: [], exact: false };
  if (terms.length === 0)
    return isBare
      ? ["The glossary has no such term; it holds what the answers here use, such as RSI, grade or Spring."]
      : [];
  const lines = terms.map(({ term, meaning }) => `${term}: ${meaning}`);
  return exact ? lines : ["The nearest term of the glossary:", ...lines];
}

const MOST_NAMED = 3;

/** Names that nobody knows, as single plain words, with what to do about them. */
function unknownNames(unresolved: readonly string[], cashtag: boolean): readonly string[] {
  const names = unresolved.filter((word) => /^[\p{L}\p{N}.&'-]{1,20}$/u.test(word)).slice(0, MOST_NAMED);
  if (unresolved.length === 0) return [];
  const more = unresolved.length - names.length;
  const quoted = names.map((name) => `"${name}"`);
  const which =
    names.length === 0
      ? "a name in it"
      : more === 0
        ? listed(quoted)
        : `${quoted.join(", ")} and ${more} more (see unresolved)`;
  const advice = cashtag ? "" : ", and a cashtag such as $AAPL is always read as a ticker";
  return [`Not known or not held here: ${which}. resolve_symbol finds near names${advice}.`];
}
