import { QUOTED, quoted } from "../../domain/outside-text.ts";
import type { SkillResult } from "../../domain/questions/interpretation.ts";
import type { Paint } from "../../domain/terminal.ts";
import { LEFT_OUT } from "./room.ts";
import type { Quote } from "./told/told.ts";

interface Shown {
  readonly answer: string;
  readonly notes: readonly string[];
  readonly results: readonly SkillResult[];
}

const COLOUR: Readonly<Record<string, "green" | "red" | "yellow">> = {
  LONG: "green",
  SHORT: "red",
  WAIT: "yellow",
};
/** Quotes shown. */
const QUOTES = 6;
const WIDE = 120;

/**
 * The answer as a person reads it: a sentence a line with its verdict coloured, the words of others in quotes, the symbols it
 * does not tell one a line, and the notes but that on whole answers, which a person is shown none of.
 */
export function interpretedLines({ answer, notes, results }: Shown, paint: Paint): string {
  const sentences = answer.split(/(?<=[.!?]) (?=[A-Z$'"])/);
  const signals = results.filter(({ skill, symbol }) => skill === "get_signal" && symbol !== null);
  const isUntold = ({ symbol }: SkillResult) =>
    !sentences.some((one) => one.startsWith(`${symbol} is `) || one.startsWith(`${symbol} cannot `));
  const quotes = results.flatMap(({ figures }) => [
    ...((figures?.headlines ?? []) as readonly Quote[]),
    ...((figures?.questions ?? []) as readonly Quote[]),
  ]);
  return [
    ...sentences.map((sentence) => verdictIn(sentence, paint)),
    ...quotes
      .slice(0, QUOTES)
      .map(
        ({ text, source }) =>
          `  ${quoted(text, WIDE)}${source === null ? "" : paint("dim", ` ${quoted(source, 60)}`)}`,
      ),
    ...(quotes.length === 0 ? [] : [paint("dim", QUOTED)]),
    ...signals.filter(isUntold).map((one) => line(one, paint)),
    ...notes.filter((note) => !note.startsWith(LEFT_OUT)).map((note) => paint("yellow", note)),
  ].join("\n");
}

const verdictIn = (sentence: string, paint: Paint): string =>
  sentence.replace(
    /^(\S+) is (LONG|SHORT|WAIT)\b/,
    (_, symbol: string, verdict: string) =>
      `${paint("bold", symbol)} is ${paint(COLOUR[verdict] ?? "dim", verdict)}`,
  );

function line({ symbol, figures, error }: SkillResult, paint: Paint): string {
  const name = paint("bold", symbol ?? "");
  if (figures === null) return `${name}  ${paint("yellow", error?.code ?? "")}`;
  const { direction, grade, score } = figures as Readonly<Record<string, string | number | null>>;
  const verdict = String(direction);
  return `${name}  ${paint(COLOUR[verdict] ?? "dim", verdict)}  ${[grade, score].map((value) => value ?? "none").join(" ")}`;
}
