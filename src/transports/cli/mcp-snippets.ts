import { type ClientTarget, KEY_VARIABLE } from "./mcp-target.ts";

interface Snippet {
  readonly title: string;
  readonly place: string;
  readonly render: (target: ClientTarget) => string;
}

const json = (value: unknown): string => JSON.stringify(value);
const imported = (names: string, from: string): string => `import { ${names} } from ${json(from)};`;
/** The environment as the printed programs read it. */
const ENVIRONMENT = ["process", "env"].join(".");

/** Returns the expression for the Authorization header: a template literal that reads the key from the environment. */
const bearerInScript = ({ key }: ClientTarget): string =>
  key === null ? `\`Bearer \${${ENVIRONMENT}.${KEY_VARIABLE}}\`` : json(`Bearer ${key}`);

const bearerInPython = ({ key }: ClientTarget): string =>
  key === null ? `f"Bearer {os.environ['${KEY_VARIABLE}']}"` : json(`Bearer ${key}`);

/** Returns the members of an object in JavaScript or Python that start a stdio server. */
const launchFields = ({ server }: ClientTarget, indent: string, quote: (name: string) => string): string =>
  Object.entries(server ?? {})
    .map(([name, value]) => `${indent}${quote(name)}: ${json(value)},`)
    .join("\n");

const bare = (name: string): string => name;

const openaiAgents = (target: ClientTarget): string =>
  target.server === null
    ? `${imported("Agent, MCPServerStreamableHttp", "@openai/agents")}

const marketSignal = new MCPServerStreamableHttp({
  name: "market-signal",
  url: ${json(target.url)},
  requestInit: { headers: { Authorization: ${bearerInScript(target)} } },
});
await marketSignal.connect();
const agent = new Agent({ name: "Analyst", mcpServers: [marketSignal] });
`
    : `${imported("Agent, MCPServerStdio", "@openai/agents")}

const marketSignal = new MCPServerStdio({
  name: "market-signal",
${launchFields(target, "  ", bare)}
});
await marketSignal.connect();
const agent = new Agent({ name: "Analyst", mcpServers: [marketSignal] });
`;

const openaiAgentsPython = (target: ClientTarget): string =>
  target.server === null
    ? `import os

from agents import Agent
from agents.mcp import MCPServerStreamableHttp

market_signal = MCPServerStreamableHttp(
    name="market-signal",
    params={
        "url": ${json(target.url)},
        "headers": {"Authorization": ${bearerInPython(target)}},
    },
)
agent = Agent(name="Analyst", mcp_servers=[market_signal])  # inside: async with market_signal
`
    : `from agents import Agent
from agents.mcp import MCPServerStdio

market_signal = MCPServerStdio(
    name="market-signal",
    params={
${launchFields(target, "        ", json)}
    },
)
agent = Agent(name="Analyst", mcp_servers=[market_signal])  # inside: async with market_signal
`;

const vercelAiSdk = (target: ClientTarget): string =>
  target.server === null
    ? `${imported("createMCPClient", "@ai-sdk/mcp")}

const marketSignal = await createMCPClient({
  transport: {
    type: "http",
    url: ${json(target.url)},
    headers: { Authorization: ${bearerInScript(target)} },
  },
});
const tools = await marketSignal.tools();
`
    : `${imported("createMCPClient", "@ai-sdk/mcp")}
${imported("Experimental_StdioMCPTransport as StdioTransport", "@ai-sdk/mcp/mcp-stdio")}

const marketSignal = await createMCPClient({
  transport: new StdioTransport({
${launchFields(target, "    ", bare)}
  }),
});
const tools = await marketSignal.tools();
`;

const langchain = (target: ClientTarget): string => {
  const connection =
    target.server === null
      ? `      transport: "http",
      url: ${json(target.url)},
      headers: { Authorization: ${bearerInScript(target)} },`
      : `      transport: "stdio",
${launchFields(target, "      ", bare)}`;
  return `${imported("MultiServerMCPClient", "@langchain/mcp-adapters")}

const client = new MultiServerMCPClient({
  mcpServers: {
    "market-signal": {
${connection}
    },
  },
});
const tools = await client.getTools();
`;
};

const langchainPython = (target: ClientTarget): string => {
  const connection =
    target.server === null
      ? `            "transport": "http",
            "url": ${json(target.url)},
            "headers": {"Authorization": ${bearerInPython(target)}},`
      : `            "transport": "stdio",
${launchFields(target, "            ", json)}`;
  return `${target.server === null ? "import os\n\n" : ""}from langchain_mcp_adapters.client import MultiServerMCPClient

client = MultiServerMCPClient(
    {
        "market-signal": {
${connection}
        },
    }
)
tools = await client.get_tools()  # inside an async function
`;
};

const mastra = (target: ClientTarget): string => {
  const connection =
    target.server === null
      ? `      url: new URL(${json(target.url)}),
      requestInit: { headers: { Authorization: ${bearerInScript(target)} } },`
      : launchFields(target, "      ", bare);
  return `${imported("MCPClient", "@mastra/mcp")}

const mcp = new MCPClient({
  servers: {
    "market-signal": {
${connection}
    },
  },
});
const tools = await mcp.listTools();
`;
};

const inTypeScript = "in a program, TypeScript";
const inPython = "in a program, Python";

/** Code that connects an agents SDK, by the name that `mcp config` takes. */
export const SNIPPETS: Readonly<Record<string, Snippet>> = {
  "openai-agents": { title: "OpenAI Agents SDK", place: inTypeScript, render: openaiAgents },
  "openai-agents-python": { title: "OpenAI Agents SDK", place: inPython, render: openaiAgentsPython },
  "vercel-ai-sdk": { title: "Vercel AI SDK", place: inTypeScript, render: vercelAiSdk },
  langchain: { title: "LangChain", place: inTypeScript, render: langchain },
  "langchain-python": { title: "LangChain", place: inPython, render: langchainPython },
  mastra: { title: "Mastra", place: inTypeScript, render: mastra },
};
