import { expect, it } from "vitest";
import { createAgentCallMonitor } from "../../../src/transports/web/agent-calls.ts";
import { collectingLog, NOW } from "../../support/context.ts";
import { movingClock } from "../../support/store.ts";

function watched() {
  const clock = movingClock();
  const arrivals = createAgentCallMonitor(clock);
  const { log, lines } = collectingLog();
  const observed = arrivals.observedLog(log);
  const call = (transport: string, code = "OK", account = "secret") =>
    observed.info("call", { tool: "get_echo", transport, code, account, request_id: "secret" });
  return { arrivals, clock, call, lines };
}

it.each([
  ["mcp", "MCP"],
  ["mcp-sse", "MCP (HTTP+SSE)"],
  ["a2a", "A2A"],
])("records an agent call over %s with its time and tool, without the account", async (transport, name) => {
  const { arrivals, call, lines } = watched();
  expect(await arrivals.latest()).toBeNull();
  call(transport);
  expect(await arrivals.latest()).toEqual({ transport: name, tool: "get_echo", at: NOW.toISOString() });
  expect(lines).toHaveLength(1);
});

it.each(["rest", "cli", "web", "stdio", "task", "toString"])("ignores calls over %s", async (transport) => {
  const { arrivals, call } = watched();
  call(transport);
  expect(await arrivals.latest()).toBeNull();
});

it("counts a failed call, but none of an unauthorized caller", async () => {
  const { arrivals, call } = watched();
  for (const code of ["UNAUTHENTICATED", "PLAN_REQUIRED", "SCOPE_REQUIRED"]) call("mcp", code);
  expect(await arrivals.latest()).toBeNull();
  call("mcp", "UNKNOWN_SYMBOL");
  expect(await arrivals.latest()).toMatchObject({ transport: "MCP" });
});

it("stores the latest call", async () => {
  const { arrivals, clock, call } = watched();
  call("mcp");
  clock.pass(1_000);
  call("a2a");
  expect(await arrivals.latest()).toEqual({
    transport: "A2A",
    tool: "get_echo",
    at: "2026-01-15T15:00:01.000Z",
  });
});

it("tells the calls of one account from those of others", async () => {
  const { arrivals, clock, call } = watched();
  call("mcp", "OK", "ada");
  clock.pass(1_000);
  call("a2a", "OK", "bob");
  expect(await arrivals.latest("ada")).toMatchObject({ transport: "MCP", at: NOW.toISOString() });
  expect(await arrivals.latest("eve")).toBeNull();
  expect(await arrivals.latest()).toMatchObject({ transport: "A2A" });
});
