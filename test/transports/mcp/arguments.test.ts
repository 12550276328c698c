import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useInstallation } from "../../support/installation.ts";
import { testData } from "../../support/test-data.ts";

interface Report {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

const file = testData("reports", "messages", "mcp.json");
const reports: readonly Report[] = file === null ? [] : JSON.parse(readFileSync(join(file), "utf8"));
const installation = useInstallation("sample");

/** Posts a message to the MCP endpoint with all tools and returns its result, or the text of its error. */
async function post(body: string, headers: Readonly<Record<string, string>> = {}) {
  const { key } = await installation.key("enterprise", ["read", "write", "trade:paper"]);
  const response = await fetch(`${installation.url}/api/mcp?toolsets=all`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${key}`,
      ...headers,
    },
    body,
  });
  const text = await response.text();
  const json = text.startsWith("{") ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? "{}");
  return JSON.parse(json).result as {
    readonly isError?: boolean;
    readonly content: readonly { readonly text: string }[];
    readonly structuredContent?: Readonly<Record<string, any>>;
  };
}
const callOf = (name: string, json: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${json}}}`;

describe.skipIf(file === null)("the reported calls", () => {
  const answerTo = async (id: string) => {
    const { body, headers } = reports.find((report) => report.id === id)!;
    return post(JSON.stringify(body), headers);
  };

  it("of n8n-extra-argument is the quote, and names what was not applied first", async () => {
    const { isError, content, structuredContent } = await answerTo("n8n-extra-argument");
    const note = 'Not applied: get_quote has no field "toolCallId", "sessionId", "action", "chatInput".';
    expect([isError, structuredContent?.symbol, structuredContent?.understood]).toEqual([
      undefined,
      "AAPL",
      [note],
    ]);
    expect(content[0]!.text.split("\n")[0]).toBe(`SAMPLE (simulated) | ${note}`);
    expect(content[0]!.text.split("\n")[1]).toContain("AAPL");
  });

  it("of optional-empty-text is the newest daily bars", async () => {
    const { isError, structuredContent } = await answerTo("optional-empty-text");
    expect([isError, structuredContent?.bars.length]).toEqual([undefined, 2]);
    expect(JSON.stringify(structuredContent?.bars[0])).toMatch(/"\d{4}-\d\d-\d\d"/);
    expect(structuredContent).not.toHaveProperty("understood");
  });

  it("of guard-list-as-json-text scans both symbols", async () => {
    const { structuredContent } = await answerTo("guard-list-as-json-text");
    expect(structuredContent?.results.map(({ symbol }: { symbol: string }) => symbol).sort()).toEqual([
      "AAPL",
      "MSFT",
    ]);
  });
});

describe("a call", () => {
  it.each([
    ["get_history", '{"symbol":"AAPL","as_off":"2026-01-02"}', /as_off: unknown field; did you mean as_of\?/],
    ["get_odds", '{"symbol":"AAPL","foo":1}', /foo: unknown field/],
    ["preview_trade", '{"symbol":"AAPL","foo":1}', /foo: unknown field/],
    ["preview_trade", '{"symbol":"AAPL","side":"buy","side":"sell"}', /side: is given twice/],
    ["execute_trade", '{"symbol":"AAPL","quantity":1,"quantity":5}', /quantity: is given twice/],
    [
      "save_agent",
      '{"name":"a","sizing":{"quantity":"1","quantity":"5"}}',
      /"\/sizing\/quantity","detail":"is given twice"/,
    ],
  ])("of %s with %s is refused", async (name, json, message) => {
    const { isError, content } = await post(callOf(name, json));
    expect(isError).toBe(true);
    expect(content[0]!.text).toMatch(message);
  });

  it.each([
    ["call_tool", '{"name":"get_quote","symbol":"MSFT"}'],
    ["call_tool", '{"name":"get_quote","parameters":{"symbol":"MSFT"}}'],
    ["call_tool", '{"tool":"get_quote","args":{"symbol":"MSFT"}}'],
    ["get_quote", '{"kwargs":{"symbol":"MSFT"}}'],
    ["get_quote", '{"input":"{\\"symbol\\":\\"MSFT\\"}"}'],
  ])("of %s with %s is applied, wherever its field is written", async (name, json) => {
    const { structuredContent } = await post(callOf(name, json));
    expect(structuredContent?.symbol).toBe("MSFT");
  });

  it("reads fields beside the arguments as arguments, in a message and of a dispatcher", async () => {
    const head = '{"jsonrpc":"2.0","id":1,"method":"tools/call"';
    const inMessage = await post(
      `${head},"params":{"name":"get_quote","args":{"symbol":"MSFT"},"callId":"c1"}}`,
    );
    expect(inMessage.structuredContent?.symbol).toBe("MSFT");
    const { structuredContent } = await post(
      callOf("call_tool", '{"name":"get_history","arguments":{"symbol":"AAPL"},"limit":3}'),
    );
    expect(structuredContent?.bars).toHaveLength(3);
  });

  it.each([
    '"params":{"name":"get_movers","name":"get_quote","arguments":{"symbol":"AAPL"}}',
    '"params":{"name":"get_quote","arguments":{"symbol":"AAPL"},"symbol":"MSFT"}',
    '"params":{"name":"call_tool","arguments":{"name":"get_quote","arguments":{"symbol":"AAPL"},"symbol":"MSFT"}}',
  ])("with a name twice is refused: %s", async (params) => {
    const { isError, content } = await post(`{"jsonrpc":"2.0","id":1,"method":"tools/call",${params}}`);
    expect(isError).toBe(true);
    expect(content[0]!.text).toMatch(/is given twice/);
  });

  it("that trades is refused with its fields one level too deep, and says where they belong", async () => {
    const { isError, content } = await post(
      callOf("preview_trade", '{"input":{"symbol":"AAPL","side":"buy","quantity":"1"}}'),
    );
    expect(isError).toBe(true);
    expect(content[0]!.text).toMatch(
      /input: unknown field; write its fields at the top level, each by its name/,
    );
  });

  it("with its arguments twice is refused", async () => {
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"preview_trade","arguments":{"symbol":"AAPL","side":"buy"},"arguments":{"symbol":"AAPL","side":"sell"}}}';
    const result = await post(body);
    expect(result?.isError ?? true).toBe(true);
  });

  it("through call_tool reads arguments as Python prints them", async () => {
    const { structuredContent } = await post(
      callOf(
        "call_tool",
        `{"name":"get_quotes","arguments":"{'symbols': ['AAPL', 'MSFT'], 'thought': None}"}`,
      ),
    );
    expect(structuredContent?.understood).toEqual(['Not applied: get_quotes has no field "thought".']);
  });

  it("without a terminal text has the title after what was not applied", async () => {
    const { content } = await post(callOf("get_health", '{"foo":1}'));
    expect(content[0]!.text).toMatch(/^Not applied: get_health has no field "foo"\.\n/);
  });
});
