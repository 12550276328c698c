import { Command, Option } from "commander";
import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import { type MediaFile, mediaIn, withoutFile } from "../../domain/media.ts";
import { invoke } from "../../kernel/invoke.ts";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import { isSimulated } from "../../kernel/sample-label.ts";
import type { Tool } from "../../kernel/tool.ts";
import { coerceText } from "../../lib/coerce.ts";
import { plainText } from "../../lib/plain-text.ts";
import { briefDescription } from "../brief.ts";
import { fileFormatOf, withPicture } from "../media.ts";
import { notAppliedLines } from "../result.text.ts";
import { formatAnswer } from "./answer.text.ts";
import { answerFileName, writeAnswerFile } from "./answer-file.ts";
import { withProgressBar } from "./command.ts";
import { asCommands, fieldsAsOptions, inCommandTerms, withHintInCommandTerms } from "./command-terms.ts";
import {
  camelCase,
  commandNames,
  examplesOf,
  type Field,
  fieldHelp,
  fieldsOf,
  isFile,
  kebabCase,
  type Part,
  partsOf,
  valuePlaceholder,
} from "./fields.ts";
import type { CliHost, OpenedInstallation, ToolCaller } from "./host.ts";
import { jsonOrFile, textOrFile } from "./json-file.ts";
import { mergeParts, type PartValue } from "./parts.ts";
import { painter, wrapToScreen, writeFailure } from "./screen.ts";

type Options = Readonly<Record<string, string | boolean>>;

/**
 * Creates the command of a tool from its input schema: positional fields are arguments, and all fields are
 * options. `finish` receives the exit code.
 */
export function toolCommand(tool: Tool, host: CliHost, finish: (code: number) => void): Command {
  const fields = fieldsOf(tool);
  const positionals = fields.filter(({ positional }) => positional);
  const [name, ...short] = commandNames(tool);
  const command = new Command(name)
    .aliases(short)
    .summary(tool.cli?.everyday ?? briefDescription(tool.description, MAX_SUMMARY_LENGTH))
    .description(tool.description)
    .allowExcessArguments();
  command.usage(
    [
      "[options]",
      ...positionals.map((field) => {
        const name = `${field.flag}${takesRest(field, positionals) ? "..." : ""}`;
        return field.required ? `<${name}>` : `[${name}]`;
      }),
    ].join(" "),
  );
  for (const field of positionals)
    command.argument(`[${field.flag}${takesRest(field, positionals) ? "..." : ""}]`, fieldHelp(field));
  const parts = partsOf(fields);
  for (const field of fields)
    for (const option of [field, ...parts.filter(({ of }) => of === field)].flatMap(optionsOf))
      command.addOption(option);
  for (const [field, name] of otherNames(tool))
    command.addOption(new Option(`--${name} <${field}>`).hideHelp());
  command.option("--json", "print the full result as JSON on stdout");
  if (hasOut(tool)) command.option("--out <path>", OUT_HELP);
  const examples = examplesOf(tool).map(({ line, ask }) => `  ${line}\n      ${ask}\n`);
  command.addHelpText("before", `Examples:\n${examples.join("")}`);
  return command.action(async (...given: unknown[]) => {
    const { json = false, ...written } = given.at(-2) as { json?: boolean } & Options;
    const options = { ...optionsByField(tool, written), ...written };
    const file = hasOut(tool) && typeof options.out === "string" ? options.out : undefined;
    finish(await run(tool, parseCommandInput(command, { fields, parts }, options), { json, file }, host));
  });
}

/** Length above which the sentence of a command in the help is cut before its colon, in characters. */
const MAX_SUMMARY_LENGTH = 60;
const OUT_HELP = "file to write, replaced if it exists; in a folder: a new file. Default: none";
/** Returns true if the tool returns a file and has no input field `out`. */
const hasOut = (tool: Tool): boolean => fileFormatOf(tool) !== null && !("out" in tool.input.shape);

/** Returns `[field, name]` of each field that REST publishes under another name. */
const otherNames = ({ http }: Tool) => Object.entries(http?.names ?? {});

/** Returns the options given under REST names, keyed by the option of their field. */
const optionsByField = (tool: Tool, options: Options): Options =>
  Object.fromEntries(
    otherNames(tool).flatMap(([field, name]) => {
      const value = options[camelCase(name)];
      return value === undefined ? [] : [[camelCase(kebabCase(field)), value] as const];
    }),
  );

/** Returns true for a list as the last positional field, which takes all remaining arguments. */
const takesRest = (field: Field, positionals: readonly Field[]): boolean =>
  field.schema.type === "array" && field === positionals.at(-1);

/** Returns the options of a field; the option of a positional field is hidden. */
function optionsOf(field: Field | Part): readonly Option[] {
  const { flag, positional, schema } = field;
  const text =
    "of" in field ? [`in ${field.of.flag}`, fieldHelp(field)].filter(Boolean).join(": ") : fieldHelp(field);
  if (schema.type === "boolean" && !positional) {
    const [yes, no] = [
      new Option(`--${flag}`, text),
      new Option(`--no-${flag}`, `set ${field.name} to false. ${text.replace(/^true: /, "If true: ")}`),
    ];
    return schema.default === true ? [yes.hideHelp(), no] : [yes, no.hideHelp()];
  }
  const option = new Option(`--${flag} <${valuePlaceholder(field)}>`, text).hideHelp(positional);
  if (schema.type === "array")
    option.argParser((item: string, items?: string) => (items === undefined ? item : `${items},${item}`));
  return [option];
}

/** Field values from the command line, as text. */
interface CommandInput {
  readonly fields: readonly Field[];
  readonly text: Readonly<Record<string, string>>;
  readonly parts: readonly PartValue[];
}

/**
 * Reads the text of each field and part from options and arguments. Ends the command if an argument is missing
 * or superfluous.
 */
function parseCommandInput(
  command: Command,
  { fields, parts }: { readonly fields: readonly Field[]; readonly parts: readonly Part[] },
  options: Options,
): CommandInput {
  const givenParts = parts.flatMap((part) => {
    const value = options[camelCase(part.flag)];
    return value === undefined ? [] : [{ part, text: String(value) }];
  });
  const byOption = fields.flatMap(({ name, flag }) => {
    const value = options[camelCase(flag)];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  const text = new Map(byOption);
  const remaining = [...command.args];
  const positionals = fields.filter(({ positional }) => positional);
  for (const field of positionals.filter(({ name }) => !text.has(name))) {
    // the field is given as parts, possibly in addition to its JSON
    if (givenParts.some(({ part }) => part.of === field) && !/^\s*[{@]/.test(remaining[0] ?? "")) continue;
    const argument = takesRest(field, positionals)
      ? remaining.splice(0).join(",") || undefined
      : remaining.shift();
    if (argument === undefined && !field.required) continue;
    if (argument === undefined)
      command.error(`error: missing required argument '${field.flag}'`, {
        code: "commander.missingArgument",
      });
    text.set(field.name, argument);
  }
  if (remaining.length > 0)
    command.error(
      `error: too many arguments: unexpected '${remaining[0]}'. ${extraWordHint(remaining[0]!)}`,
      {
        code: "commander.excessArguments",
      },
    );
  return { fields, text: Object.fromEntries(text), parts: givenParts };
}

/** Returns the hint for an unexpected argument; an argument with spaces was already quoted. */
const extraWordHint = (word: string): string =>
  /\s/.test(word) ? "Use an option: --help lists them." : "Quote text that has spaces.";

/** Converts text to the input of the tool; replaces `@file` with the content of the file. */
function toToolInput(
  tool: Tool,
  { fields, text, parts }: CommandInput,
  folder: string | undefined,
): Record<string, unknown> {
  const read = fields.flatMap(({ name, flag, schema }) => {
    const isList = schema.type === "array" && schema.items?.type === "object";
    const from = schema.type === "object" || isList ? jsonOrFile : isFile(schema) ? textOrFile : null;
    return from === null || text[name] === undefined
      ? []
      : [[name, from(`--${flag}`, text[name], folder, isList ? "list" : "object")]];
  });
  const schema = jsonSchemaOf(tool.input, "input");
  return mergeParts(coerceText(schema, { ...text, ...Object.fromEntries(read) }), parts);
}

/** Values of a field for the exit code that are no failure. */
const PASSING: ReadonlySet<unknown> = new Set([true, "ok", "warn"]);

async function run(
  tool: Tool,
  commandInput: CommandInput,
  { json, file }: { readonly json: boolean; readonly file: string | undefined },
  host: CliHost,
): Promise<number> {
  const { out, err } = host;
  let input: Record<string, unknown>;
  try {
    const given = toToolInput(tool, commandInput, host.folder);
    input = file === undefined ? given : withPicture(tool, given);
  } catch (thrown) {
    return writeFailure(thrown, { out, err, json });
  }
  const mentioned = tool.cli?.showsToolNames === true ? [] : host.catalogue;
  const caller =
    (await host.connect?.()) ?? callerOf(await host.open({ isExisting: tool.cli?.needsData ?? false }));
  try {
    const result = await withProgressBar(err, caller.clock, (progress) =>
      caller.call(tool, input, { signal: host.signal, progress }),
    );
    const paint = painter(out);
    const media = json && file === undefined ? null : mediaIn(result);
    const shown = media === null ? result : withoutFile(result);
    const naming = { given: input, result };
    const fileNote = (held: MediaFile): string =>
      plainText(
        file === undefined
          ? `not written; --out . writes ${answerFileName(tool, held, naming)}`
          : writeAnswerFile(tool, held, { path: file, ...naming, folder: host.folder }),
        1_000,
      );
    if (json) {
      if (media !== null) err.write(`${painter(err)("dim", "file")}  ${fileNote(media)}\n`);
      out.write(`${JSON.stringify(shown, null, 2)}\n`);
    } else {
      const label = isSimulated(tool, caller.market) ? `${paint("yellow", SAMPLE_LABEL)}\n` : "";
      const drawing = tool.terminal?.(withHintInCommandTerms(result, tool), paint);
      const text =
        drawing === undefined
          ? formatAnswer(shown, paint)
          : asCommands(fieldsAsOptions(drawing, tool), mentioned);
      const notApplied = notAppliedLines(result).map((line) => `${line}\n`);
      out.write(wrapToScreen(out, `${label}${notApplied.join("")}${text}\n`));
      if (media !== null) out.write(wrapToScreen(out, `  ${paint("dim", "file")}  ${fileNote(media)}\n`));
    }
    const verdict = tool.cli?.verdict;
    return verdict === undefined || PASSING.has(result[verdict]) ? 0 : 1;
  } catch (thrown) {
    return writeFailure(inCommandTerms(thrown, tool, json ? [] : mentioned), { out, err, json });
  } finally {
    await caller.close();
  }
}

/** Returns the caller that runs tools in this process. */
const callerOf = ({ ports, owner, close }: OpenedInstallation): ToolCaller => ({
  market: ports.market,
  clock: ports.clock,
  call: (tool, input, options) =>
    invoke(tool, input, { ports, principal: owner, transport: "cli", detail: "full", ...options }),
  close,
});
