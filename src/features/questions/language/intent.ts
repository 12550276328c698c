import type { Intent } from "../../../domain/questions/interpretation.ts";
import type { Span } from "../../../market/symbols/mentions/span.ts";
import type { Words } from "../../../market/symbols/mentions/words.ts";
import intents from "../data/intents.json" with { type: "json" };
import politicians from "../data/politicians.json" with { type: "json" };
import { pattern } from "../phrases.ts";
import { wordsOfLines } from "../words-of-data.ts";
import { withoutAside } from "./aside.ts";
import { TERM_NAMES } from "./glossary.ts";
import { plainWords } from "./plain-words.ts";

/** The instruments of a question, read before its intent. */
export interface Named {
  readonly spans: readonly Span[];
  /** Instruments that are named, known or not. */
  readonly named: number;
}

/** A question as the rules of intents read it. */
interface Question {
  /** The words in lower case, misspelt ones corrected. */
  readonly said: string;
  readonly named: number;
  /** true: two named instruments stand about an `or`. */
  readonly choice: boolean;
  /** true: an instrument is called the asker's own, such as `my tesla`. */
  readonly own: boolean;
  /** true: only what an instrument is is asked, such as `what is bitcoin`. */
  readonly bare: boolean;
}

type Condition = (question: Question) => boolean;
type Rule = readonly [Intent, Condition];

/** Builds a condition that holds where any of the phrases is in the question. */
const says = (phrases: readonly string[]): Condition => {
  // words of a normalised question are separated by spaces alone
  const found = pattern(phrases, "u", "\\S");
  return ({ said }) => found.test(said);
};

const MEMBERS_OF_CONGRESS = politicians.map((name) => `${name}('s?)?`);
const TERM_WORDS = wordsOfLines(intents.term);
const GREETING_WORDS = wordsOfLines(intents.greetingWords);

const isList = says(intents.list);
const isNarrowed = says(intents.narrowed);
const isQuestion = says(intents.question);
const isScan: Condition = (question) => isList(question) || (isNarrowed(question) && !isQuestion(question));
const ranksNamed = says(intents.rankNamed);
const isOfHours = says(intents.hours);
const isOfMood = says(intents.mood);
const isStory = says(intents.story);
const isOffTopic = says(intents.offTopic);
const isOrder = says(intents.order);
const asksMeaning = says(intents.meaning);
const asksHowItWorks = says(intents.howItWorks);
const isVerdict = says(intents.verdict);
const isOfTraders = says(intents.traders);
const isOfPortfolio = says(intents.portfolio);
const isOfCongress = says([...intents.congress, ...MEMBERS_OF_CONGRESS]);
const isFlow = says([...intents.flow, ...MEMBERS_OF_CONGRESS]);
const isEarnings = says(intents.earnings);
const isNews = says(intents.news);
const isNewsOfMarket = says(intents.newsOfMarket);
const isAboutAssistant = says(intents.aboutTheAssistant);
const greets = says(intents.greets);
const isComparison = says(intents.compare);
const isScanOfNamed = says(intents.scanNamed);
const isSignal = says([...intents.signal, ...intents.odds]);

/** Nobody in particular is asked about, but the hours or the mood of the market. */
const isOfMarket: Condition = (question) =>
  question.named === 0 && (isOfHours(question) || isOfMood(question)) && !isStory(question);

const isGreeting: Condition = (question) =>
  question.said.split(" ").every((word) => GREETING_WORDS.has(word)) && greets(question);

const DEFINES = "(?:what is|what are|what was|explain|describe|define)(?: me| to me)?";
/** A term alone: `what is ICS`, `explain reward to risk to me`. */
const OF_TERM = new RegExp(
  `\\b${DEFINES} (?:an? |the )?((?:\\S+ ?){1,5}?) ?(?:(?:to me|please|exactly|again|mean|(?:in|on) (?:the )?(?:stock )?(?:trading|stocks|investing|finance|markets?)|in (?:simple|plain) \\S+) ?)*$`,
);
const DEFINED = new RegExp(`\\b${DEFINES}((?: \\S+){1,6})`);
const NO_TERM = says(intents.noTerm);
const PRAISE = says(intents.praise);
const OF_TODAY = says(intents.ofToday);

const namesTerm = ({ said }: Question): boolean => {
  const name = OF_TERM.exec(said)?.[1]?.trim().replaceAll("’", "'") ?? "";
  return TERM_NAMES.has(name) || TERM_NAMES.has(name.replace(/s$/, ""));
};

/** `what is a ...` or `explain ...` is followed by a term, and not by an instrument or something of today. */
function asksTerm(question: Question): boolean {
  const { said, named } = question;
  if (named === 0 && namesTerm(question)) return true;
  const rest = DEFINED.exec(said)?.[1]?.trim();
  if (rest === undefined) return false;
  const after = { ...question, said: rest };
  if (NO_TERM(after)) return false;
  if (named === 0 && asksHowItWorks(question)) return true;
  const hasArticle = /^an? /.test(rest);
  if (hasArticle && named === 0) return !PRAISE(after);
  const isTerm = rest.split(" ").some((word) => TERM_WORDS.has(word.replaceAll(/['’?]/g, "")));
  return isTerm && !(named > 0 && OF_TODAY(after)) && (named === 0 || hasArticle);
}

/** The first rule that holds is the intent. */
const RULES: readonly Rule[] = [
  ["unknown", (question) => isOrder(question) || isOffTopic(question)],
  [
    "definition",
    (question) =>
      question.bare ||
      ((asksMeaning(question) || (asksTerm(question) && !isOfTraders(question))) &&
        !(question.named > 0 && isVerdict(question))),
  ],
  ["portfolio", (question) => question.own || (isOfPortfolio(question) && !isOfCongress(question))],
  ["signal", (question) => isOfMarket(question) && !isScan(question)],
  ["flow", isFlow],
  ["earnings", isEarnings],
  ["news", (question) => isNews(question) && (question.named > 0 || isNewsOfMarket(question))],
  [
    "scan",
    (question) => (question.named === 0 ? isScan(question) : question.named > 2 && ranksNamed(question)),
  ],
  ["compare", (question) => question.named > 1 && (question.choice || isComparison(question))],
  ["scan", (question) => question.named > 0 && question.named < 3 && isScanOfNamed(question)],
  ["signal", ({ named }) => named > 0],
  ["greeting", (question) => isAboutAssistant(question) || isGreeting(question)],
  ["compare", says(["compare", "versus", "vs"])],
  ["scan", says(intents.kinds)],
  ["news", says(intents.market)],
  ["signal", isSignal],
];

/** Returns what a question asks for. The instruments it names do not count as words of it. */
export function intentOf(read: Words, { named, spans }: Named): Intent {
  const choice = spans.some(({ at, length }, i) => {
    const end = at + length;
    return spans[i + 1]?.at === end + 1 && read.words[end]!.lower === "or";
  });
  const own = spans.some(({ at }) => /^(my|our)$/.test(read.words[at - 1]?.lower ?? ""));
  const said = withoutAside(plainWords(read)).replace(/ {2,}/g, " ").trim();
  const [only, another] = spans;
  const bare =
    only !== undefined &&
    another === undefined &&
    /^what is (?:a |an |the )?\S+(?: \S+)?$/.test(said) &&
    only.length + only.at === read.words.length &&
    only.instrument !== null &&
    /[a-z].{4}/.test(only.text) &&
    only.at <= 2;
  const question: Question = { said, named, choice, own, bare };
  return RULES.find(([, holds]) => holds(question))?.[0] ?? "unknown";
}
