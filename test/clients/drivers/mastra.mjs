import { Agent } from "@mastra/core/agent";
import { MCPClient } from "@mastra/mcp";
import { MockLanguageModelV3 } from "ai/test";

export async function connect(transport, { url, key, stdio }) {
  // docs:start
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  const server = {
    "Streamable HTTP": { url: new URL(`${url}/api/mcp`), requestInit },
    stdio,
  }[transport];
  const mcp = new MCPClient({ servers: { market: { ...server, enableProgressTracking: true } } });
  const tools = await mcp.listTools(); // for new Agent({ model, tools, ... })
  // docs:end
  return {
    list: async () => Object.keys(tools).map((name) => name.replace(/^market_/, "")),
    /** What the model reads after it has called the tool. */
    async call(name, input, { signal, onProgress } = {}) {
      if (onProgress) await mcp.progress.onUpdate("market", onProgress);
      const model = modelThatCalls(`market_${name}`, input);
      const agent = new Agent({
        id: "trader",
        name: "trader",
        instructions: "Answer with the tools.",
        model,
        tools,
      });
      await agent.generate("Call the tool.", { abortSignal: signal, maxSteps: 2 });
      const prompt = model.doGenerateCalls[1]?.prompt ?? model.doStreamCalls[1].prompt;
      const [{ output }] = prompt.findLast(({ role }) => role === "tool").content;
      const parts =
        output.type === "content" ? output.value : [{ type: "text", text: JSON.stringify(output.value) }];
      return {
        text: parts.flatMap(({ text }) => text ?? []).join("\n"),
        images: parts.flatMap(({ mediaType, data }) =>
          data === undefined ? [] : [{ mime: mediaType, base64: data }],
        ),
      };
    },
  };
}

/** A model that calls one tool, then ends. */
function modelThatCalls(toolName, input) {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const call = { type: "tool-call", toolCallId: "call-1", toolName, input: JSON.stringify(input) };
  return new MockLanguageModelV3({
    doGenerate: [
      { content: [call], finishReason: { unified: "tool-calls", raw: "tool-calls" }, usage, warnings: [] },
      {
        content: [{ type: "text", text: "Done." }],
        finishReason: { unified: "stop", raw: "stop" },
        usage,
        warnings: [],
      },
    ],
  });
}
