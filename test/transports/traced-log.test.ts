import { beforeEach, expect, it } from "vitest";
import { beginCall } from "../../src/kernel/call-log.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { collectingLog, pro, testPorts } from "../support/context.ts";
import { useInstallation } from "../support/installation.ts";
import { speaker } from "./a2a/fixture.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const OTHER = { trace_id: "0af7651916cd43dd8448eb211c80319c", span_id: "b7ad6b7169203331" };
const traceparent = `00-${TRACE}-${SPAN}-01`;
const followed = { trace_id: TRACE, span_id: SPAN };
const meta = { traceparent: `00-${OTHER.trace_id}-${OTHER.span_id}-00` };

const { log, lines } = collectingLog();
const installation = useInstallation("sample", {}, { log });
beforeEach(() => void lines.splice(0));

/** Returns the trace of each call in the log. */
const tracesOf = () =>
  lines
    .filter(({ event }) => event === "call")
    .map(({ fields = {} }) => {
      const { transport, trace_id, span_id } = fields as Record<string, unknown>;
      return { transport, trace_id, span_id };
    });

it("logs a REST call with the trace of its header, and ignores a malformed one", async () => {
  const { send } = await speaker(installation);
  await send("/api/v1/quote/AAPL", { headers: { traceparent } });
  await send("/api/v1/quote/AAPL", { headers: { traceparent: `${traceparent}-1` } });
  await send("/api/v1/quote/AAPL");
  const none = { transport: "rest", trace_id: undefined, span_id: undefined };
  expect(tracesOf()).toEqual([{ transport: "rest", ...followed }, none, none]);
});

it.each([
  ["answered directly", {}],
  ["answered by the SDK", { progressToken: 1 }],
])("logs an MCP call %s with the trace of its _meta, else of its header", async (_, fields) => {
  const { send } = await speaker(installation);
  const call = (id: number, _meta: object) =>
    send("/api/mcp", {
      method: "POST",
      headers: {
        traceparent,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id,
        method: "tools/call",
        params: { name: "get_quote", arguments: { symbol: "AAPL" }, _meta: { ...fields, ..._meta } },
      }),
    });
  expect((await call(1, meta)).status).toBe(200);
  await call(2, {});
  await call(3, { traceparent: "not one" });
  expect(tracesOf()).toEqual([
    { transport: "mcp", ...OTHER },
    { transport: "mcp", ...followed },
    { transport: "mcp", ...followed },
  ]);
});

it("logs an A2A call with the trace of its header", async () => {
  const { send } = await speaker(installation);
  const message = {
    messageId: "m1",
    role: "ROLE_USER",
    parts: [{ data: { skill: "get_quote", input: { symbol: "AAPL" } } }],
  };
  await send("/api/a2a", {
    method: "POST",
    headers: { traceparent, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } }),
  });
  expect(tracesOf()).toEqual([{ transport: "a2a", ...followed }]);
});

it("names the app of a call, and no key", () => {
  const { log, lines } = collectingLog();
  const ports = testPorts({ log });
  for (const keyId of ["app:https://client.example/id.json", "k1", undefined])
    beginCall(
      { name: "get_quote", effect: "read" } as Tool,
      { ports, principal: { ...pro, ...(keyId !== undefined && { keyId }) }, transport: "mcp" },
      "r1",
    )("OK", 0);
  expect(lines.map(({ fields }) => (fields as { app?: string }).app)).toEqual([
    "https://client.example/id.json",
    undefined,
    undefined,
  ]);
  expect(JSON.stringify(lines)).not.toContain("k1");
});
