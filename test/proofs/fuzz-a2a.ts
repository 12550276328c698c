import fc from "fast-check";
import { input, nastyText, nastyValue } from "./from-schema.ts";
import { authorizations, bytesOf, type FuzzRequest, type Reply } from "./fuzz-request.ts";
import {
  type Frame,
  INTERNAL_ERROR,
  type Listed,
  mostly,
  rpcRequest,
  STATUSES,
  sizedRequest,
  usually,
  valuesOf,
} from "./rpc.ts";

/** Messages to every skill of the agent card, and requests for all other methods of the protocol. */
export function a2aRequests(
  card: any,
  credentials: readonly Readonly<Record<string, string>>[],
  listed: readonly Listed[],
): fc.Arbitrary<FuzzRequest> {
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
    parts: mostly<unknown>(
      part.map((one) => [one]),
      nastyValue(),
      30,
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
  const envelope = fc.record({ method, params });
  const versions = fc.constantFrom<Record<string, string>>(
    { "a2a-version": "1.0" },
    { "a2a-version": "1.0" },
    {},
    { "a2a-version": "9" },
  );
  return fc.oneof(
    { weight: 4, arbitrary: rpcRequest("A2A", "/api/a2a", envelope, { credentials, versions, judge }) },
    { weight: 1, arbitrary: restBinding(params, { credentials, versions, judge }) },
  );
}

const restBinding = (params: fc.Arbitrary<unknown>, { credentials, versions, judge }: Frame) =>
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
      auth: authorizations(credentials),
      version: versions,
    })
    .map(({ at, bytes, auth, version }): FuzzRequest => {
      const [method, path] = at.split(" ") as [string, string];
      return sizedRequest({
        transport: "A2A",
        method,
        path: `/api/a2a/rest${path}`,
        bytes,
        type: "application/a2a+json",
        headers: { ...auth, ...version },
        judge,
      });
    });
