import type { IndicatorParam } from "../../indicators/table.ts";
import { didYouMean, type Problem, quoted } from "./problem.ts";

/** A number a strategy takes; `text` describes it in one line. */
interface NumberParam extends IndicatorParam {
  readonly text: string;
}

/** One of a few words a strategy takes. */
export interface WordParam {
  readonly default: string;
  readonly words: readonly string[];
  readonly text: string;
}

export type Param = NumberParam | WordParam;

/** Parameters of a strategy, each known, within its limits and present. */
export type Params = Readonly<Record<string, number | string>>;

/** The parameters given, defaults standing in for the others; or everything that is wrong with them. */
export type Checked = { readonly params: Params } | { readonly problems: readonly Problem[] };

/** Checks what was given against what a strategy takes. */
export function checkParams(
  takes: Readonly<Record<string, Param>>,
  given: Readonly<Record<string, unknown>>,
): Checked {
  const names = Object.keys(takes);
  const params: Record<string, number | string> = {};
  const problems: Problem[] = [];
  for (const name of Object.keys(given))
    if (!names.includes(name)) problems.push({ path: ["params", name], message: unknownName(name, names) });
  for (const name of names) {
    const param = takes[name]!;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) params[name] = param.default;
    else if (fits(param, value)) params[name] = value;
    else problems.push({ path: ["params", name], message: `${name} is ${limits(param)}` });
  }
  return problems.length > 0 ? { problems } : { params };
}

const fits = (param: Param, value: unknown): value is number | string =>
  "words" in param
    ? typeof value === "string" && param.words.includes(value)
    : typeof value === "number" &&
      value >= param.min &&
      value <= param.max &&
      (!param.integer || Number.isInteger(value));

/** Describes the allowed values of a parameter. */
export const limits = (param: IndicatorParam | WordParam): string =>
  "words" in param
    ? `one of ${param.words.join(", ")}`
    : `a ${param.integer ? "whole " : ""}number from ${param.min} to ${param.max}`;

const unknownName = (name: string, names: readonly string[]): string =>
  names.length === 0
    ? `${quoted(name)} is no parameter: the strategy takes none`
    : `${quoted(name)} is no parameter of the strategy${didYouMean(name, names) || ","} it takes ${names.join(", ")}`;
