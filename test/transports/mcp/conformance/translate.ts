/** Words of the suite as those of the product: the suite calls tools, prompts and resources by names of its own. */
interface Subject {
  /** Name or URI of the product. */
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** Words of the product's response that the suite expects in its own form. */
  readonly words?: Readonly<Record<string, string>>;
}

const BACKTEST = {
  name: "run_backtest",
  arguments: {
    symbols: ["AAPL", "MSFT", "NVDA"],
    strategy: "sma_cross",
    sweep: { fast: "5..50:1", slow: "60..200:10" },
    picture: false,
  },
};
/** A call with an ambiguous symbol: the product asks what it means. */
const ASKING = {
  name: "preview_trade",
  arguments: { symbol: "BTC", side: "buy", quantity: "0.01" },
  words: { '"inputRequests":{"symbol":': '"inputRequests":{"user_name":' },
};
const QUOTE = { name: "get_quote", arguments: { symbol: "AAPL" } };

const TOOLS: Readonly<Record<string, Subject>> = {
  test_simple_text: QUOTE,
  test_image_content: { name: "render_chart", arguments: { symbol: "AAPL" } },
  test_error_handling: { name: "get_quote", arguments: { symbol: "NO_SUCH_SYMBOL" } },
  test_tool_with_progress: BACKTEST,
  test_tool_with_logging: BACKTEST,
  test_streaming_elicitation: ASKING,
  test_logging_tool: QUOTE,
  test_elicitation: ASKING,
  test_input_required_result_elicitation: ASKING,
};
const PROMPTS: Readonly<Record<string, Subject>> = {
  test_simple_prompt: { name: "review_plan" },
  test_prompt_with_arguments: { name: "plan_trade" },
  test_prompt_with_embedded_resource: { name: "review_plan", arguments: {} },
};
const ARGUMENTS: Readonly<Record<string, string>> = { arg1: "symbol", arg2: "account_size" };
const RESOURCES: Readonly<Record<string, Subject>> = {
  "test://static-text": { name: "market-signal://tools" },
  "test://template/123/data": { name: "signal://AAPL/1d", words: { AAPL: "123" } },
};
/** The user of the suite gives a name or an address; the user of the product chooses a symbol. */
const CHOSEN = { symbol: "BTC-USD" };

export interface Translated {
  readonly message: unknown;
  /** The name for the header `Mcp-Name`; null if it stays the same. */
  readonly name: string | null;
  readonly words: Readonly<Record<string, string>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Translates a message of the suite for the product. Everything that is the same for both stays as it is. */
export function translate(message: unknown): Translated {
  const {
    method,
    params = {},
    result,
  } = (message ?? {}) as {
    method?: unknown;
    params?: Fields;
    result?: Fields;
  };
  const same = { message, name: null, words: {} };
  const by = (subject: Subject | undefined, translated: Fields): Translated =>
    subject === undefined
      ? same
      : {
          message: { ...(message as Fields), params: { ...params, ...translated } },
          name: subject.name,
          words: subject.words ?? {},
        };
  if (result?.action === "accept")
    return { ...same, message: { ...(message as Fields), result: { ...result, content: CHOSEN } } };
  switch (method) {
    case "tools/call": {
      const subject = TOOLS[String(params.name)];
      return by(subject, {
        name: subject?.name,
        arguments: subject?.arguments,
        ...answered(params.inputResponses),
      });
    }
    case "prompts/get": {
      const subject = PROMPTS[String(params.name)];
      const given = subject?.arguments ?? renamed(params.arguments as Fields | undefined);
      return by(subject, { name: subject?.name, arguments: given });
    }
    case "resources/read": {
      const subject = RESOURCES[String(params.uri)];
      return by(subject, { uri: subject?.name });
    }
    case "completion/complete": {
      const { ref, argument } = params as { ref?: Fields; argument?: Fields };
      const subject = PROMPTS[String(ref?.name)];
      const name = ARGUMENTS[String(argument?.name)] ?? argument?.name;
      return by(subject, { ref: { ...ref, name: subject?.name }, argument: { ...argument, name } });
    }
    default:
      return same;
  }
}

const renamed = (given: Fields = {}): Fields =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [ARGUMENTS[name] ?? name, value]));

/** Translates the answers to questions; invalid ones stay invalid. */
function answered(responses: unknown): Fields {
  if (typeof responses !== "object" || responses === null)
    return responses === undefined ? {} : { inputResponses: responses };
  const { user_name: own, ...others } = responses as Fields;
  if (own === undefined) return { inputResponses: others };
  const { action, content } = own as { action?: unknown; content?: Fields };
  const chosen = action === "accept" && content?.name !== undefined ? { action, content: CHOSEN } : own;
  return { inputResponses: { symbol: chosen, ...others } };
}

/** Returns a line of a response in the words of the suite. */
export const translateBack = (line: string, words: Translated["words"]): string =>
  Object.entries(words).reduce((text, [product, suite]) => text.replaceAll(product, suite), line);
