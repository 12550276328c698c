import { AgentCard } from "@a2a-js/sdk";
import { taskBindings } from "../../kernel/task-bindings.ts";
import type { Tool } from "../../kernel/tool.ts";
import { briefDescription } from "../brief.ts";
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
/** Path of the card before protocol 0.3. */
export const OLD_CARD_PATH = "/.well-known/agent.json";
/** Path under which clients of protocol 0.3 find the server by its URL. */
export const LEGACY_BASE_PATH = "/a2a/v0.3";
/** Path of the card with the fields of protocol 0.3. */
export const LEGACY_CARD_PATH = `${LEGACY_BASE_PATH}${CARD_PATH}`;
/** Path of the public key that verifies signed cards. */
export const JWKS_PATH = "/.well-known/jwks.json";

/** Description of the message format, part of the card's description. */
const MESSAGE_FORMAT = `A message consists of one data part, {"skill": "<id>", "input": {...}} or {"task": "<name>", "symbols": [...], "context": {...}}, or plain text. Sent to ${A2A_ROUTE_PATH} (plan enterprise), a task or plain text returns signals, analysis and trade proposals at once; no order is sent.`;

export const JSON_TYPE = "application/json";
export const TEXT_TYPE = "text/plain";
const DEFAULT_MODES = [JSON_TYPE, TEXT_TYPE];

interface CardOptions {
  readonly pushNotifications: boolean;
  /** Tools with one skill each. Default: all connected tools. */
  readonly tools?: readonly Tool[];
  /** brief: a sentence and one example of each tool. Default: full. */
  readonly detail?: "brief" | "full";
}

/** Creates the agent card of protocol 1.0. */
export function agentCardOf(
  { registry, settings }: Pick<HttpServerDeps, "registry" | "settings">,
  { pushNotifications, tools = registry.tools, detail = "full" }: CardOptions,
): AgentCard {
  const { publicUrl, version } = settings;
  const url = `${publicUrl}${A2A_PATH}`;
  return AgentCard.fromJSON({
    name: "Market Signal",
    description:
      "Trading analytics for US stocks, ETFs and crypto: prices, signals and the evidence behind them. Information, not investment advice. " +
      MESSAGE_FORMAT,
    version,
    documentationUrl: `${publicUrl}/docs`,
    supportedInterfaces: [
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: `${publicUrl}${A2A_REST_PATH}`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
      { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ],
    capabilities: { streaming: true, pushNotifications, extendedAgentCard: true },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer", description: SCHEME } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: DEFAULT_MODES,
    defaultOutputModes: DEFAULT_MODES,
    skills: tools.map((tool) => skillOf(tool, detail)),
  });
}

const SCHEME = "An API key as `Authorization: Bearer <key>`";

/**
 * Returns the JSON of a card of protocol 1.0 with the fields of protocol 0.3 added, so that clients of both
 * versions can read it. It does not match the schema of protocol 1.0, which allows no additional fields.
 */
export function combinedCardOf(card: AgentCard): Record<string, unknown> {
  const current = AgentCard.toJSON(card) as CardJson;
  const legacy = card.supportedInterfaces.find(({ protocolVersion }) => protocolVersion === "0.3");
  return {
    ...current,
    protocolVersion: "0.3.0",
    url: legacy?.url,
    preferredTransport: legacy?.protocolBinding,
    supportsAuthenticatedExtendedCard: true,
    capabilities: { ...current.capabilities, stateTransitionHistory: false },
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer", description: SCHEME, ...current.securitySchemes.bearer },
    },
    security: [{ bearer: [] }],
  };
}

interface CardJson {
  readonly capabilities: object;
  readonly securitySchemes: { readonly bearer: object };
}

function skillOf(tool: Tool, detail: "brief" | "full") {
  const { name, title, description, toolset, plan, effect, examples, role, uses = [] } = tool;
  const outputModes = [...DEFAULT_MODES, fileFormatOf(tool)?.mime ?? []].flat();
  return {
    id: name,
    name: title,
    description: detail === "full" ? description : briefDescription(description),
    tags: [
      ...new Set([
        toolset,
        effect,
        `plan:${plan}`,
        ...taskBindings(tool).map((task) => task.name),
        ...uses.map((used) => `uses:${used}`),
      ]),
    ],
    examples: examples
      // those of the dispatcher name its tasks
      .slice(0, detail === "full" || role === "dispatcher" ? undefined : 1)
      .flatMap(({ ask, input }) => [
        ask,
        JSON.stringify({ skill: name, input }),
        ...(role === "dispatcher" ? [JSON.stringify(input)] : []),
      ]),
    inputModes: role === "interpreter" ? DEFAULT_MODES : [JSON_TYPE],
    // a skill without its own modes has those of the card
    outputModes: outputModes.length > DEFAULT_MODES.length ? outputModes : [],
  };
}
