import { Command } from "commander";
import { invoke } from "../../kernel/invoke.ts";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import type { Tool } from "../../kernel/tool.ts";
import { coerceText } from "../../lib/coerce.ts";
import { isSimulated, SAMPLE_LABEL } from "../label.ts";
import type { CliHost } from "./host.ts";
import { painter, progressBar, tellFailure } from "./screen.ts";

interface Field {
  readonly name: string;
  readonly flag: string;
  readonly required: boolean;
  readonly schema: {
    readonly type?: string;
    readonly description?: string;
    readonly enum?: readonly string[];
    readonly default?: unknown;
  };
}

const dashed = (name: string): string => name.replaceAll("_", "-");

/** The fields of a tool's published input: the required ones are the command's words, the others its options. */
function fieldsOf(tool: Tool): readonly Field[] {
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

/** Every name a tool's command answers to, the short one last. */
export const commandNames = ({ name, command }: Tool): readonly string[] => [
  dashed(name),
  ...(command === undefined ? [] : [command]),
];

/** The command of a tool, made from its own schema; `finish` receives the exit code. */
export function toolCommand(tool: Tool, host: CliHost, finish: (code: number) => void): Command {
  const fields = fieldsOf(tool);
  const [name, ...short] = commandNames(tool);
  const command = new Command(name).aliases(short).summary(tool.title).description(tool.description);
  for (const { flag, required, schema } of fields) {
    if (required) command.argument(`<${flag}>`, explained(schema));
    else if (schema.type === "boolean") command.option(`--${flag}`, explained(schema));
    else command.option(`--${flag} <${schema.type ?? "text"}>`, explained(schema));
  }
  command.option("--json", "print the whole answer as JSON on stdout");
  command.addHelpText("before", `${examplesOf(tool, fields)}\n`);
  return command.action(async (...given: unknown[]) => {
    const words = given.slice(0, -2) as (string | undefined)[];
    const { json = false, ...options } = given.at(-2) as { json?: boolean } & Record<
      string,
      string | boolean
    >;
    const required = fields.filter((field) => field.required);
    const text = Object.fromEntries([
      ...required.flatMap(({ name: field }, i) => (words[i] === undefined ? [] : [[field, words[i]]])),
      ...fields
        .filter((field) => !field.required)
        .flatMap(({ name: field, flag }) => {
          const value = options[camel(flag)];
          return value === undefined ? [] : [[field, String(value)]];
        }),
    ]);
    finish(await run(tool, text, json, host));
  });
}

async function run(tool: Tool, text: Record<string, string>, json: boolean, host: CliHost): Promise<number> {
  const { out, err } = host;
  const opened = await host.open();
  const { ports, owner } = opened;
  const now = () => ports.clock.now().getTime();
  const bar = progressBar(err, now(), now);
  try {
    const input = coerceText(jsonSchemaOf(tool.input, "input"), text);
    const result = await invoke(tool, input, {
      ports,
      principal: owner,
      door: "cli",
      signal: host.signal,
      detail: "full",
      progress: bar.step,
    });
    bar.end();
    if (json) out.write(`${JSON.stringify(result, null, 2)}\n`);
    else {
      const label = isSimulated(tool, ports.market) ? `${painter(out)("yellow", SAMPLE_LABEL)}\n` : "";
      out.write(`${label}${tool.terminal?.(result, painter(out)) ?? JSON.stringify(result, null, 2)}\n`);
    }
    return 0;
  } catch (thrown) {
    bar.end();
    return tellFailure(thrown, { out, err, json });
  } finally {
    await opened.close();
  }
}

function explained({ description = "", enum: allowed, default: usual }: Field["schema"]): string {
  const choice = allowed === undefined ? "" : ` (${allowed.join(", ")})`;
  return `${description}${choice}${usual === undefined ? "" : ` [default: ${String(usual)}]`}`;
}

const camel = (flag: string): string =>
  flag.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The tool's own examples, written as commands. */
function examplesOf(tool: Tool, fields: readonly Field[]): string {
  const [name, short] = commandNames(tool);
  const lines = tool.examples.map(({ ask, input }) => {
    const given = input as Record<string, unknown>;
    const words = fields.flatMap(({ name: field, flag, required, schema }) => {
      const value = given[field];
      if (value === undefined) return [];
      const text = quoted(String(value));
      return required ? [text] : schema.type === "boolean" ? [`--${flag}`] : [`--${flag} ${text}`];
    });
    return `  market-signal ${[short ?? name, ...words].join(" ")}\n      ${ask}`;
  });
  return `Examples:\n${lines.join("\n")}\n`;
}

const quoted = (text: string): string =>
  /^[\w.,:/@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
