import type { Answered } from "./ask-all.ts";

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
