import fc from "fast-check";
import { z } from "zod";
import { ERROR_CODES } from "../../src/kernel/errors.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { input, nastyText, nastyValue } from "./from-schema.ts";
import type { FuzzRequest, Reply } from "./fuzz-request.ts";
import {
  type Envelope,
  INTERNAL_ERROR,
  type Listed,
  mostly,
  rpcRequest,
  STATUSES,
  usually,
  valuesOf,
} from "./rpc.ts";

const CODES: ReadonlySet<string> = new Set(ERROR_CODES);

/** Calls of every tool by its schema from `tools/list`, and requests for all other methods of the protocol. */
export function mcpRequests(
  listed: readonly Listed[],
  credentials: readonly Readonly<Record<string, string>>[],
  tools: readonly Tool[],
): fc.Arbitrary<FuzzRequest> {
  const outputs = new Map(
    listed.flatMap(({ name, outputSchema }) =>
      outputSchema === undefined
        ? []
        : [[name, z.fromJSONSchema(outputSchema as Parameters<typeof z.fromJSONSchema>[0])] as const],
    ),
  );
  const examples = (name: string) =>
    (tools.find((tool) => tool.name === name)?.examples ?? []).map((one) => one.input);
  const call = fc.oneof(
    ...listed.map(({ name, inputSchema }) =>
      fc.record({
        name: usually<unknown>(name, nastyValue(), 40),
        arguments: mostly<unknown>(input(inputSchema, examples(name)), nastyValue(), 20),
      }),
    ),
  );
  const other = fc.record({
    method: fc.oneof(
      fc.constantFrom(
        ...[
          "initialize",
          "ping",
          "tools/list",
          "resources/list",
          "resources/templates/list",
          "resources/read",
        ],
        ...["prompts/list", "prompts/get", "skills/list", "skills/get", "completion/complete"],
        ...["logging/setLevel", "server/discover"],
        ...["notifications/initialized", "notifications/cancelled", "subscriptions/listen", "tasks/get"],
      ),
      nastyText(),
    ),
    params: fc.oneof(
      nastyValue(),
      fc.record({
        uri: fc.oneof(
          fc.constantFrom("quota://me", "market-signal://tools", "skill://morning/SKILL.md"),
          nastyText(),
        ),
      }),
      fc.record({
        name: fc.constantFrom("analyse_symbol", "plan_trade", "morning"),
        arguments: nastyValue(),
      }),
      fc.record({ ref: nastyValue(), argument: nastyValue() }),
      fc.record({ cursor: nastyValue(), _meta: nastyValue() }),
    ),
  });
  const envelope = fc.oneof(
    { weight: 6, arbitrary: call.map((params): Envelope => ({ method: "tools/call", params })) },
    { weight: 1, arbitrary: other },
  );

  function judge(reply: Reply, sent: Uint8Array): string | null {
    if (!STATUSES.has(reply.status)) return `${reply.status}`;
    for (const message of reply.status === 200 ? valuesOf(reply).flat() : []) {
      if (message.error?.code === INTERNAL_ERROR) return `an internal error: ${message.error.message}`;
      if (message.jsonrpc !== "2.0") return "no JSON-RPC";
      const { isError, content, structuredContent } = message.result ?? {};
      if (isError === true) {
        const [code] = /^\w+/.exec(content[0].text) ?? [];
        if (!CODES.has(code!) || code === "INTERNAL") return `a failure as ${code}`;
      } else if (structuredContent !== undefined) {
        const output = outputs.get(calledTool(sent));
        if (output?.safeParse(structuredContent).success === false)
          return "an answer that does not fit its output schema";
      }
    }
    return null;
  }
  const versions = fc.constantFrom<Record<string, string>>(
    {},
    {},
    { "mcp-protocol-version": "2025-11-25" },
    { "mcp-protocol-version": "2025-03-26" },
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "get_quota" },
    { "mcp-protocol-version": "1999-01-01" },
  );
  return rpcRequest("MCP", "/api/mcp?toolsets=all", envelope, { credentials, versions, judge });
}

/** Name of the tool that a request calls, alone or as the first of a batch. */
function calledTool(sent: Uint8Array): string {
  const [request] = [JSON.parse(Buffer.from(sent).toString("utf8"))].flat();
  return String(request.params?.name);
}
