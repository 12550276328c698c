import { jsonSchemaOf } from "../../kernel/publish.ts";
import type { Tool } from "../../kernel/tool.ts";

/** One input of a tool as a command line says it. */
export interface Field {
  readonly name: string;
  /** Its name as an option, without the dashes in front. */
  readonly flag: string;
  readonly required: boolean;
  readonly schema: {
    readonly type?: string;
    readonly description?: string;
    readonly enum?: readonly string[];
    readonly default?: unknown;
  };
}

export const dashed = (name: string): string => name.replaceAll("_", "-");

/** Every name a tool's command answers to, the short one last. */
export const commandNames = ({ name, command }: Tool): readonly string[] => [
  dashed(name),
  ...(command === undefined ? [] : [command]),
];

/** The fields of a tool's published input, in its order. */
export function fieldsOf(tool: Tool): readonly Field[] {
  const { properties = {}, required = [] } = jsonSchemaOf(tool.input, "input") as {
    properties?: Record<string, Field["schema"]>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    flag: dashed(name),
    required: required.includes(name),
    schema,
  }));
}

const KINDS: Readonly<Record<string, string>> = { array: "list", object: "json", integer: "number" };

/** What stands for a field's value in a usage line. */
export const kindOf = ({ schema: { type = "text" } }: Field): string =>
  type === "string" ? "text" : (KINDS[type] ?? type);

/** What a field is for, with what it may be and what it is when left out. */
export function explained({ schema }: Field): string {
  const { description = "", enum: allowed, default: usual } = schema;
  const choice = allowed === undefined ? "" : ` (${allowed.join(", ")})`;
  return `${description}${choice}${usual === undefined ? "" : ` [default: ${textOf(usual)}]`}`;
}

/** A tool's own examples, each as a person would type it. */
export function examplesOf(tool: Tool): readonly { readonly line: string; readonly ask: string }[] {
  const fields = fieldsOf(tool);
  return tool.examples.map(({ ask, input }) => {
    const given = input as Record<string, unknown>;
    const said = fields.flatMap((field) => {
      const value = given[field.name];
      return value === undefined ? [] : [{ field, value }];
    });
    const words = said.filter(({ field }) => field.required).map(({ value }) => quoted(textOf(value)));
    const options = said
      .filter(({ field }) => !field.required)
      .map(({ field: { flag }, value }) => {
        if (typeof value === "boolean") return value ? `--${flag}` : `--no-${flag}`;
        return `--${flag} ${quoted(textOf(value))}`;
      });
    return { line: ["market-signal", commandNames(tool).at(-1), ...words, ...options].join(" "), ask };
  });
}

function textOf(value: unknown): string {
  if (Array.isArray(value) && !value.some((item) => typeof item === "object")) return value.join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const quoted = (text: string): string =>
  /^[\w.,:/@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/**
 * A command line in the one spelling that the parser knows: a tool may be called by its full name, its options as in
 * its schema (`--as_of`), and a yes or no may be said with its value (`--readonly=false`).
 */
export function respelled(argv: readonly string[], catalogue: readonly Tool[]): readonly string[] {
  const [first = "", ...rest] = argv;
  const tool = catalogue.find((one) => one.name === first || commandNames(one).includes(first));
  if (tool === undefined) return argv;
  const fields = fieldsOf(tool);
  const end = rest.indexOf("--");
  const option = (word: string): string => {
    const [, name, value] = /^--([\w-]+)(=.*)?$/s.exec(word) ?? [];
    const field = fields.find((one) => one.name === name || one.flag === name);
    if (field === undefined) return word;
    if (field.schema.type === "boolean" && !field.required && /^=(true|false)$/.test(value ?? ""))
      return value === "=true" ? `--${field.flag}` : `--no-${field.flag}`;
    return `--${field.flag}${value ?? ""}`;
  };
  return [
    first === tool.name ? dashed(first) : first,
    ...rest.map((word, i) => (end === -1 || i < end ? option(word) : word)),
  ];
}
