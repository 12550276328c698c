import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
} from "@modelcontextprotocol/server";
import { TIMEFRAMES, TimeframeText } from "../../domain/market/bars.ts";
import type { Ports } from "../../domain/ports.ts";
import type { Skill } from "../../domain/skills-port.ts";
import { plainText } from "../../lib/plain-text.ts";
import { QUOTA } from "./resources.ts";
import { suggestSymbols } from "./suggest-symbols.ts";

const MAX_ARGUMENT_LENGTH = 200;

interface ArgumentDef {
  readonly description: string;
  readonly required?: true;
  /** Allowed values, in lower case. Default: any text. */
  readonly oneOf?: readonly string[];
  /** Returns the allowed value that a text means; undefined for another text. Default: the value itself. */
  read?(text: string): string | undefined;
}

interface PromptDef {
  readonly title: string;
  readonly description: string;
  readonly arguments: Readonly<Record<string, ArgumentDef>>;
  /** URI of a resource whose current text comes before the prompt. Default: none. */
  readonly resource?: string;
  render(given: Readonly<Record<string, string | undefined>>): string;
}

const ANSWER_RULES = `Rules for the answer:
- Use only what the tools return. Never invent, estimate or fill in a number.
- A null is unknown: say so, with the reason if there is one. It is neither zero nor neutral.
- Cite the source and the time of every price and score, and say whether a price is live, delayed or a past close.
- If a result is marked as sample data, say plainly that its prices are simulated.
- If a tool fails, say what failed and what is therefore unknown; do not fill the gap from memory.
- A score weighs evidence; it is not a probability of profit. This is information, not advice.`;

const SYMBOL = "Ticker or name: AAPL, BRK.B, BTC-USD, Microsoft";
const TIMEFRAME: ArgumentDef = {
  description: `Bar length: ${TIMEFRAMES.join(", ")}; default: 1d`,
  oneOf: TIMEFRAMES,
  read: (text) => TimeframeText.safeParse(text).data,
};

const PROMPTS: Readonly<Record<string, PromptDef>> = {
  analyse_symbol: {
    title: "Analyse a symbol",
    description:
      "Analyses one stock, ETF or crypto asset with sources: price, direction, evidence for and against.",
    arguments: {
      symbol: { description: SYMBOL, required: true },
      timeframe: TIMEFRAME,
    },
    render: ({ symbol, timeframe = "1d" }) => `Analyse ${symbol} on ${timeframe} bars.

1. Resolve the name to one instrument. If it could mean several, say which one you chose and what else it could mean.
2. Get its latest price.
3. Get its trading signal: direction, conviction, what drives it, the levels that matter.
4. If tools for options flow, fundamentals or news are available, get the data relevant to the same horizon.
5. Weigh the evidence: the case for, the case against, and what would change the view.

End with one paragraph that summarizes everything for a busy reader.

${ANSWER_RULES}`,
  },
  compare_symbols: {
    title: "Compare symbols",
    description: "Compares two to five symbols on the same measures and says which one the evidence favours.",
    arguments: {
      symbols: {
        description: "Two to five tickers or names, separated by commas: NVDA, AMD",
        required: true,
      },
      timeframe: TIMEFRAME,
    },
    render: ({ symbols, timeframe = "1d" }) => `Compare ${symbols} on ${timeframe} bars.

1. Resolve each name to one instrument; say so if a name could mean several.
2. Get the same data for each symbol: latest price, trading signal, volatility. Prefer one call for all symbols.
3. Put them in a table with one row per symbol and the time of the data; write "unknown" where a value is null.
4. Say which one the evidence favours and why, and which are too close to call or not comparable.

${ANSWER_RULES}`,
  },
  plan_trade: {
    title: "Plan a trade",
    description: "Plans entry, stop, targets and size for one symbol, or explains why not to trade.",
    arguments: {
      symbol: { description: SYMBOL, required: true },
      direction: {
        description: "long or short; default: the direction of the evidence",
        oneOf: ["long", "short"],
      },
      account_size: { description: "Account value in US dollars, to size the position, such as 25000" },
      risk_percent: { description: "Share of the account to risk, in percent; default: 1" },
    },
    render: ({ symbol, direction, account_size, risk_percent = "1" }) => `Plan a trade in ${symbol}${
      direction ? `, ${direction}` : ""
    }.

1. Resolve the name to one instrument and get its latest price.
2. Get its trading signal and price levels.${
      direction ? ` Check whether they support a ${direction} trade; say so if they do not.` : ""
    }
3. Propose entry, stop and targets from those levels, with the reward-to-risk ratio.
4. ${
      account_size
        ? `Size it so that the stop costs at most ${risk_percent}% of an account of ${account_size} US dollars; show the arithmetic.`
        : `Give the size per 1,000 US dollars at risk, since the account size is unknown (the user wants to risk ${risk_percent}%).`
    }
5. Say what would invalidate the plan before entry.

"No trade" is a good answer when the evidence is thin. Do not place, change or cancel an order: only plan.

${ANSWER_RULES}`,
  },
  review_plan: {
    title: "Review the plan",
    description: "Says what the key may do and what is left of its quota; the current figures are attached.",
    arguments: {},
    resource: QUOTA,
    render: () => `The attached resource holds the plan, the scopes and the quota windows of my key.

1. Say in one sentence what the plan and the scopes allow, and what they do not.
2. List each window with what is used, what is left and when it starts again.
3. Say which limit I would reach first at this rate; say "unknown" if the figures do not tell.

Use only the attached figures.`,
  },
};

/** Returns all prompts: those with arguments, and the instructions of each skill. */
export const listPrompts = (skills: readonly Skill[] = []): Prompt[] => [
  ...Object.entries(PROMPTS).map(([name, { title, description, arguments: args }]) => ({
    name,
    title,
    description,
    arguments: Object.entries(args).map(([arg, { description, required = false }]) => ({
      name: arg,
      description,
      required,
    })),
  })),
  ...skills.map(({ name, title, description }) => ({ name, title, description, arguments: [] })),
];

/** Reads the contents of a resource. */
type ReadContents = (uri: string) => Promise<ReadResourceResult["contents"]>;

interface PromptDeps {
  /** Default: none. */
  readonly skills?: readonly Skill[];
  /** Default: resources are empty. */
  readonly read?: ReadContents;
}

/** Fills in a prompt, or returns the instructions of a skill. Rejects with -32602 for an unknown name, and for a missing, overlong or disallowed argument. */
export async function getPrompt(
  name: string,
  given: Readonly<Record<string, string>> = {},
  { skills = [], read = async () => [] }: PromptDeps = {},
): Promise<GetPromptResult> {
  const skill = skills.find((each) => each.name === name);
  if (skill) return userText(skill.description, skill.instructions);
  const prompt = Object.hasOwn(PROMPTS, name) ? PROMPTS[name] : undefined;
  if (!prompt) throw invalid(`No prompt named "${plainText(name, 64)}"`);
  const filled: Record<string, string> = {};
  for (const [arg, { required, oneOf, read }] of Object.entries(prompt.arguments)) {
    const text = given[arg] ?? "";
    if (text.trim().length > MAX_ARGUMENT_LENGTH)
      throw invalid(`"${arg}" is longer than ${MAX_ARGUMENT_LENGTH} characters`);
    const value = plainText(text, MAX_ARGUMENT_LENGTH).replace(/\s+/g, " ");
    if (value !== "") filled[arg] = oneOf ? requireAllowed(arg, read?.(value) ?? value, oneOf) : value;
    else if (required) throw invalid(`"${name}" needs "${arg}"`);
  }
  const { description, resource: attached } = prompt;
  const contents = attached === undefined ? [] : await read(attached);
  const resources = contents.map((resource) => ({
    role: "user" as const,
    content: { type: "resource" as const, resource },
  }));
  return userText(description, prompt.render(filled), resources);
}

/** Returns a prompt whose last message is a text of the user. */
const userText = (
  description: string,
  text: string,
  before: GetPromptResult["messages"] = [],
): GetPromptResult => ({
  description,
  messages: [...before, { role: "user", content: { type: "text", text } }],
});

function requireAllowed(arg: string, value: string, oneOf: readonly string[]): string {
  const known = oneOf.find((allowed) => allowed === value.toLowerCase());
  if (known === undefined) throw invalid(`"${arg}" is one of ${oneOf.join(", ")}`);
  return known;
}

/** Returns completions of a prompt argument, best match first. */
export function completePrompt(
  name: string,
  argument: { readonly name: string; readonly value: string },
  symbols: Ports["symbols"] | undefined,
): readonly string[] {
  const prompt = Object.hasOwn(PROMPTS, name) ? PROMPTS[name] : undefined;
  if (!prompt || !Object.hasOwn(prompt.arguments, argument.name)) return [];
  const oneOf = prompt.arguments[argument.name]?.oneOf;
  if (oneOf) return oneOf.filter((value) => value.startsWith(argument.value.trim().toLowerCase()));
  if (argument.name === "symbol") return suggestSymbols(symbols, argument.value);
  if (argument.name !== "symbols") return [];
  const before = argument.value.slice(0, argument.value.lastIndexOf(",") + 1);
  const chosen = before.split(",").map((symbol) => symbol.trim().toUpperCase());
  return suggestSymbols(symbols, argument.value.slice(before.length))
    .filter((symbol) => !chosen.includes(symbol))
    .map((symbol) => (before === "" ? symbol : `${before} ${symbol}`));
}

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
