/** A part of a rule that is wrong: from `start`, before `end`. */
export interface Mistake {
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

interface Condition {
  readonly start: number;
  readonly text: string;
  /** Characters of the left side that the server puts before a condition which begins with its operator. */
  readonly shift: number;
}

const PLACE = /^(?:Condition (\d+): )?(?:At character (\d+): )?(.*)$/s;
const OPERATOR = /[<>=!]|\bcrosses_(?:above|below)\b/;
const TOKEN = /^(?:\w+|[<>=!]+|\S)/;
/** Longer lists of allowed names are cut. */
const MAX_MESSAGE = 160;

/** Returns where the problems that the server names lie in the text of a rule. */
export function mistakesIn(
  rule: string,
  errors: readonly { readonly pointer: string; readonly detail: string }[],
): readonly Mistake[] {
  // the server reads the rule without the spaces around it
  const indent = rule.length - rule.trimStart().length;
  const conditions = conditionsOf(rule.trim()).map((one) => ({ ...one, start: one.start + indent }));
  return errors
    .filter(({ pointer }) => pointer.startsWith("/rules"))
    .map(({ detail }) => {
      const [, number, character, message] = PLACE.exec(detail)!;
      const condition = conditions[number === undefined ? 0 : Number(number) - 1];
      const text = shortened(message!);
      if (condition === undefined || character === undefined)
        return { start: 0, end: rule.length, message: text };
      const at = Math.max(0, Number(character) - 1 - condition.shift);
      return { ...rangeAt(condition, at), message: text };
    });
}

/** Returns the token at a place of a condition, or its last one if the condition ends there. */
function rangeAt({ start, text }: Condition, at: number): { readonly start: number; readonly end: number } {
  const token = TOKEN.exec(text.slice(at))?.[0];
  if (token !== undefined) return { start: start + at, end: start + at + token.length };
  const last = /\S+\s*$/.exec(text)?.index ?? 0;
  return { start: start + last, end: start + text.length };
}

/** Returns the conditions of a rule as the server splits them: at each `and`, or without one at each `or`. */
function conditionsOf(rule: string): readonly Condition[] {
  const joint = /\s+and\s+/i.test(rule) ? /\s+and\s+/gi : /\s+or\s+/gi;
  const ends = [...rule.matchAll(joint)].map(({ index, 0: { length } }) => [index, index + length] as const);
  const starts = [0, ...ends.map(([, end]) => end)];
  let left = "";
  return starts.map((from, i) => {
    const written = rule.slice(from, ends[i]?.[0] ?? rule.length);
    const start = from + (written.length - written.trimStart().length);
    const text = written.trim();
    const operator = text.search(OPERATOR);
    if (operator === 0 && left !== "") return { start, text, shift: left.length + 1 };
    left = operator < 0 ? "" : text.slice(0, operator).trimEnd();
    return { start, text, shift: 0 };
  });
}

const shortened = (message: string): string =>
  message.length > MAX_MESSAGE ? message.replace(/: one of .*$/s, "") : message;
