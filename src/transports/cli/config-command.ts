import type { Command } from "commander";
import type { Paint } from "../../domain/terminal.ts";
import { ToolError } from "../../kernel/errors.ts";
import { nearestNames } from "../../lib/nearest-names.ts";
import { plainText } from "../../lib/plain-text.ts";
import { type Cli, commandWithExamples, withJson, writeOutput } from "./command.ts";
import type { CliHost } from "./host.ts";
import type { Setting } from "./host-settings.ts";

const MAX_VALUE_LENGTH = 500;
const MAX_NAME_LENGTH = 60;
/** Sources that take precedence over the data folder. */
const PRECEDING: ReadonlySet<string> = new Set(["option", "environment"]);

interface JsonOption {
  readonly json?: boolean;
}

/** Creates the command config list | get | set | unset, for the settings that stay in the data folder. */
export function configCommand({ host, paint, finish }: Cli): Command {
  const { out } = host;

  const list = commandWithExamples(
    "list",
    "list every setting with its value, where it comes from and what it does",
    ["market-signal config list", "PORT=9000 market-signal config list --json"],
  ).action(async ({ json = false }: JsonOption) => {
    const settings = await host.settings();
    const ok = settings.every(({ fault }) => fault === undefined);
    writeOutput(out, { json: { ok, settings }, lines: formatSettings(settings, paint) }, json);
    finish(ok ? 0 : 2);
  });

  const get = commandWithExamples("get", "print the value of one setting", ["market-signal config get PORT"])
    .argument("<name>", "name of the setting, such as PORT")
    .action(async (typed: string, { json = false }: JsonOption) => {
      const setting = await findSetting(host, typed);
      const { fault, value } = setting;
      const lines = [
        value === null ? "not set" : plainText(value, MAX_VALUE_LENGTH),
        ...(fault === undefined ? [] : [paint("red", `invalid: ${fault}`)]),
      ];
      writeOutput(out, { json: { ok: fault === undefined, ...setting }, lines }, json);
      finish(fault === undefined ? 0 : 2);
    });

  const set = commandWithExamples(
    "set",
    "store a setting in the data folder; a secret is read from the terminal or standard input, and sealed",
    [
      "market-signal config set PORT 9000",
      "market-signal config set MARKET_DATA live",
      "market-signal config set METRICS_TOKEN < token.txt",
    ],
  )
    .argument("<name>", "name of the setting, such as PORT")
    .argument("[value]", "its value; omitted for a secret")
    .action(async (typed: string, given: string | undefined, { json = false }: JsonOption) => {
      const setting = await findSetting(host, typed);
      const value = await valueFor(setting, given, host);
      const { place } = await host.storeSetting(setting.name, value);
      report(
        await findSetting(host, setting.name),
        { sentence: `${setting.name} is stored in ${place}.` },
        json,
      );
    });

  const unset = commandWithExamples(
    "unset",
    "remove a setting from the data folder, so that its default holds",
    ["market-signal config unset PORT"],
  )
    .argument("<name>", "name of the setting, such as PORT")
    .action(async (typed: string, { json = false }: JsonOption) => {
      const { name } = await findSetting(host, typed);
      const { place, wasSet } = await host.storeSetting(name, null);
      const sentence = wasSet ? `Removed ${name} from ${place}.` : `${name} was not set in ${place}.`;
      report(await findSetting(host, name), { sentence, removed: wasSet }, json);
    });

  /** Writes what a change did, and what it does not change. */
  function report(
    setting: Setting,
    { sentence, removed }: { readonly sentence: string; readonly removed?: boolean },
    json: boolean,
  ): void {
    const { name, value, source, restart } = setting;
    const lines = [
      sentence,
      ...(PRECEDING.has(source) ? [`The ${source} takes precedence: ${name} is ${value}.`] : []),
      ...(restart && removed !== false
        ? [paint("dim", "A running server uses the new value after a restart.")]
        : []),
    ];
    const changed = removed !== undefined && { removed };
    writeOutput(out, { json: { ok: true, ...setting, ...changed }, lines }, json);
    finish(0);
  }

  return commandWithExamples("config", "list and change the settings of this installation", [
    "market-signal config",
    "market-signal config set PORT 9000",
  ])
    .addCommand(withJson(list), { isDefault: true })
    .addCommand(withJson(get))
    .addCommand(withJson(set))
    .addCommand(withJson(unset));
}

function formatSettings(settings: readonly Setting[], paint: Paint): readonly string[] {
  const width = Math.max(0, ...settings.map(({ name }) => name.length));
  const lines = settings.flatMap(({ name, value, source, purpose, restart, fault }) => {
    const origin = source === "default" ? "" : paint("cyan", `  from the ${source}`);
    return [
      `${paint("bold", name.padEnd(width))}  ${value === null ? paint("dim", "not set") : plainText(value, MAX_VALUE_LENGTH)}${origin}`,
      ...(fault === undefined ? [] : [`${" ".repeat(width)}  ${paint("red", `invalid: ${fault}`)}`]),
      `${" ".repeat(width)}  ${paint("dim", `${purpose}${restart ? "" : " (no restart needed)"}`)}`,
    ];
  });
  return [...lines, paint("dim", "A running server uses a changed setting after a restart.")];
}

/** Finds a setting by its name in any case. Throws INVALID_INPUT with the nearest name. */
async function findSetting(host: CliHost, typed: string): Promise<Setting> {
  const settings = await host.settings();
  const wanted = typed.toUpperCase().replaceAll("-", "_");
  const found = settings.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  const [nearest] = nearestNames(
    wanted,
    settings.map(({ name }) => name),
  );
  throw new ToolError("INVALID_INPUT", `There is no setting ${plainText(typed, MAX_NAME_LENGTH)}`, {
    hint: `The nearest name is ${nearest}. \`market-signal config\` lists all.`,
  });
}

/** Returns the value to store: of a secret from the terminal or standard input, else from the command line. */
async function valueFor(
  { name, secret }: Setting,
  given: string | undefined,
  host: CliHost,
): Promise<string> {
  if (!secret && given === undefined)
    throw new ToolError("INVALID_INPUT", `The value of ${name} is missing`, {
      hint: `Add it: \`market-signal config set ${name} <value>\`.`,
    });
  if (secret && given !== undefined)
    throw new ToolError("INVALID_INPUT", `${name} is a secret, which a command line would show to others`, {
      hint: `Omit the value and type it when it is requested, or pass it on standard input: \`market-signal config set ${name} < file\`.`,
    });
  const value = given ?? (await host.readSecret?.({ question: `${name}: `, onEnd: endedText(name) })) ?? "";
  if (value.trim() === "")
    throw new ToolError("INVALID_INPUT", `The value of ${name} is empty`, {
      hint: `\`market-signal config unset ${name}\` removes it.`,
    });
  return value.trim();
}

const endedText = (name: string): string =>
  `The input ended before a value, so nothing was changed; type it, or pass it on standard input: \`market-signal config set ${name} < file\``;
