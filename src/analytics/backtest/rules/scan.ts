import { didYouMean, quoted } from "../strategies/problem.ts";
import { OPERATORS, type Operator } from "./plan.ts";

/** One side of a condition as written; `at` is the index of its first character. */
export interface ParsedOperand {
  readonly text: string;
  readonly at: number;
  /** Arguments in parentheses; null without parentheses. */
  readonly args: readonly Argument[] | null;
}

/** An argument as written: a number or a word; empty for `()`. */
interface Argument {
  readonly text: string;
  readonly at: number;
}

/** A parse error at a character index. */
export interface ParseError {
  readonly at: number;
  readonly message: string;
}

interface Token {
  readonly text: string;
  readonly at: number;
}

const has = (letters: string, letter: string | undefined): boolean =>
  letter !== undefined && letters.includes(letter);
const DIGITS = "0123456789";
const QUOTES = "\"'`“”„‘’";
const JOINS: readonly string[] = ["and", "or"];
const WORD = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";

/** Returns the left side, operator and right side of a condition, or the first parse error. */
export function scan(text: string):
  | {
      readonly left: ParsedOperand;
      readonly op: Operator;
      readonly opAt: number;
      readonly right: ParsedOperand;
    }
  | ParseError {
  const tokens = tokensOf(text);
  if ("message" in tokens) return tokens;
  const left = side(tokens, 0, text.length);
  if ("message" in left) return left;
  const sign = tokens[left.next];
  const op = OPERATORS.find((known) => known === sign?.text);
  if (op === undefined)
    return {
      at: sign?.at ?? text.length,
      message: `${sign === undefined ? "an operator is missing" : `${quoted(sign.text)} is not an operator${didYouMean(sign.text, OPERATORS)}`}: one of ${OPERATORS.join(" ")}`,
    };
  const right = side(tokens, left.next + 1, text.length);
  if ("message" in right) return right;
  const rest = tokens[right.next];
  if (rest !== undefined) return leftover(rest, tokens[right.next + 1]);
  return { left: left.written, op, opAt: sign!.at, right: right.written };
}

/** Returns the error of a token after a whole condition. */
function leftover(token: Token, next: Token | undefined): ParseError {
  const error = (message: string): ParseError => ({ at: token.at, message });
  if (isJoin(token) && next === undefined) return error(`a condition is missing after ${quoted(token.text)}`);
  if (token.text === ")") return error(`${quoted(")")} closes no ${quoted("(")}`);
  const form = isJoin(token)
    ? "conditions are joined by and, or by or, not by both"
    : "a condition is left, operator, right";
  return error(`unexpected ${quoted(token.text)}: ${form}`);
}

/** Returns a text that is one term, such as `rsi(14)`, or the first parse error. */
export function scanTerm(text: string): ParsedOperand | ParseError {
  const tokens = tokensOf(text);
  if ("message" in tokens) return tokens;
  const term = side(tokens, 0, text.length);
  if ("message" in term) return term;
  const rest = tokens[term.next];
  if (rest !== undefined)
    return { at: rest.at, message: `unexpected ${quoted(rest.text)}: separate terms with commas` };
  return term.written;
}

function tokensOf(text: string): readonly Token[] | ParseError {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const end = endOf(text, at);
    if (end === at) return { at, message: notAllowed(text[at]!) };
    if (text[at] !== " ") tokens.push({ text: text.slice(at, end), at });
    at = end;
  }
  return tokens;
}

/** Describes a character that no token starts with. */
const notAllowed = (letter: string): string =>
  has(QUOTES, letter)
    ? "names and words have no quotes, such as grade >= B"
    : `${quoted(letter)} is not allowed in a condition`;

/** Returns the end of the token that starts at `at`; `at` itself if no token starts there. */
function endOf(text: string, at: number): number {
  const first = text[at]!;
  if (has(" (),", first)) return at + 1;
  if (has("<>=!", first)) return text[at + 1] === "=" ? at + 2 : at + 1;
  let end = at;
  if (has(WORD, first)) {
    while (has(WORD, text[end]) || has(DIGITS, text[end])) end++;
    // the + or - of a grade
    return end - at === 1 && has("+-", text[end]) ? end + 1 : end;
  }
  if (first === "-") end++;
  const digits = end;
  while (has(DIGITS, text[end]) || text[end] === ".") end++;
  return end === digits ? at : end;
}

/** Message for arguments that are not numbers. */
export const NOT_NUMBERS = "arguments must be numbers separated by commas";

const isJoin = ({ text }: Token): boolean => JOINS.includes(text.toLowerCase());
const isName = ({ text }: Token): boolean => has(WORD, text[0]) || numberOf(text) !== null;

/**
 * Parses one side of a condition, with its optional arguments, from token `from`; `next` is the index of the token
 * after it.
 */
function side(
  tokens: readonly Token[],
  from: number,
  length: number,
): { readonly written: ParsedOperand; readonly next: number } | ParseError {
  const head = tokens[from];
  if (head === undefined || !isName(head) || isJoin(head))
    return { at: head?.at ?? length, message: `${missingTerm(head)}: ${TERM_FORM}` };
  const open = tokens[from + 1];
  if (open?.text !== "(") return { written: { text: head.text, at: head.at, args: null }, next: from + 1 };
  const unclosed = { at: open.at, message: `${quoted("(")} after ${head.text} is not closed` };
  const args: Argument[] = [];
  for (let next = from + 2; ; next += 2) {
    const token = tokens[next];
    if (token?.text === ")") {
      const omitted = { text: "", at: token.at };
      return { written: { text: head.text, at: head.at, args: [...args, omitted] }, next: next + 1 };
    }
    if (token === undefined) return unclosed;
    if (!isName(token)) return { at: token.at, message: NOT_NUMBERS };
    args.push(token);
    const after = tokens[next + 1];
    if (after?.text === ")") return { written: { text: head.text, at: head.at, args }, next: next + 2 };
    if (after?.text !== ",") return unclosed;
  }
}

const TERM_FORM = "use a number, a price, an indicator or a signal value";

function missingTerm(found: Token | undefined): string {
  if (found === undefined) return "a term is missing";
  if (isJoin(found)) return `a term is missing before ${quoted(found.text)}`;
  if (found.text === "(") return `conditions are not grouped by ${quoted("(")}`;
  return `${quoted(found.text)} is not a term`;
}

/** Returns the number that the text represents; null if it is not a number. */
export function numberOf(text: string): number | null {
  const last = text.at(-1);
  if (!has(DIGITS, last)) return null;
  for (const letter of text) if (!has(DIGITS, letter) && letter !== "." && letter !== "-") return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}
