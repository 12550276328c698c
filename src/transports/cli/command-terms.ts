import { ToolError } from "../../kernel/errors.ts";
import type { Tool } from "../../kernel/tool.ts";
import { commandNames, type Field, fieldsOf, partsOf } from "./fields.ts";

interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

/** How many faults are told; all are in the data. */
const MAX_FAULTS_SHOWN = 3;

/**
 * A failure of a tool as the person at its command knows things: the command for the tool and for others of `tools` that
 * it names, `<word>` and `--option` for its fields.
 */
export function inCommandTerms(thrown: unknown, tool: Tool, tools: readonly Tool[] = []): unknown {
  if (!(thrown instanceof ToolError)) return thrown;
  const { code, message, hint, data, cause } = thrown;
  const command = commandNames(tool).at(-1)!;
  const fields = fieldsOf(tool);
  const reword = (text: string): string =>
    fields.reduce(
      (said, field) => replaceFieldName(said, field),
      text.replaceAll(`"${tool.name}"`, `"${command}"`),
    );
  const own = `Invalid input for "${tool.name}": `;
  const errors = data?.errors as readonly Fault[] | undefined;
  if (code !== "INVALID_INPUT" || errors === undefined || !message.startsWith(own))
    return new ToolError(code, asCommands(reword(message), tools), {
      ...(hint !== undefined && { hint: asCommands(reword(hint), tools) }),
      ...(data !== undefined && { data }),
      cause,
    });
  const told = errors
    .slice(0, MAX_FAULTS_SHOWN)
    .map(({ pointer, detail }) =>
      [formatPointer(pointer, fields), reword(formatChoices(detail))].filter(Boolean).join(": "),
    );
  const takes = fields.map(formatField).join(", ");
  return new ToolError(code, `${reword(own)}${asCommands(told.join("; "), tools)}`, {
    hint: takes === "" ? `${command} takes no words and no options.` : `${command} takes ${takes}.`,
    data: { ...data },
    cause,
  });
}

/** How a colour begins or ends: no letter before a word. */
const PAINT = `${String.fromCharCode(27)}\\[[\\d;]*m`;

/** A text for a terminal with the names of tools in it as the commands to type; `<tool> with <word> <value>` is a whole one. */
export function asCommands(text: string, tools: readonly Tool[]): string {
  const named = new Map(tools.filter(({ name }) => name.includes("_")).map((tool) => [tool.name, tool]));
  if (named.size === 0) return text;
  const pattern = `(?<=^|[^\\w-]|${PAINT})([\`"]?)(${[...named.keys()].join("|")})\\1(?![\\w-])(?: with (\\w+) ([\\w-]+))?`;
  return text.replace(new RegExp(pattern, "g"), (_, _quote, name: string, field?: string, value?: string) => {
    const tool = named.get(name)!;
    const typed = `market-signal ${commandNames(tool).at(-1)}`;
    if (field === undefined) return `\`${typed}\``;
    const word = fieldsOf(tool).some((one) => one.positional && one.name === field);
    return word ? `\`${typed} ${value}\`` : `\`${typed}\` with ${field} ${value}`;
  });
}

/** An answer whose hint speaks of its tool's fields as options. */
export function withHintInCommandTerms<R>(result: R, tool: Tool): R {
  const { hint } = (result ?? {}) as { readonly hint?: unknown };
  return typeof hint === "string"
    ? { ...result, hint: fieldsOf(tool).reduce(replaceFieldName, hint) }
    : result;
}

/** What may be chosen, without the quotes that a shell would take away. */
const formatChoices = (detail: string): string =>
  detail.replace(/"[^"|]*"(?:\|"[^"|]*")+/, (list) => list.replaceAll('"', "").replaceAll("|", ", "));

/** A field as its command takes it. */
const formatField = ({
  flag,
  positional: word,
  schema,
}: Pick<Field, "flag" | "positional" | "schema">): string =>
  word ? `<${flag}>` : schema.type === "boolean" && schema.default === true ? `--no-${flag}` : `--${flag}`;

/** A place in the input, by its JSON pointer, as it was said. */
function formatPointer(pointer: string, fields: readonly Field[]): string {
  const [name, ...inner] = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const field = fields.find((one) => one.name === name);
  if (field === undefined) return pointer.slice(1);
  if (inner.length === 0) return formatField(field);
  const part = partsOf(fields).find((one) => one.of === field && one.name === inner[0]);
  if (part !== undefined && inner.length === 1) return formatField(part);
  if (field.schema.type === "array" && inner.length === 1)
    return `${formatField(field)} (${Number(inner[0]) + 1})`;
  return `${formatField(field)} at ${inner.join("/")}`;
}

/** Names of a field that cannot be mistaken for a word of the sentence: in backticks, or of several words. */
function replaceFieldName(text: string, field: Field): string {
  const { name } = field;
  const chosen =
    field.schema.type === "boolean" && !field.positional
      ? text.replace(new RegExp(`(?<![\\w-])${name} (true|false)(?![\\w-])`, "g"), (_, value: string) =>
          value === "true" ? `--${field.flag}` : `--no-${field.flag}`,
        )
      : text;
  const plain = chosen.replaceAll(`\`${name}\``, formatField(field));
  return name.includes("_")
    ? plain.replace(new RegExp(`(?<![\\w-])${name}(?![\\w-])`, "g"), formatField(field))
    : plain;
}
