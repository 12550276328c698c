import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMessages } from "../../../src/transports/mcp/envelope.ts";

const request = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params !== undefined && { params }),
});
const call = (members: object) => request("tools/call", { name: "get_health", ...members });

describe("readMessages", () => {
  it.each([null, [], ""])("reads params %j as omitted", (params) => {
    expect(readMessages(request("tools/list", params))).toEqual(request("tools/list"));
  });

  it.each([null, [], "", " ", "null"])("reads arguments %j of a tool as omitted", (given) => {
    expect(readMessages(call({ arguments: given }))).toEqual(call({}));
  });

  it.each([
    ["an object", '{"symbol": "AAPL", "as_of": null}', { symbol: "AAPL", as_of: null }],
    ["no JSON", "AAPL", "AAPL"],
    ["no object", "5", "5"],
    ["text in text", '"{}"', '"{}"'],
  ])("reads arguments that are JSON text: %s", (_, text, read) => {
    expect(readMessages(call({ arguments: text }))).toEqual(call({ arguments: read }));
  });

  it("leaves the members of the arguments of a tool to the tool", () => {
    const message = call({ arguments: { a: null, b: "", c: { d: null }, cursor: "", arguments: null } });
    expect(readMessages(message)).toBe(message);
  });

  it.each([null, ""])("reads cursor %j as omitted", (cursor) => {
    for (const method of ["tools/list", "resources/list", "resources/templates/list", "prompts/list"])
      expect(readMessages(request(method, { cursor }))).toEqual(request(method, {}));
    const message = request("tools/list", { cursor: "x" });
    expect(readMessages(message)).toBe(message);
  });

  it("reads null members of the params and of what a client declares as omitted", () => {
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: { roots: null, sampling: null, elicitation: { form: {}, url: null }, experimental: null },
      clientInfo: { name: "t", version: "1", title: null, websiteUrl: null },
      _meta: null,
    };
    expect(readMessages(request("initialize", params))).toEqual(
      request("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: { elicitation: { form: {} } },
        clientInfo: { name: "t", version: "1" },
      }),
    );
    expect(readMessages(call({ _meta: { progressToken: null } }))).toEqual(call({ _meta: {} }));
    expect(
      readMessages(request("prompts/get", { name: "p", arguments: { symbol: "A", horizon: null } })),
    ).toEqual(request("prompts/get", { name: "p", arguments: { symbol: "A" } }));
  });

  it("reads an empty list as an empty object where the protocol has an object", () => {
    expect(readMessages(request("initialize", { capabilities: [], _meta: [] }))).toEqual(
      request("initialize", { capabilities: {}, _meta: {} }),
    );
  });

  it("reads a null id of a notification as omitted, and that of a request as it is", () => {
    expect(readMessages(request("notifications/initialized", undefined, null))).toEqual({
      jsonrpc: "2.0",
      method: "notifications/initialized",
    });
    const unidentified = request("tools/list", undefined, null);
    expect(readMessages(unidentified)).toBe(unidentified);
    expect(readMessages(request("tools/list", null, null))).toEqual(unidentified);
  });

  it("reads a response with a null error as a result, and one with a null result as an error", () => {
    const [result, error] = [{ action: "accept" }, { code: -1, message: "No" }];
    const answer = { jsonrpc: "2.0", id: 7 };
    expect(readMessages({ ...answer, result, error: null })).toEqual({ ...answer, result });
    expect(readMessages({ ...answer, result: null, error })).toEqual({ ...answer, error });
    expect(readMessages({ ...answer, result: null, error: null })).toEqual({
      ...answer,
      result: null,
      error: null,
    });
  });

  it("reads each message of a batch", () => {
    expect(readMessages([request("tools/list", null), request("ping", null, "1")])).toEqual([
      request("tools/list"),
      request("ping", undefined, "1"),
    ]);
  });

  it.each([0, -1, 2 ** 53 - 1, 1, "1", "", "0"])("keeps the id %j", (id) => {
    expect(readMessages(request("tools/list", null, id))).toEqual({ ...request("tools/list"), id });
  });

  it("reads any JSON without a failure, and what it has read as itself", () => {
    const json = fc.jsonValue({ maxDepth: 6 });
    const message = fc.record({
      jsonrpc: json,
      id: json,
      method: fc.oneof(fc.constantFrom("tools/call", "tools/list", "initialize", "notifications/x"), json),
      params: fc.oneof(fc.record({ arguments: json, cursor: json, _meta: json, capabilities: json }), json),
    });
    fc.assert(
      fc.property(fc.oneof(message, fc.array(message), json), (body) => {
        const read = readMessages(body);
        expect(readMessages(read)).toEqual(read);
      }),
    );
  });
});
