import { WORDS } from "../../../market/symbols/mentions/vocabulary.ts";
import vocabulary from "../data/vocabulary.json" with { type: "json" };
import { TERM_NAMES } from "../language/glossary.ts";
import { wordsOf } from "../phrases.ts";

const READ = wordsOf(vocabulary.question);
const OF_LISTS = wordsOf(vocabulary.list);
const TERMS = new Set([...TERM_NAMES.keys()].flatMap((name) => name.split(/[^a-z]+/)));
const KNOWN = [
  READ,
  WORDS.functionWords,
  WORDS.joiners,
  WORDS.tickerLeads,
  WORDS.marketWords,
  WORDS.stockNouns,
  WORDS.talk,
  WORDS.tradedNouns,
  TERMS,
];

/** Returns true if a lower-case word, or its base form, belongs to the vocabulary of questions. */
export function isVocabulary(word: string, ofList: boolean): boolean {
  const sets = ofList ? [...KNOWN, OF_LISTS] : KNOWN;
  return formsOf(word.replace(/['’]s?$/, "")).some((form) => sets.some((set) => set.has(form)));
}

/** Returns a word and its possible base forms: `falling` of `fall`, `dropped` of `drop`, `biggest` of `big`. */
function formsOf(word: string): readonly string[] {
  const forms = [word];
  for (const [, stem] of [
    word.match(/^(.{2,}?)(?:s|es|ed|d|ing|in|ly|er|r|est|st)$/),
    word.match(/^(.{2,})(?:ed|ing|in|er|est)$/),
  ].flatMap((match) => (match === null ? [] : [match])))
    forms.push(stem!, `${stem}e`, stem!.replace(/(.)\1$/, "$1"));
  if (word.endsWith("ies")) forms.push(`${word.slice(0, -3)}y`);
  return forms;
}
