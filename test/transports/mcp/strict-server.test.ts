import { describe, expect, it } from "vitest";
import { StrictServer } from "../../../src/transports/mcp/strict-server.ts";
import { collectingLog } from "../../support/context.ts";
import { setup } from "./fixture.ts";

const MODERN = "2026-07-28";
const envelope = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
};

/** Sends a request over Streamable HTTP in either protocol era and returns the only message of the response. */
async function answer(era: "legacy" | "modern", method: string, params?: Record<string, unknown>) {
  const { log, lines } = collectingLog();
  const name = params?.name ?? params?.uri;
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(era === "modern" && { "mcp-protocol-version": MODERN, "mcp-method": method }),
    ...(era === "modern" && typeof name === "string" && { "mcp-name": name }),
  };
  const sent = era === "modern" ? { ...params, _meta: envelope } : params;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: sent });
  const response = await setup({}, { log }).ask("/api/mcp", { method: "POST", headers, body });
  const message = JSON.parse(/\{.*\}/s.exec(await response.text())?.[0] ?? "null");
  return { message, errors: lines.filter(({ level }) => level === "error") };
}

const cursorError = (method: string) =>
  `This cursor is not from ${method}, which returns everything in one page. Call it without a cursor`;

const symbol = { name: "analyse_symbol" };
const ref = { type: "ref/prompt", ...symbol };

describe.each(["legacy", "modern"] as const)("invalid protocol params, %s era", (era) => {
  it.each([
    ["resources/read", undefined, 'resources/read requires "uri"'],
    ["resources/read", {}, 'resources/read requires "uri"'],
    ["prompts/get", {}, 'prompts/get requires "name"'],
    ["prompts/get", { ...symbol, arguments: { symbol: 5 } }, '"arguments.symbol" of prompts/get is invalid'],
    ["prompts/get", { ...symbol, arguments: [] }, '"arguments" of prompts/get is invalid'],
    ["completion/complete", {}, 'completion/complete requires "ref"'],
    ["completion/complete", { ref }, 'completion/complete requires "argument"'],
    [
      "completion/complete",
      { ref: { type: "x" }, argument: { name: "symbol", value: "" } },
      '"ref" of completion/complete is invalid',
    ],
    [
      "completion/complete",
      { ref, argument: { name: "symbol" } },
      'completion/complete requires "argument.value"',
    ],
    ["tools/call", {}, 'tools/call requires "name"'],
    ["tools/call", { name: "say_text", arguments: "hi" }, '"arguments" of tools/call is invalid'],
    ["tools/list", { cursor: 5 }, '"cursor" of tools/list is invalid'],
    ...["tools/list", "resources/list", "resources/templates/list", "prompts/list"].flatMap((method) =>
      ["0", "next", "MTA="].map((cursor) => [method, { cursor }, cursorError(method)] as const),
    ),
  ] as const)("are rejected with a one-sentence error: %s %j", async (method, params, message) => {
    const { message: answered, errors } = await answer(era, method, params);
    expect(answered.error).toEqual({ code: -32602, message });
    expect(errors).toEqual([]);
  });
});

it.each([
  ["initialize", undefined, 'initialize requires "protocolVersion"'],
  ["logging/setLevel", {}, 'logging/setLevel requires "level"'],
  ["logging/setLevel", { level: "loud" }, '"level" of logging/setLevel is invalid'],
])("rejects %s %j of the legacy era with a one-sentence error", async (method, params, message) => {
  expect((await answer("legacy", method, params)).message.error).toEqual({ code: -32602, message });
});

it("removes control characters from a field's name", async () => {
  const given = { ...symbol, arguments: { "a\u001b[31m\u202eb": 5 } };
  const { message } = await answer("legacy", "prompts/get", given);
  expect(message.error.message).toBe('"arguments.a b" of prompts/get is invalid');
});

it("hides parser errors of the library", async () => {
  const server = new StrictServer({ name: "test", version: "1" }, { capabilities: { tools: {} } });
  const parse = () => {
    throw new Error('[{"code":"invalid_type"}]');
  };
  const handler = (
    server as unknown as {
      _wrapHandler(method: string, handler: unknown): (request: object) => Promise<unknown>;
    }
  )._wrapHandler("ping", parse);
  await expect(handler({ method: "ping" })).rejects.toMatchObject({
    code: -32602,
    message: "The params of ping are invalid",
  });
});
