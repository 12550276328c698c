import { BAR_TIMEFRAMES, isSignalTimeframe, TIMEFRAMES } from "../../domain/market/bars.ts";
import { MAX_SYMBOLS } from "../../domain/requests/task.ts";
import type { ParsedQuery } from "./language/read-query.ts";
import type { Answered } from "./results/call-skills.ts";
import { joinWords, shortList, when } from "./sentences.ts";

/** Maximum number of notes of tools in an answer. */
const MAX_NOTES = { concise: 6, full: 20 } as const;

/** Bar lengths without signals. */
const BARS_ONLY = BAR_TIMEFRAMES.filter((length) => !isSignalTimeframe(length));

/** Returns the notes of all answers without duplicates, each with its symbols unless every answer has it. */
export function answerNotes(
  answered: readonly Pick<Answered, "result" | "notes">[],
  detail: keyof typeof MAX_NOTES,
): readonly string[] {
  const named = answered.map(({ result: { symbol, skill }, notes }) => ({ name: symbol ?? skill, notes }));
  const all = new Set(named.map(({ name }) => name));
  const lines = [...new Set(named.flatMap(({ notes }) => notes))].map((note) => {
    const names = new Set(named.filter(({ notes }) => notes.includes(note)).map(({ name }) => name));
    return names.size === all.size ? note : `${shortList([...names])}: ${note}`;
  });
  const more = lines.length - MAX_NOTES[detail];
  return more <= 0
    ? lines
    : [...lines.slice(0, MAX_NOTES[detail]), `${more} more notes; name fewer symbols to read them`];
}

/**
 * Returns notes on how a question was parsed: its length, bar lengths, exclusions and number of symbols. Includes
 * `notes`.
 */
export function readingNotes(
  { isCut, several, unserved, timeframe, excluded, mentions }: ParsedQuery,
  notes: readonly string[],
): readonly string[] {
  const excludedNames = joinWords(excluded.slice(0, MAX_SYMBOLS).map(({ instrument }) => instrument.symbol));
  const length = several ? "one" : "the";
  const left = mentions.length - MAX_SYMBOLS;
  return [
    when(isCut, "The question is long: only its beginning and end were read"),
    when(several, `The question names several bar lengths; the answer uses ${timeframe ?? "1d"}`),
    notes,
    when(
      unserved !== null,
      `Answers on bars of ${length} requested length are not available; these are ${timeframe ?? "daily"}. Bar lengths: ${TIMEFRAMES.join(", ")}; get_history also has ${BARS_ONLY.join(" and ")}`,
    ),
    when(excluded.length > 0, `Excluded by the question: ${excludedNames}`),
    when(
      left > 0,
      `${mentions.length} symbols are named; the first ${MAX_SYMBOLS} are answered, ${left} left out`,
    ),
  ].flat();
}
