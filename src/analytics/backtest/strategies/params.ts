import type { IndicatorParam } from "../../indicators/table.ts";
import { didYouMean, type Problem, quoted } from "./problem.ts";

/** A numeric parameter of a strategy; `text` describes it in one line. */
interface NumberParam extends IndicatorParam {
  readonly text: string;
}

/** A parameter of a strategy that takes one of a few words. */
export interface WordParam {
  readonly default: string;
  readonly words: readonly string[];
  readonly text: string;
}

export type Param = NumberParam | WordParam;

/** Complete and valid parameters of a strategy. */
export type Params = Readonly<Record<string, number | string>>;

/** The given parameters completed with defaults, or all problems with them. */
export type Checked = { readonly params: Params } | { readonly problems: readonly Problem[] };

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
    else problems.push({ path: ["params", name], message: `${name} must be ${limits(param)}` });
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

/** Returns a description of the allowed values of a parameter. */
export const limits = (param: IndicatorParam | WordParam): string =>
  "words" in param
    ? `one of ${param.words.join(", ")}`
    : `a ${param.integer ? "whole " : ""}number from ${param.min} to ${param.max}`;

const unknownName = (name: string, names: readonly string[]): string =>
  names.length === 0
    ? `${quoted(name)} is not a parameter: the strategy has none`
    : `${quoted(name)} is not a parameter of the strategy${didYouMean(name, names) || "."} Parameters: ${names.join(", ")}`;
