import { jsonSchemaOf } from "../../src/kernel/publish.ts";
import type { Tool } from "../../src/kernel/tool.ts";

type Json = Readonly<Record<string, any>>;

/** One criterion of a definition: the fraction met, 0-1, and what is missing. */
interface Finding {
  readonly rule: string;
  readonly points: number;
  readonly share: number;
  readonly missing: readonly string[];
}

/** Problems of a definition, and its fraction of all points, 0-1. */
export interface Linted {
  readonly name: string;
  readonly share: number;
  readonly findings: readonly Finding[];
}

/** Field names that imply their unit. */
const SELF_EVIDENT = new Set(
  "open high low close volume price bid ask last count total number year quarter limit rank n score weight shares strike probability entry stop stop_loss target reward_to_risk".split(
    " ",
  ),
);
/** Suffixes that state the unit. */
const UNIT =
  /(^|_)(pct|percent|ms|minutes|hours|days|seconds|bars|usd|dollars|members|trades|r|price|probability|score|count)$/;

/** Scores a definition for a reader who must choose and call the tool by its text alone; `names`: all tools. */
export function lint(tool: Tool, names: readonly string[]): Linted {
  const input = jsonSchemaOf(tool.input, "input");
  const output = jsonSchemaOf(tool.output, "output");
  const findings = [
    usage(tool),
    siblings(tool, names),
    holdings(tool, output),
    behaviour(tool, input),
    parameters(input),
    figures(output),
    examples(tool, input),
  ];
  const sum = (of: (one: Finding) => number) => findings.reduce((all, one) => all + of(one), 0);
  return {
    name: tool.name,
    share: sum((one) => one.points * one.share) / sum((one) => one.points),
    findings,
  };
}

const found = (rule: string, points: number, checks: Readonly<Record<string, boolean>>): Finding => {
  const missing = Object.entries(checks).flatMap(([name, there]) => (there ? [] : [name]));
  const all = Object.keys(checks).length;
  return { rule, points, share: all === 0 ? 1 : 1 - missing.length / all, missing };
};

const usage = ({ description }: Tool): Finding =>
  found("when to use it", 2, {
    "no 'Use it for' or 'Use it when'": /\bUse (it )?(only )?(for|when|to)\b/.test(description),
  });

/** Names a sibling tool, in a sentence that says what the sibling is for. */
function siblings({ name, description }: Tool, names: readonly string[]): Finding {
  const others = new Set(names.filter((one) => one !== name));
  const named = description.match(/\b[a-z]+(_[a-z]+)+\b/g)?.filter((word) => others.has(word)) ?? [];
  const described = description
    .split(/[.;] /)
    .filter((part) => named.some((other) => part.includes(other)))
    .every((part) => part.split(" ").filter((word) => !word.includes("_")).length >= 3);
  return found("what instead", 2, {
    "names no other tool": named.length > 0,
    "does not say for what the other is": described,
  });
}

/** Describes the output: mentions some of its fields. */
function holdings({ description }: Tool, output: Json): Finding {
  const described = new Set(wordsOf(description));
  const fields = fieldsOf(output).filter(([name]) => name !== "ok");
  const named = fields.filter(([name]) => wordsOf(name).some((word) => described.has(word)));
  return found("what it answers", 2, {
    "speaks of fewer than three fields of its answer": named.length >= Math.min(3, fields.length),
  });
}

/** Mentions what a caller must know in advance: side effects, that no key is needed, maximum numbers. */
function behaviour({ description, effect, plan }: Tool, input: Json): Finding {
  const capped = Object.entries<Json>(input.properties ?? {}).filter(([, { maxItems }]) => maxItems > 1);
  return found("how it behaves", 2, {
    "does not say what it changes":
      effect === "read" || /\b(writes|keeps|stores|places|records)\b/.test(description),
    "does not say that it needs no key": plan !== "open" || /no key|server/.test(description),
    ...Object.fromEntries(
      capped.map(([name, { maxItems, description: own }]) => [
        `does not say how many ${name}`,
        `${description} ${own}`.includes(String(maxItems)),
      ]),
    ),
  });
}

/** Every parameter has a description with its unit or its allowed values. */
function parameters(input: Json): Finding {
  const fields = Object.entries<Json>(input.properties ?? {});
  const bounded = (field: Json): boolean =>
    ["enum", "pattern", "format", "properties", "additionalProperties", "items", "maxLength"].some(
      (key) => key in field,
    ) ||
    field.type === "boolean" ||
    "minimum" in field ||
    "exclusiveMinimum" in field ||
    /\d/.test(field.description ?? "");
  return found(
    "its parameters",
    3,
    Object.fromEntries(
      fields.flatMap(([name, field]) => [
        [`${name} is not described`, typeof field.description === "string"],
        [`${name} has neither unit nor values`, bounded(field)],
      ]),
    ),
  );
}

/** Every output figure has a description, unless its name implies meaning and unit. */
function figures(output: Json): Finding {
  const numbers = fieldsOf(output).filter(([, field]) => isNumber(field));
  return found(
    "its figures",
    3,
    Object.fromEntries(
      numbers.map(([name, field, path]) => [
        path,
        typeof field.description === "string" ||
          SELF_EVIDENT.has(name) ||
          path.split(".").some((part) => UNIT.test(part)),
      ]),
    ),
  );
}

/** Examples cover all required fields and, if there are any, an optional one. */
function examples({ examples: given }: Tool, input: Json): Finding {
  const used = new Set(given.flatMap((one) => Object.keys(one.input)));
  const required: readonly string[] = input.required ?? [];
  const others = Object.keys(input.properties ?? {}).filter((name) => !required.includes(name));
  return found("its examples", 2, {
    "an ask is no sentence": given.every(({ ask }) => ask.includes(" ")),
    "a field it needs is in no example": required.every((name) => used.has(name)),
    "no field that may be left out is in an example":
      others.length === 0 || others.some((name) => used.has(name)),
  });
}

const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[a-z]{3,}/g) ?? []).map((word) => word.replace(/s$/, ""));

const isNumber = (field: Json): boolean =>
  [field.type].flat().some((type) => type === "number" || type === "integer") ||
  (field.anyOf ?? []).some(isNumber);

/** Every named field at any depth, with its path; the description of a list of figures counts for its elements. */
function fieldsOf(schema: Json, path = ""): readonly (readonly [string, Json, string])[] {
  const own = Object.entries<Json>(schema.properties ?? {}).flatMap(([name, field]) => {
    const place = path === "" ? name : `${path}.${name}`;
    return [[name, field, place] as const, ...fieldsOf(field, place)];
  });
  const inside = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(
    (one) => typeof one === "object" && one !== null,
  );
  return [...own, ...inside.flatMap((one) => fieldsOf(one, path))];
}
