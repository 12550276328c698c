import type { RequestId, ServerContext } from "@modelcontextprotocol/server";
import type { Principal } from "../../domain/accounts/access.ts";
import type { AdmittedMessage, Ports } from "../../domain/ports.ts";
import type { TraceContext } from "../../domain/trace.ts";
import type { RuntimePorts } from "../../kernel/invoke.ts";
import type { Registry, ToolFilter } from "../../kernel/registry.ts";
import type { SettingsStore } from "./client-settings.ts";
import type { ConnectionTools } from "./connection-tools.ts";
import type { Subscriptions } from "./subscribe.ts";

/** Dependencies shared by all MCP server objects of a process. */
export interface McpServerDeps {
  readonly registry: Registry;
  readonly ports: RuntimePorts & Pick<Ports, "market">;
  readonly version: string;
  readonly toolsFor: (filter: ToolFilter) => ConnectionTools;
  /** Running calls; aborting one cancels it. */
  readonly running: Set<AbortController>;
}

export interface Caller {
  readonly principal: Principal;
  /** The admission of the message. */
  readonly admitted?: AdmittedMessage | undefined;
  readonly requestId?: string;
  /** Trace context of the HTTP request. Default: none. */
  readonly trace?: TraceContext | undefined;
  /** Lets another message cancel the request with this id. Returns a function that ends this. */
  readonly onRun?: (id: RequestId, cancel: () => void) => () => void;
}

export interface McpSession {
  readonly tools: ConnectionTools;
  readonly transport: "mcp" | "mcp-sse" | "stdio";
  /** Subscriptions of the connection. Default: none, for a transport without a lasting connection. */
  readonly subscriptions?: Subscriptions;
  /** true if clients may subscribe to changes. Default: true if there are `subscriptions`. */
  readonly canListen?: boolean;
  /** true: the response to a call may contain a question to the user. Default: true. */
  readonly mayAsk?: boolean;
  /**
   * true: tools that a client finds are added to its list. Default: true. A client of 2026-07-28 has no session, so its
   * list never changes.
   */
  readonly listChanges?: boolean;
  /** Returns the settings of the client of a request; null if it cannot be recognized. Default: those of the connection. */
  readonly settingsOf?: (ctx: ServerContext) => SettingsStore | null;
  resolveCaller(ctx: ServerContext): Caller;
}
