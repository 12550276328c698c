import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, it } from "vitest";
import type { Scope } from "../../../src/domain/accounts/access.ts";
import { maxEffect } from "../../../src/kernel/tool.ts";
import { useInstallation } from "../../support/installation.ts";
import { info } from "./clients.ts";

const installation = useInstallation("sample");
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const SCOPES: readonly Scope[] = ["read", "write", "trade:paper"];

type Call = readonly [name: string, input?: Record<string, unknown>];

/** A client of 2025 over a transport, that counts the changes of its list. */
async function oldClient(
  over: "http" | "sse",
  { path = "", scopes = SCOPES }: { readonly path?: string; readonly scopes?: readonly Scope[] } = {},
) {
  const { key } = await installation.key("pro", scopes);
  const headers = { authorization: `Bearer ${key}` };
  const client = new OldClient(info);
  let changes = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void changes++);
  const transport =
    over === "http"
      ? new StreamableHTTPClientTransport(new URL(`${installation.url}/api/mcp${path}`), {
          requestInit: { headers },
        })
      : new SSEClientTransport(new URL(`${installation.url}/api/mcp/sse${path}`), {
          requestInit: { headers },
          eventSourceInit: {
            fetch: (url, init) =>
              fetch(url, { ...init, headers: { ...(init?.headers as object), ...headers } }),
          },
        });
  await client.connect(transport as never);
  ends.push(() => client.close());
  const call = async (...[name, input = {}]: Call) => {
    const result = await client.callTool({ name, arguments: input });
    return {
      isError: result.isError === true,
      text: (result.content as any)[0].text as string,
      data: result.structuredContent as any,
    };
  };
  return {
    call,
    /** Calls a tool through a dispatcher. */
    through: (dispatcher: string, ...[name, input = {}]: Call) =>
      call(dispatcher, { name, arguments: JSON.stringify(input) }),
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    changes: () => changes,
  };
}

const WATCHLIST: Call = ["save_watchlist", { name: "tech", symbols: ["AAPL", "MSFT"] }];
const PAPER = { broker: "paper", credentials: { api_key: "any-key", api_secret: "any-secret" } };
const PREVIEW = { symbol: "AAPL", side: "buy", quantity: "1" };

describe.each(["http", "sse"] as const)("a client of 2025 with the default list over %s", (over) => {
  it("that reads its list once saves a watchlist and previews a trade through call_action", async () => {
    const { through, names } = await oldClient(over);
    const listed = await names();
    expect(listed).toContain("call_action");
    expect(listed).not.toContain("save_watchlist");
    const saved = await through("call_action", ...WATCHLIST);
    expect(saved.data.watchlist.symbols).toEqual(["AAPL", "MSFT"]);
    expect((await through("call_tool", "list_watchlists")).data.watchlists).toHaveLength(1);
    expect((await through("call_action", "connect_broker", PAPER)).isError).toBe(false);
    const preview = await through("call_action", "preview_trade", PREVIEW);
    expect(preview.data.ticket_id).toMatch(/^tk_/);
  });

  it("that reads its list again finds, lists and calls them by their own names", async () => {
    const { call, names, changes } = await oldClient(over);
    const before = await names();
    const found = await call("find_tools", { query: "Save Apple, Microsoft and Nvidia as a list", limit: 1 });
    expect(found.data.tools[0].name).toBe("save_watchlist");
    expect(found.data.hint).toBe("Call by its own name or through call_action: save_watchlist.");
    const trades = await call("find_tools", { query: "execute a trade, place an order", limit: 2 });
    expect(trades.data.hint).toContain("Call by its own name only: execute_trade");
    expect(trades.data.hint).toContain("To list it from the start, connect with the toolset trading.");
    expect(changes()).toBe(2);
    expect((await names()).slice(0, before.length)).toEqual(before);
    expect(await names()).toEqual(expect.arrayContaining(["save_watchlist", "execute_trade"]));
    expect((await call(...WATCHLIST)).data.watchlist.name).toBe("tech");
    await call("connect_broker", PAPER);
    const { data } = await call("preview_trade", PREVIEW);
    const sent = await call("execute_trade", { ticket_id: data.ticket_id });
    expect(sent.data.order.status).toBe("filled");
  });

  it("is told how to call what changes something", async () => {
    const { through } = await oldClient(over);
    expect((await through("call_tool", ...WATCHLIST)).text).toMatch(
      /^INVALID_INPUT: call_tool cannot call save_watchlist, which changes stored records\. Call save_watchlist by its own name, or through call_action\n/,
    );
    for (const dispatcher of ["call_tool", "call_action"])
      expect(
        (await through(dispatcher, "execute_trade", { ticket_id: `tk_${"1".repeat(20)}` })).text,
      ).toMatch(
        new RegExp(
          `^INVALID_INPUT: ${dispatcher} cannot call execute_trade, which trades\\. Call execute_trade by its own name\\nTo list it from the start, connect with the toolset trading\\.\\n`,
        ),
      );
  });
});

describe("the dispatchers", () => {
  it("run each tool up to their effect only", async () => {
    const { through } = await oldClient("http");
    for (const tool of installation.app.registry.tools) {
      const effect = maxEffect(tool);
      const refused = async (dispatcher: string) =>
        / cannot call \w+, which (?:changes stored records|trades)\. Call \w+ by its own name/.test(
          (await through(dispatcher, tool.name, { x_unknown: "" })).text,
        );
      if (effect === "read") continue;
      expect([tool.name, await refused("call_tool")]).toEqual([tool.name, true]);
      expect([tool.name, await refused("call_action")]).toEqual([tool.name, effect === "trade"]);
    }
  });

  it("keep the scopes of the key", async () => {
    const { through } = await oldClient("http", { scopes: ["read"] });
    expect((await through("call_action", ...WATCHLIST)).text).toMatch(/^SCOPE_REQUIRED: /);
  });

  it("have none that writes if readonly", async () => {
    const { call, names } = await oldClient("http", { path: "?readonly=1" });
    expect(await names()).not.toContain("call_action");
    await expect(call("call_action", { name: "get_health" })).rejects.toThrow(/Unknown tool "call_action"/);
    const { data } = await call("find_tools", { query: "save a watchlist" });
    expect(data.hint).toBe(null);
  });

  it("do not call each other", async () => {
    const { through } = await oldClient("http");
    expect((await through("call_tool", "call_action", { name: "get_health" })).text).toMatch(
      /Unknown tool "call_action"/,
    );
  });
});

it("a client of 2026-07-28 has no session, so its list stays and the answer names the toolset", async () => {
  const { key } = await installation.key("pro", SCOPES);
  const headers = { authorization: `Bearer ${key}` };
  const { Client, StreamableHTTPClientTransport: Transport } = await import("@modelcontextprotocol/client");
  const client = new Client(info, { versionNegotiation: { mode: "auto" } });
  await client.connect(new Transport(new URL(`${installation.url}/api/mcp`), { requestInit: { headers } }));
  ends.push(() => client.close());
  expect(client.getServerCapabilities()?.tools?.listChanged).toBe(undefined);
  const before = (await client.listTools()).tools.length;
  const found = await client.callTool({ name: "find_tools", arguments: { query: "place an order" } });
  expect((found.structuredContent as any).hint).toContain(
    "To list it from the start, connect with the toolset trading.",
  );
  expect((await client.listTools()).tools).toHaveLength(before);
  const sent = await client.callTool({
    name: "execute_trade",
    arguments: { ticket_id: `tk_${"1".repeat(20)}` },
  });
  expect((sent.content as any)[0].text).not.toContain("Unknown tool");
});
