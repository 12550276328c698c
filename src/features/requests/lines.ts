import { QUOTED_TEXT_NOTICE, quoted } from "../../domain/outside-text.ts";
import type { Paint } from "../../domain/terminal.ts";
import type { Interpretation } from "./interpret.ts";
import type { Quote } from "./results/answer-reader.ts";
import { OMITTED_ANSWERS } from "./results/result-length.ts";

type Shown = Pick<Interpretation, "answer" | "notes" | "results">;

const COLOURS = { LONG: "green", SHORT: "red", WAIT: "yellow" } as const;
const MAX_QUOTES = 6;
const MAX_QUOTE_LENGTH = 120;
const MAX_SOURCE_LENGTH = 60;

/** Prints an answer with coloured verdicts, then third-party text in quotes, then the notes. */
export function formatInterpretation({ answer, notes, results }: Shown, paint: Paint): string {
  const quotes = results
    .flatMap(({ figures }) => [figures?.headlines, figures?.questions])
    .flatMap((some) => (some ?? []) as readonly Quote[]);
  return [
    ...answer.split("\n").map((line) => coloured(line, paint)),
    ...quotes.slice(0, MAX_QUOTES).map(({ text, source }) => {
      const by = source === null ? "" : paint("dim", ` ${quoted(source, MAX_SOURCE_LENGTH)}`);
      return `  ${quoted(text, MAX_QUOTE_LENGTH)}${by}`;
    }),
    ...(quotes.length === 0 ? [] : [paint("dim", QUOTED_TEXT_NOTICE)]),
    ...notes.filter((note) => !note.startsWith(OMITTED_ANSWERS)).map((note) => paint("yellow", note)),
  ].join("\n");
}

/** Colours the verdict at the beginning of a line: `AAPL  LONG  grade A`. */
const coloured = (line: string, paint: Paint): string =>
  line.replace(
    /^(\S+) {2}(LONG|SHORT|WAIT)\b/,
    (_, symbol: string, verdict: keyof typeof COLOURS) =>
      `${paint("bold", symbol)}  ${paint(COLOURS[verdict], verdict)}`,
  );
