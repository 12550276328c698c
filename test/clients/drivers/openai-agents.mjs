import { Agent, MCPServerSSE, MCPServerStdio, MCPServerStreamableHttp, Runner, Usage } from "@openai/agents";

export async function connect(transport, { url, key, stdio }) {
  // docs:start
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  const ways = {
    "Streamable HTTP": () => new MCPServerStreamableHttp({ url: `${url}/api/mcp`, requestInit }),
    SSE: () => new MCPServerSSE({ url: `${url}/api/mcp/sse`, requestInit, eventSourceInit: {} }),
    stdio: () => new MCPServerStdio(stdio),
  };
  const server = ways[transport]();
  await server.connect();
  const agent = new Agent({ name: "trader", instructions: "Answer with the tools.", mcpServers: [server] });
  // docs:end
  return {
    list: async () => (await server.listTools()).map(({ name }) => name),
    /** What the model reads after it has called the tool. */
    async call(name, input, { signal } = {}) {
      const model = modelThatCalls(name, input);
      const runner = new Runner({ model, tracingDisabled: true });
      await runner.run(agent, "Call the tool.", { signal });
      const { output } = model.requests[1].input.find(({ type }) => type === "function_call_result");
      const parts = typeof output === "string" ? [{ type: "text", text: output }] : [output].flat();
      return {
        text: parts.flatMap(({ text }) => text ?? []).join("\n"),
        images: parts.flatMap(({ type, image }) => (type === "input_image" ? [imageOf(image)] : [])),
      };
    },
  };
}

/** Splits `data:image/png;base64,...`. */
function imageOf(dataUrl) {
  const [, mime, base64] = /^data:([^;]+);base64,(.*)$/.exec(dataUrl) ?? [];
  return { mime, base64 };
}

/** A model that calls one tool, then ends. */
function modelThatCalls(name, input) {
  const outputs = [
    { type: "function_call", callId: "call-1", name, arguments: JSON.stringify(input), status: "completed" },
    {
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Done." }],
    },
  ];
  const requests = [];
  return {
    requests,
    async getResponse(request) {
      return { usage: new Usage(), output: [outputs[requests.push(request) - 1]] };
    },
  };
}
