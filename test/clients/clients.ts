/** What is measured of each client. */
export const OPERATIONS = ["list", "call", "picture", "error", "cancel", "progress"] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface MeasuredClient {
  readonly title: string;
  /** File in drivers/ without `.mjs`. */
  readonly driver: string;
  /** Packages whose versions are measured. */
  readonly packages: readonly string[];
  readonly transports: readonly string[];
  /** Operations that these versions of the packages do not have, and why. */
  readonly notOffered?: Partial<Record<Operation, string>>;
}

const MCP_TRANSPORTS = ["Streamable HTTP", "SSE", "stdio"] as const;

/** Client libraries of the matrix in docs/clients.md. */
export const CLIENTS: readonly MeasuredClient[] = [
  {
    title: "MCP TypeScript SDK v1",
    driver: "sdk-v1",
    packages: ["@modelcontextprotocol/sdk"],
    transports: MCP_TRANSPORTS,
  },
  {
    title: "MCP TypeScript SDK v2",
    driver: "sdk-v2",
    packages: ["@modelcontextprotocol/client"],
    transports: [
      "Streamable HTTP, 2026-07-28",
      "Streamable HTTP, 2025-11-25",
      "SSE",
      "stdio, 2026-07-28",
      "stdio, 2025-11-25",
    ],
  },
  {
    title: "MCP Inspector, command line",
    driver: "inspector",
    packages: ["@modelcontextprotocol/inspector"],
    transports: MCP_TRANSPORTS,
    notOffered: { progress: "the command line prints only the result" },
  },
  {
    title: "mcp-remote, a stdio bridge",
    driver: "mcp-remote",
    packages: ["mcp-remote", "@modelcontextprotocol/sdk"],
    transports: ["Streamable HTTP", "SSE"],
  },
  {
    title: "LangChain adapters",
    driver: "langchain",
    packages: ["@langchain/mcp-adapters", "@langchain/core"],
    transports: MCP_TRANSPORTS,
  },
  {
    title: "Vercel AI SDK",
    driver: "vercel",
    packages: ["@ai-sdk/mcp", "ai"],
    transports: MCP_TRANSPORTS,
    notOffered: { progress: "requests carry no progress token" },
  },
  {
    title: "OpenAI Agents SDK",
    driver: "openai-agents",
    packages: ["@openai/agents"],
    transports: MCP_TRANSPORTS,
    notOffered: { progress: "no callback for progress" },
  },
  {
    title: "Mastra",
    driver: "mastra",
    packages: ["@mastra/mcp", "@mastra/core"],
    transports: ["Streamable HTTP", "stdio"],
  },
  {
    title: "A2A SDK 1.x",
    driver: "a2a-v1",
    packages: ["@a2a-js/sdk"],
    transports: ["JSON-RPC", "HTTP+JSON"],
  },
  {
    title: "A2A SDK 0.3",
    driver: "a2a-v0-3",
    packages: ["@a2a-js/sdk-0.3"],
    transports: ["JSON-RPC", "HTTP+JSON"],
  },
  {
    title: "openapi-fetch",
    driver: "openapi-fetch",
    packages: ["openapi-fetch", "openapi-typescript"],
    transports: ["REST"],
    notOffered: { progress: "REST has no progress" },
  },
  {
    title: "Hey API",
    driver: "hey-api",
    packages: ["@hey-api/openapi-ts"],
    transports: ["REST"],
    notOffered: { progress: "REST has no progress" },
  },
];
