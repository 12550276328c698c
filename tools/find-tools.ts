import { z } from "zod";
import { intBetween, Success } from "../src/domain/answers.ts";
import { defineTool } from "../src/kernel/tool.ts";

const FoundTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  toolset: z.string(),
  effect: z
    .enum(["read", "write", "trade"])
    .describe("read: changes nothing; write: changes own records; trade: moves money, real or paper"),
  input_schema: z.record(z.string(), z.unknown()).describe("JSON Schema of the arguments"),
  example: z.object({ ask: z.string(), input: z.record(z.string(), z.unknown()) }),
});

/** Returns the tools that fit a request in words, with their schemas. */
export const findTools = defineTool({
  name: "find_tools",
  title: "Find tools",
  description:
    "Finds tools of this server by what you want to do, with their schemas. Use it when no listed tool fits: orders, trades and brokers, alerts, watchlists, agents, options flow, dark pool prints, Congress, insiders, company facts, prediction markets, receipts. call_tool and call_action call what it finds. The name of a company is in resolve_symbol.",
  topics: [
    "find a tool",
    "which tool",
    "server capabilities",
    "tool search",
    "search your tools",
    "tool schemas",
  ],
  toolset: "system",
  plan: "member",
  effect: "read",
  route: "GET /api/v1/tools",
  role: "finder",
  cli: { command: "tools", positionals: ["query"] },
  needs: ["toolSearch"],
  input: z.object({
    query: z.string().trim().min(1).max(500).describe("What you want to do, in a few words"),
    limit: intBetween(1, 10).default(3).describe("Maximum number of tools"),
  }),
  output: z.object({
    ok: Success,
    query: z.string(),
    tools: z.array(FoundTool).describe("Best match first"),
    refused: z
      .array(z.object({ name: z.string(), title: z.string(), reason: z.string() }))
      .describe("Not allowed"),
    hint: z.string().nullable(),
  }),
  examples: [
    { ask: "Which tool places an order?", input: { query: "place an order" } },
    { ask: "Is there a tool for option chains?", input: { query: "option chain with greeks", limit: 1 } },
  ],
  terminal: ({ tools, refused, hint }) =>
    [
      ...tools.map(
        ({ name, description, example }) => `${name}: ${description}\n  For example: ${example.ask}`,
      ),
      ...refused.map(({ name, reason }) => `${name}: ${reason}`),
      ...(hint === null ? [] : [hint]),
    ].join("\n"),

  handler({ query, limit }, { toolSearch, principal, readonly }) {
    const { tools, refused } = toolSearch.find(query, { principal, limit, readonly });
    return {
      query,
      tools,
      refused,
      hint: tools.length > 0 ? null : "No tool matches. Describe the task in other words.",
    };
  },
});
