import { jsonSchemaOf } from "../../kernel/publish.ts";
import type { Tool } from "../../kernel/tool.ts";

/** One input field of a tool on the command line. */
export interface Field {
  readonly name: string;
  /** Option name without the leading dashes. */
  readonly flag: string;
  readonly required: boolean;
  readonly positional: boolean;
  readonly schema: FieldSchema;
}

interface FieldSchema {
  readonly type?: string;
  readonly contentMediaType?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly additionalProperties?: unknown;
  readonly items?: FieldSchema;
}

export const kebabCase = (name: string): string => name.replaceAll("_", "-");

/** Returns the names of a tool's command, the short name last. */
export const commandNames = ({ name, cli }: Tool): readonly string[] => [
  kebabCase(name),
  ...(cli?.command === undefined ? [] : [cli.command]),
];

/** Returns the fields of a tool's input schema, in schema order. */
export function fieldsOf(tool: Tool): readonly Field[] {
  const { properties = {}, required = [] } = jsonSchemaOf(tool.input, "input") as {
    properties?: Record<string, FieldSchema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    flag: kebabCase(name),
    required: required.includes(name),
    positional: (tool.cli?.positionals ?? required).includes(name),
    schema,
  }));
}

/** A scalar member of an object field, with its own option. */
export interface Part extends Field {
  /** The object field that contains it. */
  readonly of: Field;
}

/** Options that any command may have. */
const RESERVED_FLAGS = ["json", "out", "help"];
const SCALARS: ReadonlySet<string | undefined> = new Set(["string", "number", "integer", "boolean"]);

/** Returns the key under which commander stores an option. */
export const camelCase = (flag: string): string =>
  flag.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Returns the parts of flat objects, in schema order. Omits a part whose option name is already in use. */
export function partsOf(fields: readonly Field[]): readonly Part[] {
  const parts = fields.filter(isFlat).flatMap((of) =>
    Object.entries(of.schema.properties ?? {}).map(
      ([name, schema]): Part => ({
        of,
        name,
        flag: kebabCase(name),
        required: false,
        positional: false,
        schema,
      }),
    ),
  );
  const uses = new Map<string, number>();
  for (const flag of [...RESERVED_FLAGS, ...[...fields, ...parts].map((field) => field.flag)])
    uses.set(camelCase(flag), (uses.get(camelCase(flag)) ?? 0) + 1);
  return parts.filter(({ flag }) => /^(?!no-)[a-z][\w-]*$/i.test(flag) && uses.get(camelCase(flag)) === 1);
}

/** Returns true for an object of scalars without additional properties. */
function isFlat({ schema: { type, properties, additionalProperties } }: Field): boolean {
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  const inner = Object.values(properties ?? {});
  return type === "object" && !isOpen && inner.every((property) => SCALARS.has(property.type));
}

const KINDS: Readonly<Record<string, string>> = { array: "list", object: "json|@file", integer: "number" };

/** Returns true for a text field that holds the content of a file. */
export const isFile = ({ contentMediaType }: FieldSchema): boolean => contentMediaType !== undefined;

/** File name used in examples. */
const EXAMPLE_FILE = "@positions.csv";

/** Returns the placeholder of a field's value in a usage line. */
export const valuePlaceholder = ({ schema }: Field): string => {
  if (isFile(schema)) return "text|@file";
  const { type = "text" } = schema;
  return type === "string" ? "text" : (KINDS[type] ?? type);
};

/** Returns the help text of a field: description, choices and default. */
export function fieldHelp({ schema }: Field): string {
  const { description = "", enum: allowed, default: fallback } = schema;
  const choice = allowed === undefined ? "" : ` (${allowed.join(", ")})`;
  const file = isFile(schema) ? " (text, or @file)" : "";
  return `${description}${file}${choice}${fallback === undefined || textOf(fallback) === "" ? "" : ` [default: ${textOf(fallback)}]`}`.trim();
}

/** Returns the examples of a tool as command lines. */
export function examplesOf(tool: Tool): readonly { readonly line: string; readonly ask: string }[] {
  const fields = fieldsOf(tool);
  const parts = partsOf(fields);
  return tool.examples.map(({ ask, input }) => {
    const given = input as Record<string, unknown>;
    const values = fields.flatMap((field) => {
      const value = given[field.name];
      return value === undefined ? [] : [{ field, value }];
    });
    const positionals = values
      .filter(({ field }) => field.positional)
      .map(({ field, value }) => (isFile(field.schema) ? EXAMPLE_FILE : quoted(textOf(value))));
    const options = values
      .filter(({ field }) => !field.positional)
      .flatMap(({ field, value }) => {
        const own = parts.filter(({ of }) => of === field);
        const inner = Object.entries(own.length === 0 ? {} : (value as Record<string, unknown>));
        const flags = inner.map(([name]) => own.find((part) => part.name === name)?.flag);
        return inner.length > 0 && flags.every((flag) => flag !== undefined)
          ? inner.map(([, each], i) => optionText(flags[i]!, each))
          : [optionText(field.flag, value)];
      });
    return { line: ["market-signal", commandNames(tool).at(-1), ...positionals, ...options].join(" "), ask };
  });
}

function optionText(flag: string, value: unknown): string {
  if (typeof value === "boolean") return value ? `--${flag}` : `--no-${flag}`;
  return `--${flag} ${quoted(textOf(value))}`;
}

function textOf(value: unknown): string {
  if (Array.isArray(value) && !value.some((item) => typeof item === "object")) return value.join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const quoted = (text: string): string =>
  /^[\w.,:/@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/**
 * Normalizes a command line for the parser. Tool names and options may be written as in the schema (tool
 * names with `_`, `--as_of`), and switches may have a value (`--readonly=false`).
 */
export function normalizeArgv(argv: readonly string[], catalogue: readonly Tool[]): readonly string[] {
  const [first = "", ...rest] = argv;
  const tool = catalogue.find((one) => one.name === first || commandNames(one).includes(first));
  if (tool === undefined) return argv;
  const own = fieldsOf(tool);
  const fields = [...own, ...partsOf(own)];
  const end = rest.indexOf("--");
  const option = (positional: string): string => {
    const [, name, value] = /^--([\w-]+)(=.*)?$/s.exec(positional) ?? [];
    const field = fields.find((one) => one.name === name || one.flag === name);
    if (field === undefined) return positional;
    if (field.schema.type === "boolean" && !field.positional && /^=(true|false)$/.test(value ?? ""))
      return value === "=true" ? `--${field.flag}` : `--no-${field.flag}`;
    return `--${field.flag}${value ?? ""}`;
  };
  return [
    first === tool.name ? kebabCase(first) : first,
    ...rest.map((word, i) => (end === -1 || i < end ? option(word) : word)),
  ];
}
