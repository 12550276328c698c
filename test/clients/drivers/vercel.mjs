import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";

export async function connect(transport, { url, key, stdio }) {
  // docs:start
  const headers = { Authorization: `Bearer ${key}` };
  const client = await createMCPClient({
    transport: {
      "Streamable HTTP": { type: "http", url: `${url}/api/mcp`, headers },
      SSE: { type: "sse", url: `${url}/api/mcp/sse`, headers },
      stdio: new StdioTransport(stdio),
    }[transport],
  });
  const tools = await client.tools(); // for generateText({ model, tools, prompt })
  // docs:end
  return {
    list: async () => Object.keys(tools),
    /** What the model reads after it has called the tool. */
    async call(toolName, input, { signal } = {}) {
      const model = modelThatCalls(toolName, input);
      await generateText({
        model,
        tools,
        prompt: "Call the tool.",
        abortSignal: signal,
        stopWhen: isStepCount(2),
        maxRetries: 0,
      });
      const [{ output }] = model.doGenerateCalls[1].prompt.at(-1).content;
      const parts = output.type === "content" ? output.value : [{ type: "text", text: String(output.value) }];
      return {
        text: parts.flatMap(({ text }) => text ?? []).join("\n"),
        images: parts.flatMap(({ type, mediaType, data }) =>
          type === "file" ? [{ mime: mediaType, base64: data.data }] : [],
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
  return new MockLanguageModelV4({
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
