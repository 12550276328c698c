import type { BacktestRules } from "../../../domain/backtest/backtest.ts";
import { readLevel } from "../../../lib/level-text.ts";
import type { Indicator } from "../../indicators/table.ts";
import { limits } from "../strategies/params.ts";
import { didYouMean, type Problem, quoted } from "../strategies/problem.ts";
import type { Plan, Term } from "./plan.ts";
import { type Condition, type ConditionGroup, type Distance, GROUPS, type Operand } from "./plan.ts";
import { NOT_NUMBERS, numberOf, type ParsedOperand, type ParseError, scan } from "./scan.ts";
import { type Choices, ROW_TERMS, RULE_VOCABULARY, UNRECORDED_DRIVERS, type Vocabulary } from "./terms.ts";

type RuleGroup = BacktestRules["entry"];

/** Maximum number of conditions of a strategy, and maximum characters per condition. */
export const MAX_CONDITIONS = 20;
export const MAX_CONDITION_LENGTH = 60;

/** Maximum distance of a stop or target, by unit. */
const MAX_DISTANCE = { atr: 50, "%": 1000 } as const;
const namesOf = ({ indicators, values }: Vocabulary): readonly string[] => [...indicators.keys(), ...values];
const EXAMPLE = "such as close crosses_above sma(50)";

/**
 * Parses rules, or returns all problems, each with the path of the condition, the character position and the allowed
 * values. Parses text only; nothing is executed. Default vocabulary: that of backtests.
 */
export function parseRules(
  rules: BacktestRules,
  vocabulary: Vocabulary = RULE_VOCABULARY,
): { readonly plan: Plan } | { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const terms: Term[] = [];
  const group = (part: "entry" | "exit", written: RuleGroup): ConditionGroup => {
    const [all, any, none] = GROUPS.map((name) =>
      (written[name] ?? []).flatMap((text, i) => {
        const read = conditionOf(text, terms, vocabulary);
        if ("op" in read) return [read];
        problems.push(...read.map((slip) => ({ path: [part, name, i], message: withPosition(slip) })));
        return [];
      }),
    );
    if (countOf(written) === 0)
      problems.push({ path: [part], message: `${part} requires at least one condition, ${EXAMPLE}` });
    return { all: all!, any: any!, none: none! };
  };
  const count = countOf(rules.entry) + countOf(rules.exit ?? {});
  if (count > MAX_CONDITIONS)
    return {
      problems: [{ path: [], message: `At most ${MAX_CONDITIONS} conditions are allowed, not ${count}` }],
    };
  const entry = group("entry", rules.entry);
  const exit = rules.exit === undefined ? null : group("exit", rules.exit);
  const side = rules.side ?? "long";
  const distance = (part: "stop" | "target" | "trail" | "limit"): Distance | null => {
    const text = rules[part];
    if (text === undefined) return null;
    const isBelow = (side === "long") === (part !== "target");
    const max = isBelow ? 99 : MAX_DISTANCE["%"];
    const read = distanceOf(text, max, isBelow ? "-" : "+");
    if (read === null)
      problems.push({
        path: [part],
        message: `${part} must be a distance such as 2 atr or 5 %: above 0, at most ${MAX_DISTANCE.atr} atr or ${max} %`,
      });
    return read;
  };
  const plan: Plan = {
    ...{ terms, entry, exit, side, stop: distance("stop"), target: distance("target") },
    ...(rules.trail !== undefined && { trail: distance("trail") }),
    ...(rules.limit !== undefined && { limit: distance("limit") }),
  };
  return problems.length > 0 ? { problems: withTerms(problems, namesOf(vocabulary)) } : { plan };
}

const NO_TERM = /is not a term$/;

/** The first problem with an unknown term also lists the known terms. */
function withTerms(problems: readonly Problem[], names: readonly string[]): readonly Problem[] {
  const first = problems.findIndex(({ message }) => NO_TERM.test(message));
  return problems.map((problem, i) =>
    i === first ? { ...problem, message: `${problem.message}: one of ${names.join(", ")}` } : problem,
  );
}

const countOf = (group: RuleGroup): number =>
  GROUPS.reduce((sum, name) => sum + (group[name]?.length ?? 0), 0);

const withPosition = ({ at, message }: ParseError): string => `At character ${at + 1}: ${message}`;

/** Parses a condition, or returns its errors; adds new terms to `terms`. */
function conditionOf(text: string, terms: Term[], vocabulary: Vocabulary): Condition | readonly ParseError[] {
  if (text.length > MAX_CONDITION_LENGTH)
    return [
      { at: MAX_CONDITION_LENGTH, message: `a condition has at most ${MAX_CONDITION_LENGTH} characters` },
    ];
  const parts = scan(text);
  if ("message" in parts) return [parts];
  const { left, op, opAt, right } = parts;
  const worded = vocabulary.words.get(left.text.toLowerCase());
  const slips: ParseError[] = [];
  const operand = (written: ParsedOperand): Operand => {
    const read = operandOf(written, written === left, vocabulary);
    if ("message" in read) slips.push(read);
    if (!("name" in read)) return "number" in read ? read : { number: Number.NaN };
    const known = terms.findIndex(({ name, args }) => name === read.name && `${args}` === `${read.args}`);
    return { term: known >= 0 ? known : terms.push(read) - 1 };
  };
  const first = operand(left);
  if (worded !== undefined && !worded.ops.includes(op))
    slips.push({ at: opAt, message: `${left.text.toLowerCase()} only allows ${worded.ops.join(" ")}` });
  const second = worded === undefined ? operand(right) : wordOf(left.text.toLowerCase(), worded, right);
  if ("message" in second) slips.push(second);
  else if ("number" in first && "number" in second && slips.length === 0)
    slips.push({ at: left.at, message: "a comparison of two numbers never changes; use a term on one side" });
  return slips.length > 0 ? slips : { left: first, op, right: second as Operand };
}

/** Returns the number or term of an operand, or the error in it. */
function operandOf(
  { text, at, args }: ParsedOperand,
  isLeft: boolean,
  vocabulary: Vocabulary,
): { readonly number: number } | Term | ParseError {
  const value = numberOf(text);
  if (value !== null)
    return args === null ? { number: value } : { at, message: "a number takes no arguments" };
  const name = text.toLowerCase();
  if (vocabulary.words.has(name) && !isLeft)
    return { at, message: `${name} must be on the left and compared with one of its values` };
  if (vocabulary.values.includes(name))
    return args === null ? { name, args: [] } : { at, message: `${name} takes no arguments` };
  if (UNRECORDED_DRIVERS.includes(name))
    return { at, message: `${name} has no history to test on: its past values were not recorded` };
  const choices = vocabulary.choices.get(name);
  if (choices !== undefined) return choiceOf({ text: name, at, args }, choices);
  if (ROW_TERMS.includes(name))
    return { at, message: `${name} is known only for the rows of a nightly run: use it in the screener` };
  const indicator = vocabulary.indicators.get(name);
  if (indicator === undefined)
    return {
      at,
      message: `${quoted(text)} is not a term${didYouMean(text, namesOf(vocabulary))}`,
    };
  const full = argumentsOf({ text: name, at, args }, indicator);
  return "message" in full ? full : { name, args: full };
}

/** Returns the term for a name and its word in parentheses, or the error in it. */
function choiceOf({ text: name, at, args }: ParsedOperand, choices: Choices): Term | ParseError {
  const words = [...choices.keys()].filter((word) => choices.get(word) === `${name}(${word})`);
  const [first, second] = args ?? [];
  if (first === undefined || first.text === "")
    return { at, message: `${name} requires an argument: one of ${words.join(", ")}` };
  if (second !== undefined)
    return { at: second.at, message: `${name} takes one argument: one of ${words.join(", ")}` };
  const term = choices.get(first.text.toLowerCase());
  if (term !== undefined) return { name: term, args: [] };
  return {
    at: first.at,
    message: `argument of ${name} must be one of ${words.join(", ")}, not ${quoted(first.text)}`,
  };
}

/** Returns the arguments of an indicator, with the default of each omitted one, or the error in them. */
export function argumentsOf(
  { text: name, at, args }: ParsedOperand,
  { params }: Indicator,
): readonly number[] | ParseError {
  const given = args ?? [];
  if (given.length > params.length)
    return {
      at,
      message:
        params.length === 0
          ? `${name} takes no arguments`
          : `${name} takes at most ${params.length === 1 ? "one argument" : `${params.length} arguments`}`,
    };
  const values = given.map((arg) => numberOf(arg.text));
  const word = values.indexOf(null);
  if (word >= 0) return { at: given[word]!.at, message: NOT_NUMBERS };
  const full = params.map((param, i) => values[i] ?? param.default);
  const wrong = params.findIndex(
    ({ min, max, integer }, i) => full[i]! < min || full[i]! > max || (integer && !Number.isInteger(full[i])),
  );
  if (wrong >= 0)
    return {
      at,
      message: `argument ${wrong + 1} of ${name} must be ${limits(params[wrong]!)}, not ${full[wrong]}`,
    };
  if (name.startsWith("macd") && full[0]! >= full[1]!)
    return { at, message: `the first argument of ${name} must be less than the second` };
  return full;
}

/** Returns the number for a word that is compared with a grade, phase or direction. */
function wordOf(
  name: string,
  { words, read = (same) => same }: NonNullable<ReturnType<Vocabulary["words"]["get"]>>,
  { text, at, args }: ParsedOperand,
): { readonly number: number } | ParseError {
  const known = [...words.keys()];
  const meant = read(text).toLowerCase();
  const word = known.find((each) => each.toLowerCase() === meant);
  return word === undefined || args !== null
    ? { at, message: `${name} must be compared with one of ${known.join(", ")}${didYouMean(text, known)}` }
    : { number: words.get(word)! };
}

/** Returns a distance, also one with the sign of its side: `-5%` for the stop of a long position. */
function distanceOf(text: string, max: number, sign: "+" | "-"): Distance | null {
  const level = text.length > MAX_CONDITION_LENGTH ? "" : (readLevel(text) ?? text).trim().toLowerCase();
  const trimmed = level.startsWith(sign) ? level.slice(1) : level;
  const unit = (["atr", "%"] as const).find((each) => trimmed.endsWith(each));
  if (unit === undefined) return null;
  const value = numberOf(trimmed.slice(0, -unit.length).trimEnd());
  const limit = unit === "%" ? max : MAX_DISTANCE.atr;
  return value === null || value <= 0 || value > limit ? null : { unit, value };
}
