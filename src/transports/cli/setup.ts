import type { Command } from "commander";
import { ToolError } from "../../kernel/errors.ts";
import { SetupError } from "../../lib/setup-error.ts";
import { type Cli, commandWithExamples, withJson, writeOutput } from "./command.ts";
import type { CliHost } from "./host.ts";
import type { ProviderKey, Setting } from "./host-settings.ts";
import { wrapToScreen } from "./screen.ts";
import { addSettingOptions, type GivenOptions, optionValues } from "./setting-options.ts";

/** The settings that setup prompts for, in order, each with its question. */
const QUESTIONS = {
  MARKET_DATA:
    "Market: sample (simulated), live (real prices of public providers) or files:<folder> (your CSV files)",
  PORT: "Port of the server",
  PAPER_EQUITY: "Cash in US dollars with which a new paper account starts",
} as const;
type QuestionName = keyof typeof QUESTIONS;
const NAMES = Object.keys(QUESTIONS) as readonly QuestionName[];

interface SetupOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Creates the command setup, which prompts for the settings that matter and stores them in the data folder. */
export function setupCommand({ host, paint, finish }: Cli): Command {
  const { out } = host;
  const known = host.settingOptions.filter(({ name }) => name in QUESTIONS);
  const command = commandWithExamples(
    "setup",
    "choose market, port and paper equity, and add keys of providers",
    ["market-signal setup", "market-signal setup --live --port 9000 --yes"],
  ).option("--yes", "keep the current value of each omitted option");

  return withJson(addSettingOptions(command, known)).action(
    async ({ yes = false, json = false, ...options }: SetupOptions & GivenOptions) => {
      const given = optionValues(options as GivenOptions, known);
      const missing = NAMES.filter((name) => given[name] === undefined);
      const prompt = yes || missing.length === 0 || json ? undefined : host.prompt;
      if (prompt === undefined && !yes && missing.length > 0) throw notATerminal();
      const say = (text: string) => out.write(wrapToScreen(out, `${text}\n`));
      if (prompt !== undefined)
        say("Enter keeps the value in brackets. Each answer is stored at once; Ctrl-C stops.");
      for (const name of NAMES) {
        const value = given[name];
        if (value !== undefined) await host.storeSetting(name, value);
        else if (prompt !== undefined) await promptFor(name, prompt, say);
        if (name === "MARKET_DATA" && prompt !== undefined) await promptForKeys(prompt, say);
      }
      const settings = await Promise.all(NAMES.map((name) => settingNamed(host, name)));
      const preceding = settings.filter(({ source }) => source === "environment");
      const lines = [
        ...settings.map(({ name, value, source }) => `${paint("bold", name)}  ${value}  (${source})`),
        ...preceding.map(({ name }) => `The environment takes precedence for ${name}: unset it there.`),
        "market-signal serve starts the server; a running one uses the settings after a restart.",
      ];
      writeOutput(out, { json: { ok: true, settings }, lines }, json);
      finish(0);
    },
  );

  /** Requests a value until the setting accepts it, and stores it if it is another one. */
  async function promptFor(
    name: QuestionName,
    prompt: NonNullable<CliHost["prompt"]>,
    say: (text: string) => void,
  ): Promise<void> {
    const { value } = await settingNamed(host, name);
    for (;;) {
      const typed = (await prompt({ question: `${QUESTIONS[name]} [${value}]: `, onEnd: ENDED })).trim();
      if (typed === "" || typed === value || (await tryStore(name, typed, say))) return;
    }
  }

  /** Lists the providers with keys, and stores those that are typed until an answer is empty. */
  async function promptForKeys(
    prompt: NonNullable<CliHost["prompt"]>,
    say: (text: string) => void,
  ): Promise<void> {
    const { value } = await settingNamed(host, "MARKET_DATA");
    if (value !== "live") return;
    const providers = await host.providerKeys();
    const known = new Map((await host.settings()).map((setting) => [setting.name, setting]));
    const isSet = ({ settings }: ProviderKey) => settings.every((name) => known.get(name)?.value != null);
    say("Live prices need no key. Keys add providers; their terms apply to you:");
    for (const [i, provider] of providers.entries()) {
      const mark = isSet(provider) ? paint("green", " (key is set)") : "";
      say(`${String(i + 1).padStart(3)}  ${paint("bold", provider.title)}${mark}: ${provider.gives}`);
      say(`     ${paint("dim", `terms: ${provider.terms}`)}`);
    }
    for (;;) {
      const typed = (
        await prompt({ question: "Number of a provider whose key you have [go on]: ", onEnd: ENDED })
      ).trim();
      if (typed === "") return;
      const provider = /^\d{1,3}$/.test(typed) ? providers[Number(typed) - 1] : undefined;
      if (provider === undefined) say(`Type a number from 1 to ${providers.length}, or nothing.`);
      else for (const name of provider.settings) await promptForKey(name, say);
    }
  }

  async function promptForKey(name: string, say: (text: string) => void): Promise<void> {
    for (;;) {
      const typed =
        (await host.readSecret?.({ question: `${name} (not shown) [none]: `, onEnd: ENDED }))?.trim() ?? "";
      if (typed === "" || (await tryStore(name, typed, say))) return;
    }
  }

  /** Stores a value; false if the setting does not accept it, which is written. */
  async function tryStore(name: string, value: string, say: (text: string) => void): Promise<boolean> {
    try {
      await host.storeSetting(name, value);
      return true;
    } catch (thrown) {
      if (!(thrown instanceof ToolError) || thrown.code !== "INVALID_INPUT") throw thrown;
      say(paint("red", thrown.message));
      return false;
    }
  }
}

async function settingNamed(host: CliHost, name: QuestionName): Promise<Setting> {
  const found = (await host.settings()).find((setting) => setting.name === name);
  if (found === undefined) throw new SetupError(`There is no setting ${name}`);
  return found;
}

/** Error when the input ends at a question. */
const ENDED =
  "The input ended; the answers before it are stored and nothing else was changed; give the others as options (--market-data, --port, --paper-equity), or add --yes to keep their values";

const notATerminal = (): ToolError =>
  new ToolError("INVALID_INPUT", "setup needs a terminal for its questions", {
    hint: "Give all answers as options: --market-data, --port and --paper-equity, or --yes to keep the current values. Keys: `market-signal config set <NAME> < file`.",
  });
