import { jsonSchemaOf } from "../../kernel/publish.ts";
import { type Registry, routesOf } from "../../kernel/registry.ts";
import type { Tool } from "../../kernel/tool.ts";
import { CARD_PATH, JWKS_PATH, LEGACY_CARD_PATH, RPC_ENDPOINTS } from "../a2a/card.ts";
import { headerRefs, problemRefs } from "./parts.ts";
import { responseSchema } from "./response-schema.ts";

export const A2A_TAG = { name: "a2a", description: "Agent-to-agent protocol" } as const;

/** Returns the paths of the agent card, of its key and of JSON-RPC. The A2A specification describes the messages. */
export function a2aPaths({ tools }: Pick<Registry, "tools">): Record<string, Record<string, unknown>> {
  const rpc = RPC_ENDPOINTS.map(({ path, ...endpoint }) => [
    path,
    { post: rpcOperation(endpoint, exampleOf(tools, endpoint.routed), routerAt(tools, path)) },
  ]);
  return {
    ...Object.fromEntries(rpc),
    [CARD_PATH]: { get: CARD_OPERATION },
    [LEGACY_CARD_PATH]: { get: LEGACY_CARD_OPERATION },
    [JWKS_PATH]: { get: JWKS_OPERATION },
  };
}

/** Returns the router if its REST route has this path. */
const routerAt = (tools: readonly Tool[], path: string): Tool | undefined =>
  tools.find((tool) => tool.role === "router" && routesOf(tool).includes(`POST ${path}`));

const envelopeDescription = (router: Tool): string =>
  ` A body without JSON-RPC is a plain envelope: it is answered like a request to ${router.name}, and its failures have the status of their error.`;
const ROUTED_DESCRIPTION =
  ' A data part {"task", "symbols", "context"} or plain text returns signals, analysis and execution recommendations in one response: proposals with tickets; no order is sent.';
const TASKS_DESCRIPTION = ' A data part {"task", "symbols", "context"} calls the skill that serves the task.';

const rpcOperation = (
  { name, plan, routed }: { name: string; plan: string; routed: boolean },
  example: object,
  router: Tool | undefined,
) => ({
  operationId: name,
  summary: `A2A over JSON-RPC, plan ${plan}`,
  description:
    "Accepts one JSON-RPC 2.0 request of the A2A protocol, version 1.0 or 0.3: SendMessage, SendStreamingMessage, GetTask, ListTasks, CancelTask, SubscribeToTask, GetExtendedAgentCard. A message calls a skill listed in the agent card, or replies to the question of a task. Every error has the id of the request. Protocol errors are returned with status 200; a refused key, plan or quota has its status, with the problem as data of the JSON-RPC error." +
    (routed ? ROUTED_DESCRIPTION : TASKS_DESCRIPTION) +
    (router === undefined ? "" : envelopeDescription(router)),
  externalDocs: { url: "https://a2a-protocol.org/latest/specification/" },
  tags: [A2A_TAG.name],
  "x-plan": plan,
  parameters: [
    {
      name: "A2A-Version",
      in: "header",
      description: "Protocol version. Default: 0.3",
      schema: { type: "string", enum: ["1.0", "0.3"] },
      example: "1.0",
    },
  ],
  requestBody: {
    required: true,
    content: {
      "application/json": {
        schema: eitherOf(REQUEST_SCHEMA, router && jsonSchemaOf(router.input, "input")),
        examples: {
          send: example,
          ...(router && { envelope: { summary: "Plain envelope", value: router.examples[0]!.input } }),
        },
      },
    },
  },
  responses: {
    200: {
      description: `JSON-RPC response; server-sent events for streaming methods${router === undefined ? "" : `; for a plain envelope the response of ${router.name}`}`,
      headers: headerRefs(["Market-Data"]),
      content: {
        "application/json": {
          schema: eitherOf(RESPONSE_SCHEMA, router && responseSchema(jsonSchemaOf(router.output, "output"))),
        },
        "text/event-stream": { schema: { type: "string", description: "One JSON-RPC response per event" } },
      },
    },
    413: {
      description: "The request is too large",
      content: { "application/json": { schema: RESPONSE_SCHEMA } },
    },
    415: {
      description: "The content type is neither application/json nor application/a2a+json",
      content: { "application/json": { schema: RESPONSE_SCHEMA } },
    },
    ...problemRefs(),
  },
});

const eitherOf = (rpc: object, plain: object | undefined): object =>
  plain === undefined ? rpc : { anyOf: [rpc, plain] };

const ID_SCHEMA = { description: "Id of the request, a string or integer; returned in the response" };
const REQUEST_SCHEMA = {
  type: "object",
  required: ["jsonrpc", "method"],
  properties: {
    jsonrpc: { type: "string", const: "2.0", description: "Always 2.0" },
    id: ID_SCHEMA,
    method: { type: "string", description: "Protocol method" },
    params: { type: "object", description: "Params of the method" },
  },
} as const;
const RESPONSE_SCHEMA = {
  type: "object",
  required: ["jsonrpc", "id"],
  properties: {
    jsonrpc: { type: "string", const: "2.0", description: "Always 2.0" },
    id: ID_SCHEMA,
    result: { type: "object", description: "Result of the method" },
    error: {
      type: "object",
      description: "Error; absent if there is a result",
      required: ["code", "message"],
      properties: {
        code: { type: "integer", description: "JSON-RPC or A2A error code" },
        message: { type: "string", description: "Error message" },
        data: { type: "array", items: { type: "object" }, description: "Details of the error" },
      },
    },
  },
} as const;

const CARD_OPERATION = {
  operationId: "a2a_agent_card",
  summary: "Agent card",
  description: `Describes this agent: its skills, interfaces and authentication. Signed by the key at ${JWKS_PATH}. The extended card of a caller describes the skills that its key may use.`,
  tags: [A2A_TAG.name],
  "x-plan": "open",
  security: [],
  responses: {
    200: {
      description:
        "Agent card of protocol 1.0. With the header A2A-Version: 0.3 it also has the fields of protocol 0.3.",
      content: { "application/json": { schema: { type: "object" } } },
    },
    304: { description: "The card matches If-None-Match" },
    ...problemRefs(),
  },
} as const;

const LEGACY_CARD_OPERATION = {
  ...CARD_OPERATION,
  operationId: "a2a_agent_card_0_3",
  summary: "Agent card of protocol 0.3",
  description: `The card at ${CARD_PATH} with the fields of protocol 0.3 added, for clients that support only 0.3.`,
  responses: {
    ...CARD_OPERATION.responses,
    200: { ...CARD_OPERATION.responses[200], description: "Agent card of protocols 1.0 and 0.3" },
  },
} as const;

const JWKS_OPERATION = {
  operationId: "a2a_jwks",
  summary: "Key of the agent card",
  description:
    "The public key, as a JWK set, that verifies the signatures of the agent card and of receipts.",
  tags: [A2A_TAG.name],
  "x-plan": "open",
  security: [],
  responses: {
    200: {
      description: "JWK set",
      content: { "application/json": { schema: { type: "object" } } },
    },
    ...problemRefs(),
  },
} as const;

/**
 * Returns an example message: for the router tool on a routed endpoint, otherwise for the first tool that serves tasks,
 * or else the first tool.
 */
function exampleOf(tools: Registry["tools"], routed: boolean): object {
  const routing = routed ? tools.find(({ role }) => role === "router") : undefined;
  const tool = routing ?? tools.find(({ tasks = [] }) => tasks.length > 0) ?? tools[0];
  const [example] = tool?.examples ?? [];
  const data = routing === undefined ? { skill: tool?.name, input: example?.input } : example?.input;
  const parts = example === undefined ? [] : [{ data }];
  const message = { messageId: "6f1b6f0e-7f0d-4b43-9a53-0d9b1a6f3c11", role: "ROLE_USER", parts };
  return {
    summary: example?.ask ?? "Message",
    value: { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } },
  };
}
