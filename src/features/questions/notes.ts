import { TIMEFRAMES } from "../../domain/market/bars.ts";
import { MAX_SYMBOLS } from "../../domain/questions/task.ts";
import type { Answered } from "./ask-all.ts";
import type { Reading } from "./language/reading.ts";
import { listed } from "./told/told.ts";

/** Notes of the skills that a question is answered with. */
const MOST = { concise: 6, full: 20 } as const;
const MOST_NAMED = 3;

/** What the answers of skills say to know of them, each once, with whose it is where not every answer says it. */
export function notesTold(
  answered: readonly Pick<Answered, "result" | "notes">[],
  detail: keyof typeof MOST,
): readonly string[] {
  const whose = new Map<string, Set<string>>();
  const all = new Set(answered.map(({ result }) => nameOf(result)));
  for (const { result, notes } of answered)
    for (const note of notes) whose.set(note, (whose.get(note) ?? new Set()).add(nameOf(result)));
  const lines = [...whose].map(([note, names]) =>
    names.size === all.size ? note : `${shortly([...names])}: ${note}`,
  );
  const more = lines.length - MOST[detail];
  return more <= 0
    ? lines
    : [...lines.slice(0, MOST[detail]), `${more} more notes of this kind; name fewer symbols to read them`];
}

const nameOf = ({ symbol, skill }: Answered["result"]): string => symbol ?? skill;

const shortly = (names: readonly string[]): string =>
  names.length <= MOST_NAMED
    ? names.join(", ")
    : `${names.slice(0, MOST_NAMED).join(", ")} and ${names.length - MOST_NAMED} more`;

/** What to know of how a question was read: its bar lengths, what it leaves aside, and what of it is too much. `notes` stand where they belong. */
export function readingNotes({
  reading: { isCut, several, unserved, timeframe, excluded, mentions },
  notes,
}: {
  readonly reading: Reading;
  readonly notes: readonly string[];
}): readonly string[] {
  const aside = listed(excluded.slice(0, MAX_SYMBOLS).map(({ instrument }) => instrument.symbol));
  const length = several ? "one" : "the";
  return [
    ...(isCut ? ["The question is long: only its beginning and end were read"] : []),
    ...(several ? [`Several bar lengths are named; all are answered on ${timeframe ?? "1d"}`] : []),
    ...notes,
    ...(unserved === null
      ? []
      : [
          `There are no bars of ${length} length asked for; these are ${timeframe ?? "daily"}. Bar lengths: ${TIMEFRAMES.join(", ")}`,
        ]),
    ...(excluded.length === 0 ? [] : [`Left aside, as the question says: ${aside}`]),
    ...(mentions.length > MAX_SYMBOLS
      ? [
          `${mentions.length} symbols are named; the first ${MAX_SYMBOLS} are answered, ${mentions.length - MAX_SYMBOLS} left out`,
        ]
      : []),
  ];
}
