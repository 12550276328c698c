import { expect, it } from "vitest";
import { observeToolCalls, type ToolCallEvent } from "../../../src/transports/http/tool-call-log.ts";
import { collectingLog } from "../../support/context.ts";

function listening() {
  const received: ToolCallEvent[] = [];
  const { log, lines } = collectingLog();
  return { received, lines, log: observeToolCalls(log, (call) => received.push(call)) };
}

it("reports each tool call without its caller, and forwards the full entry", () => {
  const { received, lines, log } = listening();
  const fields = { tool: "get_echo", transport: "mcp", code: "OK", ms: 3, account: "a", request_id: "r" };
  log.info("call", fields);
  log.error("call", { tool: "get_echo", transport: "rest", code: "INTERNAL" });
  expect(received).toEqual([
    { tool: "get_echo", transport: "mcp", code: "OK", ms: 3 },
    { tool: "get_echo", transport: "rest", code: "INTERNAL", ms: null },
  ]);
  expect(lines).toMatchObject([
    { level: "info", event: "call", fields },
    { level: "error", event: "call" },
  ]);
});

it("ignores other entries", () => {
  const { received, lines, log } = listening();
  log.info("started", { tool: "t", transport: "d", code: "OK" });
  log.warn("call", { tool: "t", transport: "d", code: "OK" });
  log.info("call");
  log.info("call", { tool: "t", transport: 1, code: "OK" });
  expect(received).toEqual([]);
  expect(lines).toHaveLength(4);
});
