import { expect, it } from "vitest";
import { useInstallation } from "../../support/installation.ts";

const installation = useInstallation("sample");

const PLAIN = 'Bearer realm="market-signal"';
const INVALID = 'Bearer realm="market-signal", error="invalid_token"';

it.each([
  ["no credential", {}, "", PLAIN],
  ["an unknown key", { authorization: "Bearer ms_unknown" }, "", INVALID],
  ["a scheme in lower case", { authorization: "bearer ms_unknown" }, "", INVALID],
  ["a malformed key", { authorization: "Bearer a b" }, "", INVALID],
  ["an empty key", { authorization: "Bearer " }, "", INVALID],
  // RFC 6750 3.1: no error for an authentication method that is not supported
  ["another scheme", { authorization: "Basic dTpw" }, "", PLAIN],
  ["a parameter of another name", {}, "?api_key=ms_unknown", PLAIN],
])("challenges %s over MCP, A2A and REST alike", async (_, headers, query, challenge) => {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  for (const [method, path] of [
    ["POST", "/api/mcp"],
    ["GET", "/api/mcp/sse"],
    ["POST", "/api/a2a"],
    ["GET", "/api/a2a/rest/tasks"],
    ["GET", "/api/v1/quota"],
  ] as const) {
    const response = await fetch(`${installation.url}${path}${query}`, {
      method,
      headers: { "content-type": "application/json", "a2a-version": "1.0", ...headers },
      ...(method === "POST" && { body: JSON.stringify(call) }),
    });
    await response.body?.cancel();
    expect([path, response.status, response.headers.get("www-authenticate")]).toEqual([path, 401, challenge]);
  }
});

it("challenges the token of a stream that is not valid", async () => {
  const response = await fetch(`${installation.url}/api/v1/quotes/stream?symbols=AAPL&stream_token=x`);
  await response.body?.cancel();
  expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, INVALID]);
});
