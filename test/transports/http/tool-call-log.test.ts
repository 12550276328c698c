import { expect, it } from "vitest";
import { observeToolCalls, type ToolCallEvent } from "../../../src/transports/http/tool-call-log.ts";
import { collectingLog } from "../../support/context.ts";

function listening() {
  const heard: ToolCallEvent[] = [];
  const { log, lines } = collectingLog();
  return { heard, lines, log: observeToolCalls(log, (call) => heard.push(call)) };
}

it("tells of each run of a tool without who asked, and passes the line on whole", () => {
  const { heard, lines, log } = listening();
  const fields = { tool: "get_echo", transport: "mcp", code: "OK", ms: 3, account: "a", request_id: "r" };
  log.info("call", fields);
  log.error("call", { tool: "get_echo", transport: "rest", code: "INTERNAL" });
  expect(heard).toEqual([
    { tool: "get_echo", transport: "mcp", code: "OK", ms: 3 },
    { tool: "get_echo", transport: "rest", code: "INTERNAL", ms: null },
  ]);
  expect(lines).toMatchObject([
    { level: "info", event: "call", fields },
    { level: "error", event: "call" },
  ]);
});

it("hears nothing in other lines", () => {
  const { heard, lines, log } = listening();
  log.info("started", { tool: "t", transport: "d", code: "OK" });
  log.warn("call", { tool: "t", transport: "d", code: "OK" });
  log.info("call");
  log.info("call", { tool: "t", transport: 1, code: "OK" });
  expect(heard).toEqual([]);
  expect(lines).toHaveLength(4);
});
