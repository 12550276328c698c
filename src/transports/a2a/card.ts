import { createHash } from "node:crypto";
import { AgentCard } from "@a2a-js/sdk";
import { taskBindings } from "../../kernel/task-bindings.ts";
import type { Tool } from "../../kernel/tool.ts";
import type { HttpServerDeps } from "../http/server-deps.ts";
import { fileFormatOf } from "../media.ts";

/** Path of the JSON-RPC endpoint under the public URL. */
export const A2A_PATH = "/api/a2a";
export const A2A_REST_PATH = `${A2A_PATH}/rest`;
/** Path of the JSON-RPC endpoint that uses the router (enterprise plan). */
export const A2A_ROUTE_PATH = "/api/v1/a2a/route";

/** JSON-RPC endpoints with OpenAPI name and minimum plan; a `routed` endpoint passes requests to the router. */
export const RPC_ENDPOINTS = [
  { path: A2A_PATH, name: "a2a_rpc", plan: "pro", routed: false },
  { path: A2A_ROUTE_PATH, name: "a2a_rpc_route", plan: "enterprise", routed: true },
] as const;

export const CARD_PATH = "/.well-known/agent-card.json";

/** Description of the message format, part of the card's description. */
const MESSAGE_FORMAT = `A message consists of one data part, {"skill": "<id>", "input": {...}} or {"task": "<name>", "symbols": [...], "context": {...}}, or plain text. Sent to ${A2A_ROUTE_PATH} (plan enterprise), a task or plain text returns signals, analysis and trade proposals at once; no order is sent.`;

/** The agent card in the formats of both protocol versions. */
export interface AgentCards {
  /** Protocol 1.0, as an SDK object. */
  readonly card: AgentCard;
  /** JSON of protocol 1.0. */
  readonly current: ServedCard;
  /** JSON of protocol 0.3 that also lists the 1.0 interfaces; served to clients that do not request 1.0. */
  readonly legacy: ServedCard;
}

interface ServedCard {
  readonly text: string;
  readonly etag: string;
}

/** Creates the agent card, with one skill for each connected tool. */
export function agentCardsOf(
  { registry, settings }: Pick<HttpServerDeps, "registry" | "settings">,
  { pushNotifications }: { readonly pushNotifications: boolean },
): AgentCards {
  const { publicUrl, version } = settings;
  const url = `${publicUrl}${A2A_PATH}`;
  const interfaces = [
    { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url: `${publicUrl}${A2A_REST_PATH}`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
  ];
  const about = {
    name: "Market Signal",
    description:
      "Trading analytics for US stocks, ETFs and crypto: prices, signals and the evidence behind them. Information, not investment advice. " +
      MESSAGE_FORMAT,
    version,
    documentationUrl: `${publicUrl}/docs`,
    defaultInputModes: [JSON_TYPE, TEXT_TYPE],
    defaultOutputModes: [JSON_TYPE, TEXT_TYPE],
    skills: registry.tools.map(skillOf),
  };
  const capabilities = { streaming: true, pushNotifications };
  const scheme = "An API key as `Authorization: Bearer <key>`";
  const current = {
    ...about,
    supportedInterfaces: interfaces,
    capabilities: { ...capabilities, extendedAgentCard: false },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer", description: scheme } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  };
  const legacy = {
    ...about,
    protocolVersion: "0.3.0",
    url,
    preferredTransport: "JSONRPC",
    capabilities: { ...capabilities, stateTransitionHistory: false },
    securitySchemes: { bearer: { type: "http", scheme: "bearer", description: scheme } },
    security: [{ bearer: [] }],
    supportedInterfaces: interfaces,
  };
  return { card: AgentCard.fromJSON(current), current: toServedCard(current), legacy: toServedCard(legacy) };
}

export const JSON_TYPE = "application/json";
export const TEXT_TYPE = "text/plain";

function skillOf(tool: Tool) {
  const { name, title, description, toolset, plan, effect, examples, role, uses = [] } = tool;
  return {
    id: name,
    name: title,
    description,
    tags: [
      ...new Set([
        toolset,
        effect,
        `plan:${plan}`,
        ...taskBindings(tool).map((task) => task.name),
        ...uses.map((used) => `uses:${used}`),
      ]),
    ],
    examples: examples.flatMap(({ ask, input }) => [
      ask,
      JSON.stringify({ skill: name, input }),
      ...(role === "dispatcher" ? [JSON.stringify(input)] : []),
    ]),
    inputModes: role === "interpreter" ? [JSON_TYPE, TEXT_TYPE] : [JSON_TYPE],
    outputModes: [JSON_TYPE, TEXT_TYPE, fileFormatOf(tool)?.mime ?? []].flat(),
  };
}

function toServedCard(card: object): ServedCard {
  const text = JSON.stringify(card);
  return { text, etag: `"${createHash("sha256").update(text).digest("hex").slice(0, 16)}"` };
}
