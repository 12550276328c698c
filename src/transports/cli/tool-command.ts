import { Command, Option } from "commander";
import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import { type HeldMedia, mediaIn, withoutFile } from "../../domain/media.ts";
import { invoke } from "../../kernel/invoke.ts";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import type { Tool } from "../../kernel/tool.ts";
import { coerceText } from "../../lib/coerce.ts";
import { plainText } from "../../lib/plain-text.ts";
import { isSimulated } from "../label.ts";
import { fileFormatOf } from "../media.ts";
import { formatAnswer } from "./answer.text.ts";
import { writeAnswerFile } from "./answer-file.ts";
import { asCommands, inCommandTerms, withHintInCommandTerms } from "./command-terms.ts";
import {
  camelCase,
  commandNames,
  examplesOf,
  type Field,
  fieldHelp,
  fieldsOf,
  isFile,
  type Part,
  partsOf,
  valuePlaceholder,
} from "./fields.ts";
import type { CliHost } from "./host.ts";
import { jsonOrFile, textOrFile } from "./json-file.ts";
import { mergeParts, type PartValue } from "./parts.ts";
import { painter, progressBar, wrapToScreen, writeFailure } from "./screen.ts";

type Options = Readonly<Record<string, string | boolean>>;

/** The command of a tool, made from its own schema: its words are said by their place, the others its options. `finish` receives the exit code. */
export function toolCommand(tool: Tool, host: CliHost, finish: (code: number) => void): Command {
  const fields = fieldsOf(tool);
  const words = fields.filter(({ positional: word }) => word);
  const [name, ...short] = commandNames(tool);
  const command = new Command(name)
    .aliases(short)
    .summary(tool.title)
    .description(tool.description)
    .allowExcessArguments();
  command.usage(
    [
      "[options]",
      ...words.map((field) => {
        const name = `${field.flag}${takesRest(field, words) ? "..." : ""}`;
        return field.required ? `<${name}>` : `[${name}]`;
      }),
    ].join(" "),
  );
  for (const field of words)
    command.argument(`[${field.flag}${takesRest(field, words) ? "..." : ""}]`, fieldHelp(field));
  const parts = partsOf(fields);
  for (const field of fields)
    for (const option of [field, ...parts.filter(({ of }) => of === field)].flatMap(optionsOf))
      command.addOption(option);
  command.option("--json", "print the whole answer as JSON on stdout");
  if (hasOut(tool)) command.option("--out <file>", OUT_HELP);
  const examples = examplesOf(tool).map(({ line, ask }) => `  ${line}\n      ${ask}\n`);
  command.addHelpText("before", `Examples:\n${examples.join("")}`);
  return command.action(async (...given: unknown[]) => {
    const { json = false, ...options } = given.at(-2) as { json?: boolean } & Options;
    const out = hasOut(tool) && typeof options.out === "string" ? options.out : undefined;
    finish(await run(tool, parseCommandInput(command, { fields, parts }, options), { json, out }, host));
  });
}

const OUT_HELP = "where to write the file; without it one of a new name in the working folder";
/** A tool with a field of that name keeps it. */
const hasOut = (tool: Tool): boolean => fileFormatOf(tool) !== null && !("out" in tool.input.shape);

/** A list in last place takes every word that is left. */
const takesRest = (field: Field, words: readonly Field[]): boolean =>
  field.schema.type === "array" && field === words.at(-1);

/** What is said by its place may be said as an option too; people and models who know the schema do. */
function optionsOf(field: Field | Part): readonly Option[] {
  const { flag, positional: word, schema } = field;
  const text =
    "of" in field ? [`in ${field.of.flag}`, fieldHelp(field)].filter(Boolean).join(": ") : fieldHelp(field);
  if (schema.type === "boolean" && !word) {
    const [yes, no] = [new Option(`--${flag}`, text), new Option(`--no-${flag}`, text)];
    return schema.default === true ? [yes.hideHelp(), no] : [yes, no.hideHelp()];
  }
  const option = new Option(`--${flag} <${valuePlaceholder(field)}>`, text).hideHelp(word);
  if (schema.type === "array")
    option.argParser((item: string, items?: string) => (items === undefined ? item : `${items},${item}`));
  return [option];
}

/** What was said on the command line, as text. */
interface CommandInput {
  readonly fields: readonly Field[];
  readonly text: Readonly<Record<string, string>>;
  readonly parts: readonly PartValue[];
}

/** Text for each field and part that was given, by option or by its place. Ends the command where a word is missing or too many. */
function parseCommandInput(
  command: Command,
  { fields, parts }: { readonly fields: readonly Field[]; readonly parts: readonly Part[] },
  options: Options,
): CommandInput {
  const said = parts.flatMap((part) => {
    const value = options[camelCase(part.flag)];
    return value === undefined ? [] : [{ part, text: String(value) }];
  });
  const byOption = fields.flatMap(({ name, flag }) => {
    const value = options[camelCase(flag)];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  const text = new Map(byOption);
  const left = [...command.args];
  const words = fields.filter(({ positional: word }) => word);
  for (const field of words.filter(({ name }) => !text.has(name))) {
    // said part by part, perhaps beside its JSON
    if (said.some(({ part }) => part.of === field) && !/^\s*[{@]/.test(left[0] ?? "")) continue;
    const word = takesRest(field, words) ? left.splice(0).join(",") || undefined : left.shift();
    if (word === undefined && !field.required) continue;
    if (word === undefined)
      command.error(`error: missing required argument '${field.flag}'`, {
        code: "commander.missingArgument",
      });
    text.set(field.name, word);
  }
  if (left.length > 0)
    command.error(`error: too many arguments: '${left[0]}' has no place. ${extraWordHint(left[0]!)}`, {
      code: "commander.excessArguments",
    });
  return { fields, text: Object.fromEntries(text), parts: said };
}

/** What to do about a word without a place; one with spaces was quoted already. */
const extraWordHint = (word: string): string =>
  /\s/.test(word) ? "Say which option it is for: --help lists them." : "Quote text that has spaces.";

/** The input in the shapes of its schema; objects and texts of a file's kind may lie in files. */
function toToolInput(
  tool: Tool,
  { fields, text, parts }: CommandInput,
  folder: string | undefined,
): Record<string, unknown> {
  const read = fields.flatMap(({ name, flag, schema }) => {
    const from = schema.type === "object" ? jsonOrFile : isFile(schema) ? textOrFile : null;
    return from === null || text[name] === undefined ? [] : [[name, from(`--${flag}`, text[name], folder)]];
  });
  const schema = jsonSchemaOf(tool.input, "input");
  return mergeParts(coerceText(schema, { ...text, ...Object.fromEntries(read) }), parts);
}

async function run(
  tool: Tool,
  said: CommandInput,
  { json, out: wanted }: { readonly json: boolean; readonly out: string | undefined },
  host: CliHost,
): Promise<number> {
  const { out, err } = host;
  let input: Record<string, unknown>;
  try {
    input = toToolInput(tool, said, host.folder);
  } catch (thrown) {
    return writeFailure(thrown, { out, err, json });
  }
  const opened = await host.open();
  const { ports, owner } = opened;
  const now = () => ports.clock.now().getTime();
  const bar = progressBar(err, now(), now);
  try {
    const result = await invoke(tool, input, {
      ports,
      principal: owner,
      transport: "cli",
      signal: host.signal,
      detail: "full",
      progress: bar.step,
    });
    bar.end();
    const paint = painter(out);
    const media = json && wanted === undefined ? null : mediaIn(result);
    const shown = media === null ? result : withoutFile(result);
    const keep = (held: HeldMedia): string =>
      plainText(writeAnswerFile(tool, held, { wanted, given: input, result, folder: host.folder }), 1_000);
    if (json) {
      if (media !== null) err.write(`${painter(err)("dim", "file")}  ${keep(media)}\n`);
      out.write(`${JSON.stringify(shown, null, 2)}\n`);
    } else {
      const label = isSimulated(tool, ports.market) ? `${paint("yellow", SAMPLE_LABEL)}\n` : "";
      const told = tool.terminal?.(withHintInCommandTerms(result, tool), paint);
      const text = told === undefined ? formatAnswer(shown, paint) : asCommands(told, host.catalogue);
      out.write(wrapToScreen(out, `${label}${text}\n`));
      if (media !== null) out.write(`  ${paint("dim", "file")}  ${keep(media)}\n`);
    }
    const verdict = tool.cli?.verdict;
    return verdict === undefined || result[verdict] === true ? 0 : 1;
  } catch (thrown) {
    bar.end();
    return writeFailure(inCommandTerms(thrown, tool, json ? [] : host.catalogue), { out, err, json });
  } finally {
    await opened.close();
  }
}
