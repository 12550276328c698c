import { ToolError } from "../../kernel/errors.ts";
import type { Tool } from "../../kernel/tool.ts";
import { commandNames, type Field, fieldsOf, partsOf } from "./fields.ts";

interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

/** Maximum number of faults in the message; all of them are in the data. */
const MAX_FAULTS_SHOWN = 3;

/**
 * Rewords an error of a tool for the command line: tool names become commands, field names become `<argument>` and
 * `--option`. Returns anything but a ToolError unchanged.
 */
export function inCommandTerms(thrown: unknown, tool: Tool, tools: readonly Tool[] = []): unknown {
  if (!(thrown instanceof ToolError)) return thrown;
  const { code, message, data, cause } = thrown;
  const command = commandNames(tool).at(-1)!;
  const fields = fieldsOf(tool);
  const reword = (text: string): string =>
    fields.reduce(
      (reworded, field) => replaceFieldName(reworded, field),
      text.replaceAll(`"${tool.name}"`, `"${command}"`),
    );
  const own = `Invalid input for "${tool.name}": `;
  const errors = data?.errors as readonly Fault[] | undefined;
  if (code !== "INVALID_INPUT" || errors === undefined || !message.startsWith(own))
    return rewordError(thrown, (text) => asCommands(reword(text), tools));
  const faults = errors
    .slice(0, MAX_FAULTS_SHOWN)
    .map(({ pointer, detail }) =>
      [formatPointer(pointer, fields, detail.startsWith("is required")), reword(formatChoices(detail))]
        .filter(Boolean)
        .join(": "),
    );
  const takes = fields.map((field) => formatWithParts(field, fields)).join(", ");
  return new ToolError(code, `${reword(own)}${asCommands(faults.join("; "), tools)}`, {
    hint: takes === "" ? `${command} takes no arguments and no options.` : `${command} takes ${takes}.`,
    data: { ...data },
    cause,
  });
}

/** Returns the error with its message and hint reworded. */
export const rewordError = (
  { code, message, hint, command, data, cause }: ToolError,
  reword: (text: string) => string,
): ToolError =>
  new ToolError(code, reword(message), {
    ...(hint !== undefined && { hint: reword(hint) }),
    ...(command !== undefined && { command }),
    ...(data !== undefined && { data }),
    cause,
  });

/** Pattern of an ANSI colour sequence, which may precede a tool name. */
const ANSI_COLOUR = `${String.fromCharCode(27)}\\[[\\d;]*m`;

/**
 * Replaces tool names in a text by commands; `<tool> with <field> <value>` becomes a command with an argument if the
 * field is positional.
 */
export function asCommands(text: string, tools: readonly Tool[]): string {
  const named = new Map(tools.filter(({ name }) => name.includes("_")).map((tool) => [tool.name, tool]));
  if (named.size === 0) return text;
  const pattern = `(?<=^|[^\\w-]|${ANSI_COLOUR})([\`"]?)(${[...named.keys()].join("|")})\\1(?![\\w-])(?: with (\\w+) ([\\w-]+))?`;
  return text.replace(new RegExp(pattern, "g"), (_, _quote, name: string, field?: string, value?: string) => {
    const tool = named.get(name)!;
    const typed = `market-signal ${commandNames(tool).at(-1)}`;
    if (field === undefined) return `\`${typed}\``;
    const isPositional = fieldsOf(tool).some((one) => one.positional && one.name === field);
    return isPositional ? `\`${typed} ${value}\`` : `\`${typed}\` with ${field} ${value}`;
  });
}

/** Returns a result whose hint names fields as options. */
export function withHintInCommandTerms<R>(result: R, tool: Tool): R {
  const { hint } = (result ?? {}) as { readonly hint?: unknown };
  return typeof hint === "string"
    ? { ...result, hint: fieldsOf(tool).reduce(replaceFieldName, hint) }
    : result;
}

/** Returns a text with the field names in backticks as options. */
export const fieldsAsOptions = (text: string, tool: Tool): string =>
  fieldsOf(tool).reduce(
    (reworded, field) => reworded.replaceAll(`\`${field.name}\``, formatField(field)),
    text,
  );

/** Formats a list of choices without quotes, which a shell would remove. */
const formatChoices = (detail: string): string =>
  detail.replace(/"[^"|]*"(?:\|"[^"|]*")+/, (list) => list.replaceAll('"', "").replaceAll("|", ", "));

/** Formats a field as an argument or an option. */
const formatField = ({ flag, positional, schema }: Pick<Field, "flag" | "positional" | "schema">): string =>
  positional
    ? `<${flag}>`
    : schema.type === "boolean" && schema.default === true
      ? `--no-${flag}`
      : `--${flag}`;

/** Formats a field as an argument or an option, with the options of its parts. */
function formatWithParts(field: Field, fields: readonly Field[]): string {
  const parts = partsOf(fields).filter(({ of }) => of === field);
  const own = formatField(field);
  return parts.length === 0 ? own : `${own} (or ${parts.map(formatField).join(", ")})`;
}

/** Formats a JSON pointer into the input as an argument or an option; a missing field with the options of its parts. */
function formatPointer(pointer: string, fields: readonly Field[], isMissing: boolean): string {
  const [name, ...inner] = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const field = fields.find((one) => one.name === name);
  if (field === undefined) return pointer.slice(1);
  if (inner.length === 0) return isMissing ? formatWithParts(field, fields) : formatField(field);
  const part = partsOf(fields).find((one) => one.of === field && one.name === inner[0]);
  if (part !== undefined && inner.length === 1) return formatField(part);
  if (field.schema.type === "array" && inner.length === 1)
    return `${formatField(field)} (${Number(inner[0]) + 1})`;
  return `${formatField(field)} at ${inner.join("/")}`;
}

/**
 * Replaces the name of a field where it cannot be mistaken for an ordinary word: in backticks, or if it contains an
 * underscore and is not part of a quoted text, such as names in a rule.
 */
function replaceFieldName(text: string, field: Field): string {
  const { name } = field;
  const chosen =
    field.schema.type === "boolean" && !field.positional
      ? text.replace(new RegExp(`(?<![\\w-])${name} (true|false)(?![\\w-])`, "g"), (_, value: string) =>
          value === "true" ? `--${field.flag}` : `--no-${field.flag}`,
        )
      : text;
  const replaced = chosen.replaceAll(`\`${name}\``, formatField(field));
  return name.includes("_")
    ? replaced.replace(new RegExp(`"[^"]*"|(?<![\\w-])${name}(?![\\w-])`, "g"), (found) =>
        found === name ? formatField(field) : found,
      )
    : replaced;
}
