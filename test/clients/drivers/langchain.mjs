import { MultiServerMCPClient } from "@langchain/mcp-adapters";

export async function connect(transport, { url, key, stdio }) {
  let notify = () => {};
  const onProgress = (progress) => notify(progress);
  // docs:start
  const headers = { Authorization: `Bearer ${key}` };
  const server = {
    "Streamable HTTP": { transport: "http", url: `${url}/api/mcp`, headers, automaticSSEFallback: false },
    SSE: { transport: "sse", url: `${url}/api/mcp/sse`, headers },
    stdio: { transport: "stdio", ...stdio },
  }[transport];
  const client = new MultiServerMCPClient({
    mcpServers: { "market-signal": server },
    useStandardContentBlocks: true,
    onProgress,
  });
  const tools = await client.getTools(); // for createAgent({ model, tools })
  // docs:end
  return {
    list: async () => tools.map(({ name }) => name),
    async call(name, args, { signal, onProgress: listener = () => {} } = {}) {
      notify = listener;
      const tool = tools.find((candidate) => candidate.name === name);
      const { content } = await tool.invoke({ type: "tool_call", id: "call-1", name, args }, { signal });
      const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
      return {
        text: blocks.flatMap(({ text }) => text ?? []).join("\n"),
        images: blocks.flatMap(({ type, mime_type, data }) =>
          type === "image" ? [{ mime: mime_type, base64: data }] : [],
        ),
      };
    },
  };
}
