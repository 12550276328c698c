import { type Command, Option } from "commander";
import { ToolError } from "../../kernel/errors.ts";
import { camelCase } from "./fields.ts";
import type { SettingOption } from "./host-settings.ts";

/** Values of the options of a command, by their names in camel case. */
export type GivenOptions = Readonly<Record<string, string | boolean | undefined>>;

/** Setting of the market, for which `--live` and `--sample` are short. */
const MARKET = "MARKET_DATA";
const MARKETS = ["live", "sample"] as const;
/** Settings of a test or a special case, which the help does not list. */
const UNLISTED = /^PROVIDER_URL_/;

/** Adds an option for every setting to a command. */
export function addSettingOptions(command: Command, added: readonly SettingOption[]): Command {
  for (const { name, option, purpose } of added)
    command.addOption(new Option(`--${option} <value>`, purpose).hideHelp(UNLISTED.test(name)));
  if (added.some(({ name }) => name === MARKET))
    for (const market of MARKETS) command.option(`--${market}`, `the same as --market-data ${market}`);
  return command;
}

/** Returns the given values by the name of their setting. Throws INVALID_INPUT if two options name a market. */
export function optionValues(
  options: GivenOptions,
  known: readonly SettingOption[],
): Readonly<Record<string, string>> {
  const given = known.flatMap(({ name, option }) => {
    const text = options[camelCase(option)];
    return text === undefined ? [] : [[name, String(text)] as const];
  });
  const markets = MARKETS.filter((market) => options[market] === true);
  if (markets.length + given.filter(([name]) => name === MARKET).length > 1)
    throw new ToolError("INVALID_INPUT", "Two options name the market", {
      hint: "Use one of --live, --sample and --market-data.",
    });
  return Object.fromEntries([...given, ...markets.map((market) => [MARKET, market] as const)]);
}
