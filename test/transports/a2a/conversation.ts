import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { z } from "zod";
import { catalogue } from "../../../src/app/catalogue.ts";
import { SymbolText } from "../../../src/domain/answers.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { defineTool } from "../../../src/kernel/tool.ts";
import type { Installation } from "../../support/installation.ts";
import { TEST_TOOL } from "../../support/test-tool.ts";
import { type Speaker, speaker } from "./fixture.ts";

export const APPLE = { symbol: "AAPL", name: "Apple Inc.", asset_class: "equity" } as const;
export const BITCOIN = { symbol: "BTC-USD", name: "Bitcoin", asset_class: "crypto" } as const;
export const FUND = { symbol: "BTC", name: "Bitcoin Fund", asset_class: "etf" } as const;

/** Refuses the name BTC unless its class is given; a trade, so a reply must name one of the candidates. */
const buyCoin = defineTool({
  ...TEST_TOOL,
  name: "buy_coin",
  title: "Buy",
  plan: "pro",
  effect: "trade",
  route: "POST /api/v1/buy-coin",
  input: z.object({
    symbol: SymbolText,
    asset_class: z.enum(["etf", "crypto"]).optional().describe("Class"),
  }),
  output: z.object({ ok: z.boolean(), bought: z.string() }),
  examples: [{ ask: "Buy", input: { symbol: "BTC-USD" } }],
  handler({ symbol, asset_class }) {
    if (symbol === "BTC" && asset_class === undefined)
      throw new ToolError("INVALID_INPUT", '"BTC" names several instruments', {
        data: { candidates: [FUND, BITCOIN] },
      });
    return { ok: true, bought: `${symbol} ${asset_class ?? ""}`.trim() };
  },
});

/** Knows AAPL alone, in a list of symbols. */
const listQuotes = defineTool({
  ...TEST_TOOL,
  name: "list_known",
  title: "List",
  route: "POST /api/v1/list-known",
  input: z.object({ symbols: z.array(SymbolText).describe("Symbols") }),
  output: z.object({ ok: z.boolean(), symbols: z.array(z.string()) }),
  examples: [{ ask: "List", input: { symbols: ["AAPL"] } }],
  handler({ symbols }) {
    const unknown = symbols.find((symbol) => symbol !== "AAPL" && symbol !== "BTC-USD");
    if (unknown !== undefined)
      throw new ToolError("UNKNOWN_SYMBOL", `No instrument is known as "${unknown}"`, {
        data: { symbol: unknown, candidates: unknown === "ZZZZ" ? [] : [APPLE, BITCOIN] },
      });
    return { ok: true, symbols };
  },
});

/** The catalogue, and tools whose symbols are ambiguous. */
export const CONVERSATION_TOOLS = { ...catalogue, buyCoin, listQuotes };

/** Returns an account with a paper broker. */
export async function newTrader(installation: Installation): Promise<Speaker> {
  const opened = await speaker(installation, "pro", ["read", "write", "trade:paper"]);
  const credentials = { api_key: "any-key", api_secret: "any-secret" };
  const input = { broker: "paper", account_type: "paper", credentials };
  const made = await opened.ask({ data: { skill: "connect_broker", input } });
  expect(made.result.task.status.state).toBe("TASK_STATE_COMPLETED");
  return opened;
}

/** Sends one message on a task; returns the task, or the error. */
export const reply = async (
  { rpc }: Speaker,
  { id, contextId }: { readonly id: string; readonly contextId?: string },
  ...parts: readonly object[]
) => {
  const message = { messageId: randomUUID(), role: "ROLE_USER", taskId: id, contextId, parts };
  const { result, error } = await rpc("SendMessage", { message });
  return result?.task ?? error;
};
export const begin = async ({ ask }: Speaker, ...parts: readonly object[]) =>
  (await ask(...parts)).result.task;
export const skill = (name: string, input: object) => ({ data: { skill: name, input } });
export const stateOf = ({ status }: any): string => status.state.replace("TASK_STATE_", "");
export const words = ({ status }: any): string => status.message.parts[0].text;
export const facts = ({ status }: any) => status.message.parts[1].data;
export const lastData = ({ artifacts }: any) =>
  artifacts.at(-1).parts.find(({ data }: any) => data !== undefined).data;
export const preview = (speaking: Speaker, quantity = "1") =>
  begin(speaking, skill("preview_trade", { symbol: "AAPL", side: "buy", quantity, stop_loss: "1" }));
export const orders = async (speaking: Speaker) =>
  lastData(await begin(speaking, skill("list_orders", {}))).orders;
