import fc from "fast-check";
import { z } from "zod";
import { ERROR_CODES } from "../../src/kernel/errors.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { input, nastyJson, nastyText, nastyValue, type Schema } from "./from-schema.ts";
import { ACCEPT } from "./house.ts";
import { authorizations, bytesOf, oddHeaders, type Reply, type Shot } from "./shot.ts";

/** Statuses that a door of JSON-RPC may answer with. */
const STATUSES: ReadonlySet<number> = new Set([200, 202, 204, 400, 401, 403, 404, 405, 406, 413, 415, 429]);
const INTERNAL_ERROR = -32603;
const CODES: ReadonlySet<string> = new Set(ERROR_CODES);

const usually = <T>(value: T, other: fc.Arbitrary<T>, weight: number) =>
  fc.oneof({ weight, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: other });

interface Envelope {
  readonly method: string;
  readonly params: unknown;
}

/** Envelopes as they should be, with members of the wrong kind, or no envelopes at all. */
const enveloped = (asked: fc.Arbitrary<Envelope>): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 20,
      arbitrary: fc
        .record({
          asked,
          id: usually<unknown>(1, nastyValue(), 20),
          jsonrpc: usually<unknown>("2.0", nastyValue(), 40),
          batch: usually(false, fc.constant(true), 40),
        })
        .map(({ asked: { method, params }, id, jsonrpc, batch }) => {
          const one = { jsonrpc, id, method, params };
          return JSON.stringify(batch ? [one, one] : one);
        }),
    },
    { weight: 1, arbitrary: nastyJson() },
  );

/** Every JSON value of an answer that came whole or as events. */
function valuesOf({ type, text }: Reply): readonly any[] {
  if (text === "") return [];
  if (type !== "text/event-stream") return [JSON.parse(text)];
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!));
}

interface Listed {
  readonly name: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
}

/** Calls of every tool from the schema that `tools/list` shows, and of whatever else the protocol has. */
export function mcpShots(
  listed: readonly Listed[],
  keys: readonly string[],
  tools: readonly Tool[],
): fc.Arbitrary<Shot> {
  const outputs = new Map(
    listed.map(({ name, outputSchema }) => [
      name,
      z.fromJSONSchema(outputSchema as Parameters<typeof z.fromJSONSchema>[0]),
    ]),
  );
  const examples = (name: string) =>
    tools.find((tool) => tool.name === name)!.examples.map((one) => one.input);
  const call = fc.oneof(
    ...listed.map(({ name, inputSchema }) =>
      fc.record({
        name: usually<unknown>(name, nastyValue(), 40),
        arguments: usually<unknown>(undefined, nastyValue(), 20).chain((strange) =>
          strange === undefined ? input(inputSchema, examples(name)) : fc.constant(strange),
        ),
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
        ...["prompts/list", "prompts/get", "completion/complete", "logging/setLevel", "server/discover"],
        ...["notifications/initialized", "notifications/cancelled", "subscriptions/listen", "tasks/get"],
      ),
      nastyText(),
    ),
    params: fc.oneof(
      nastyValue(),
      fc.record({ uri: fc.oneof(fc.constantFrom("quota://me", "market-signal://tools"), nastyText()) }),
      fc.record({ name: fc.constantFrom("analyse_symbol", "plan_trade"), arguments: nastyValue() }),
      fc.record({ ref: nastyValue(), argument: nastyValue() }),
      fc.record({ cursor: nastyValue(), _meta: nastyValue() }),
    ),
  });
  const asked = fc.oneof(
    { weight: 6, arbitrary: call.map((params): Envelope => ({ method: "tools/call", params })) },
    { weight: 1, arbitrary: other },
  );

  function judge(reply: Reply): string | null {
    if (!STATUSES.has(reply.status)) return `${reply.status}`;
    for (const message of reply.status === 200 ? valuesOf(reply).flat() : []) {
      if (message.error?.code === INTERNAL_ERROR) return `an internal error: ${message.error.message}`;
      if (message.jsonrpc !== "2.0") return "no JSON-RPC";
      const { isError, content, structuredContent } = message.result ?? {};
      if (isError === true) {
        const [code] = /^\w+/.exec(content[0].text) ?? [];
        if (!CODES.has(code!) || code === "INTERNAL") return `a failure as ${code}`;
      } else if (structuredContent !== undefined) {
        const fits = [...outputs.values()].some((output) => output.safeParse(structuredContent).success);
        if (!fits) return "an answer that fits no output schema";
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
  return rpcShot("MCP", "/api/mcp?toolsets=all", asked, { keys, versions, judge });
}

/** Messages to every skill of the agent card, and whatever else the protocol has. */
export function a2aShots(card: any, keys: readonly string[], listed: readonly Listed[]): fc.Arbitrary<Shot> {
  const skill = fc.oneof(
    ...card.skills.map(({ id, examples }: { id: string; examples: readonly string[] }) => {
      const schema = listed.find(({ name }) => name === id)?.inputSchema ?? {};
      const inputs = examples.flatMap((text) => (text.startsWith("{") ? [JSON.parse(text).input] : []));
      return fc.record({ skill: usually<unknown>(id, nastyValue(), 40), input: input(schema, inputs) });
    }),
  ) as fc.Arbitrary<unknown>;
  const part = fc.oneof(
    { weight: 8, arbitrary: skill.map((data): unknown => ({ data })) },
    { weight: 2, arbitrary: nastyText().map((text): unknown => ({ text })) },
    { weight: 1, arbitrary: nastyValue() },
    { weight: 1, arbitrary: fc.constant<unknown>({ url: "http://169.254.169.254/", raw: "AAAA" }) },
  );
  const message = fc.record({
    messageId: usually<unknown>("m", nastyValue(), 30),
    role: usually<unknown>("ROLE_USER", nastyValue(), 30),
    parts: usually<unknown>(undefined, nastyValue(), 30).chain((strange) =>
      strange === undefined ? part.map((one): unknown => [one]) : fc.constant(strange),
    ),
    contextId: usually<unknown>(undefined, nastyValue(), 20),
    taskId: usually<unknown>(undefined, nastyValue(), 20),
  });
  const params = fc.oneof(
    { weight: 8, arbitrary: message.map((one): unknown => ({ message: one })) },
    { weight: 1, arbitrary: fc.record({ message, configuration: nastyValue(), metadata: nastyValue() }) },
    { weight: 1, arbitrary: fc.record({ id: nastyValue(), pageSize: nastyValue(), tenant: nastyValue() }) },
    { weight: 1, arbitrary: nastyValue() },
  );
  const method = fc.oneof(
    {
      weight: 12,
      arbitrary: fc.constantFrom("SendMessage", "SendMessage", "message/send", "SendStreamingMessage"),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        "GetTask",
        "CancelTask",
        "SubscribeToTask",
        "tasks/get",
        "tasks/cancel",
        "message/stream",
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "CreateTaskPushNotificationConfig",
        "GetExtendedAgentCard",
        "tasks/resubscribe",
      ),
    },
    { weight: 1, arbitrary: nastyText() },
  );
  function judge(reply: Reply): string | null {
    if (!STATUSES.has(reply.status)) return `${reply.status}`;
    for (const { error, result, code } of valuesOf(reply)) {
      if (error?.code === INTERNAL_ERROR || code === "INTERNAL")
        return `an internal error: ${error?.message}`;
      const parts = (result?.task?.status ?? result?.status)?.message?.parts ?? [];
      const failure = parts.find((one: any) => one.data?.code === "INTERNAL");
      if (failure !== undefined) return `a task that failed as INTERNAL`;
    }
    return null;
  }
  const asked = fc.record({ method, params });
  const versions = fc.constantFrom<Record<string, string>>(
    { "a2a-version": "1.0" },
    { "a2a-version": "1.0" },
    {},
    { "a2a-version": "9" },
  );
  return fc.oneof(
    { weight: 4, arbitrary: rpcShot("A2A", "/api/a2a", asked, { keys, versions, judge }) },
    { weight: 1, arbitrary: restBinding(params, { keys, versions, judge }) },
  );
}

interface Frame {
  readonly keys: readonly string[];
  readonly versions: fc.Arbitrary<Readonly<Record<string, string>>>;
  judge(reply: Reply): string | null;
}

const rpcShot = (
  door: string,
  path: string,
  asked: fc.Arbitrary<Envelope>,
  { keys, versions, judge }: Frame,
) =>
  fc
    .record({
      bytes: bytesOf(enveloped(asked)),
      method: usually("POST", fc.constantFrom("GET", "PUT", "DELETE", "OPTIONS"), 60),
      type: usually<string>(
        "application/json",
        fc.constantFrom("text/plain", "", "application/json;charset=utf-16"),
        40,
      ),
      auth: authorizations(keys),
      odd: oddHeaders(),
      version: versions,
    })
    .map(
      ({ bytes, method, type, auth, odd, version }): Shot =>
        shot({ door, method, path, bytes, type, headers: { ...ACCEPT, ...auth, ...odd, ...version }, judge }),
    );

const restBinding = (params: fc.Arbitrary<unknown>, { keys, versions, judge }: Frame) =>
  fc
    .record({
      at: fc.constantFrom(
        "POST /message:send",
        "POST /message:stream",
        "GET /tasks/x",
        "POST /tasks/x:cancel",
        "GET /tasks?pageSize=1",
        "POST /nothing",
      ),
      bytes: bytesOf(params.map((one) => JSON.stringify(one))),
      auth: authorizations(keys),
      version: versions,
    })
    .map(({ at, bytes, auth, version }): Shot => {
      const [method, path] = at.split(" ") as [string, string];
      return shot({
        door: "A2A",
        method,
        path: `/api/a2a/rest${path}`,
        bytes,
        type: "application/a2a+json",
        headers: { ...auth, ...version },
        judge,
      });
    });

function shot({
  door,
  method,
  path,
  bytes,
  type,
  headers,
  judge,
}: Omit<Shot, "body"> & { bytes: Uint8Array; type: string }): Shot {
  const carries = method !== "GET" && bytes.length > 0;
  return {
    door,
    method,
    path,
    headers: { ...headers, ...(carries && { "content-type": type, "content-length": String(bytes.length) }) },
    body: carries ? bytes : null,
    judge,
  };
}
