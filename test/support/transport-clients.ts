import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import type { Principal } from "../../src/domain/accounts/access.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { fieldsOf } from "../../src/transports/cli/fields.ts";
import { runCommand } from "../../src/transports/cli/run.ts";
import { A2A_BINDINGS, type A2aBinding, a2aClient, callSkill, dataIn, TaskState } from "./a2a-clients.ts";
import type { Installation } from "./installation.ts";
import { type McpResult, mcpData } from "./mcp-data.ts";
import { connectOverStdio } from "./stdio-client.ts";

/** A response in the same form for every transport: the data, or the error code. */
export type Answer = { readonly data: Record<string, unknown> } | { readonly code: string };

/** A connected client of one transport, with a separate account. */
export interface TransportClient {
  readonly name: string;
  readonly principal: Principal;
  call(tool: Tool, input: Readonly<Record<string, unknown>>): Promise<Answer>;
  close(): Promise<void>;
}

const info = { name: "parity", version: "1" };
const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

/** Clients of every transport, each with a separate account; stdio uses the owner's. */
export async function openTransportClients(installation: Installation): Promise<readonly TransportClient[]> {
  return Promise.all([
    restClient(installation),
    mcpClient(installation, "auto"),
    mcpClient(installation, "legacy"),
    sseClient(installation),
    stdioClient(installation),
    cliClient(installation),
    ...A2A_BINDINGS.map((binding) => a2aTransportClient(installation, binding)),
  ]);
}

async function newAccount(installation: Installation): Promise<{ key: string; principal: Principal }> {
  const { key } = await installation.key("enterprise");
  return { key, principal: await installation.app.authenticate(key, "127.0.0.1") };
}

async function restClient(installation: Installation): Promise<TransportClient> {
  const { key, principal } = await newAccount(installation);
  return {
    name: "REST",
    principal,
    async call(tool, input) {
      const [verb, path] = tool.route.split(" ") as [string, string];
      const rest = new Map(Object.entries(input).map(([name, value]) => [name, String(value)] as const));
      const filled = path.replace(/:(\w+)/g, (_, name: string) => {
        const value = rest.get(name) ?? "";
        rest.delete(name);
        return value.split("/").map(encodeURIComponent).join("/");
      });
      const body =
        verb === "GET"
          ? undefined
          : JSON.stringify(Object.fromEntries(Object.entries(input).filter(([name]) => rest.has(name))));
      const query = body === undefined ? `?${new URLSearchParams([...rest])}` : "";
      const response = await fetch(`${installation.url}${filled}${query}`, {
        method: verb,
        headers: {
          ...bearer(key).headers,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body }),
      });
      const data = (await response.json()) as Record<string, unknown>;
      return response.ok ? { data } : { code: String(data.code) };
    },
    close: async () => {},
  };
}

interface McpClient {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

const overMcp = (name: string, principal: Principal, client: McpClient): TransportClient => ({
  name,
  principal,
  async call(tool, input) {
    const result = (await client.callTool({ name: tool.name, arguments: { ...input } })) as McpResult & {
      readonly isError?: boolean;
    };
    if (result.isError) return { code: result.content[0]!.text!.split(":")[0]! };
    return { data: mcpData(result) };
  },
  close: () => client.close(),
});

async function mcpClient(installation: Installation, mode: "auto" | "legacy"): Promise<TransportClient> {
  const { key, principal } = await newAccount(installation);
  const client = new Client(info, { versionNegotiation: { mode } });
  const url = new URL(`${installation.url}/api/mcp?toolsets=all`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: bearer(key) }));
  return overMcp(`MCP ${client.getNegotiatedProtocolVersion()}`, principal, client);
}

async function sseClient(installation: Installation): Promise<TransportClient> {
  const { key, principal } = await newAccount(installation);
  const client = new OldClient(info);
  const transport = new SSEClientTransport(new URL(`${installation.url}/api/mcp/sse?toolsets=all`), {
    requestInit: bearer(key),
    eventSourceInit: {
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...bearer(key).headers } }),
    },
  });
  await client.connect(transport as never);
  return overMcp("MCP over SSE", principal, client);
}

async function a2aTransportClient(installation: Installation, name: A2aBinding): Promise<TransportClient> {
  const { key, principal } = await newAccount(installation);
  const client = await a2aClient(installation.url, key, name);
  return {
    name,
    principal,
    async call(tool, input) {
      const { status, artifacts } = await callSkill(client, tool.name, { ...input });
      // a preview asks for a confirmation of its ticket
      const isAsked = status?.state === TaskState.TASK_STATE_INPUT_REQUIRED && artifacts.length > 0;
      if (status?.state !== TaskState.TASK_STATE_COMPLETED && !isAsked)
        return { code: String(dataIn(status?.message?.parts).code) };
      const parts = artifacts[0]?.parts;
      const data = dataIn(parts);
      const file = parts?.flatMap(({ content }) => (content?.$case === "raw" ? [content] : [])).at(0);
      if (file === undefined) return { data };
      return {
        data: { ...data, media: { ...(data.media as object), base64: file.value.toString("base64") } },
      };
    },
    close: async () => {},
  };
}

async function stdioClient(installation: Installation): Promise<TransportClient> {
  const client = await connectOverStdio(installation, { name: info.name, toolsets: ["all"] });
  return overMcp("stdio", installation.app.owner, client);
}

/** A value as typed on the command line. */
const argumentText = (value: unknown): string =>
  [value].flat().some((one) => typeof one === "object") ? JSON.stringify(value) : String(value);

async function cliClient(installation: Installation): Promise<TransportClient> {
  const { app } = installation;
  // a separate account, so that this client does not see changes made by others
  const owner = { ...app.owner, account: (await newAccount(installation)).principal.account };
  return {
    name: "command line",
    principal: owner,
    async call(tool, input) {
      const placed = fieldsOf(tool).filter(({ name, positional: word }) => word && input[name] !== undefined);
      const words = placed.map(({ name }) => argumentText(input[name]));
      const names = new Set(placed.map(({ name }) => name));
      const options = Object.entries(input)
        .filter(([name]) => !names.has(name))
        .map(([name, value]) => `--${name.replaceAll("_", "-")}=${argumentText(value)}`);
      let printed = "";
      const noOutput = { write: () => {}, isTTY: false, colour: false };
      await runCommand([tool.name.replaceAll("_", "-"), ...words, ...options, "--json"], {
        version: "0.0.0",
        catalogue: app.registry.tools,
        out: { ...noOutput, write: (text) => (printed += text) },
        err: noOutput,
        signal: new AbortController().signal,
        settings: async () => [],
        settingOptions: [],
        providerKeys: async () => [],
        storeSetting: () => Promise.reject(new Error("not available in this test")),
        dataVersion: async () => null,
        database: () => Promise.reject(new Error("not available in this test")),
        open: async () => ({ ...app, owner, close: async () => {} }),
        openKeys: async () => ({
          access: app.access,
          browserSessions: app.browserSessions,
          close: async () => {},
        }),
        openVault: async () => ({ ...app.secretStore, close: async () => {} }),
        openAudit: () => Promise.reject(new Error("not available in this test")),
        backUp: () => Promise.reject(new Error("not available in this test")),
        openAccounts: () => Promise.reject(new Error("not available in this test")),
        restore: () => Promise.reject(new Error("not available in this test")),
        openTrading: () => Promise.reject(new Error("not available in this test")),
        importBars: () => Promise.reject(new Error("not available in this test")),
        serve: async () => 0,
        stdio: async () => {},
        work: async () => {},
        splitFault: async () => null,
        publicUrl: async () => "",
      });
      const data = JSON.parse(printed) as Record<string, unknown>;
      return typeof data.code === "string" ? { code: data.code } : { data };
    },
    close: async () => {},
  };
}
