import { describe, expect, it } from "vitest";
import type { Peers } from "../../../src/domain/peers-port.ts";
import { createExchanges } from "../../../src/transports/mcp/exchange.ts";
import { info } from "./clients.ts";

/** Two processes of one server. */
function twoProcesses() {
  const handlers = [0, 1].map(() => new Map<string, (payload: never) => unknown>());
  const peersOf = (own: number): Peers => ({
    async request(topic, payload) {
      const answer = handlers[1 - own]!.get(topic)?.(JSON.parse(JSON.stringify(payload)) as never) ?? null;
      return answer === null ? [] : [answer];
    },
    onRequest: (topic, handler) => void handlers[own]!.set(topic, handler),
  });
  let count = 0;
  const ids = { uuid: () => `id-${++count}` };
  return [
    createExchanges({ ids }, { peers: peersOf(0) }),
    createExchanges({ ids }, { peers: peersOf(1) }),
  ] as const;
}

const inSession = (session: string) =>
  new Request("http://127.0.0.1/api/mcp", { method: "POST", headers: { "mcp-session-id": session } });
const request = { jsonrpc: "2.0", id: 7, method: "tools/call", params: {} };
const cancellation = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };

describe("a client whose POSTs arrive at several processes", () => {
  it("cancels a request of the other process", async () => {
    const [here, there] = twoProcesses();
    const exchange = here.begin(inSession("one"), "pro", request);
    expect(there.receive(inSession("one"), "pro", cancellation)).toBe(false);
    await there.forward(inSession("one"), "other", cancellation);
    await there.forward(inSession("two"), "pro", cancellation);
    expect(exchange.isCancelled()).toBe(false);
    await there.forward(inSession("one"), "pro", cancellation);
    expect(exchange.isCancelled()).toBe(true);
    expect(exchange.controller.signal.aborted).toBe(true);
  });

  it("has the same settings in both", async () => {
    const [here, there] = twoProcesses();
    const initialize = {
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, clientInfo: info },
    };
    const response = await here.withSession(new Response(), "pro", initialize);
    const session = response.headers.get("mcp-session-id")!;
    const settings = () => there.begin(inSession(session), "pro", request).settings?.get();
    expect(settings()).toEqual({ canAsk: true, canOpen: false, showsViews: false });
    await here.begin(inSession(session), "pro", request).settings?.set({ logLevel: "info" });
    expect(settings()).toEqual({ canAsk: true, canOpen: false, showsViews: false, logLevel: "info" });
    expect(there.begin(inSession(session), "other", request).settings?.get()).toEqual({});
  });
});

it("gives no session id with a refused initialize", async () => {
  const [here] = twoProcesses();
  const initialize = { method: "initialize", params: { protocolVersion: "2025-11-25" } };
  const refused = await here.withSession(new Response("", { status: 400 }), "pro", initialize);
  expect(refused.headers.has("mcp-session-id")).toBe(false);
});

it("finds no request that has ended, and the later of two with one id", () => {
  const [here] = twoProcesses();
  const [first, second] = [1, 2].map(() => here.begin(inSession("one"), "pro", request));
  first!.end();
  expect(here.receive(inSession("one"), "pro", cancellation)).toBe(true);
  expect([first!.isCancelled(), second!.isCancelled()]).toEqual([false, true]);
  second!.end();
  expect(here.receive(inSession("one"), "pro", cancellation)).toBe(false);
});
