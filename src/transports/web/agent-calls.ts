import { noPeers, type Peers } from "../../domain/peers-port.ts";
import type { Clock, Log } from "../../domain/ports.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { observeToolCalls } from "../http/tool-call-log.ts";

/** Display names of the transports that only agents use. */
const AGENT_TRANSPORTS: Readonly<Record<string, string>> = {
  mcp: "MCP",
  "mcp-sse": "MCP (HTTP+SSE)",
  a2a: "A2A",
};
/** Error codes of calls that were refused access; they do not count as agent calls. */
const ACCESS_REFUSED_CODES: ReadonlySet<string> = new Set([
  "UNAUTHENTICATED",
  "PLAN_REQUIRED",
  "SCOPE_REQUIRED",
]);

/** Maximum number of accounts whose latest call is remembered. */
const MAX_ACCOUNTS = 1_000;

/** One tool call of an agent, without its caller and input. */
export interface AgentCall {
  readonly transport: string;
  readonly tool: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

export interface AgentCallMonitor {
  /** Wraps a log and stores the latest authorized call of an agent. */
  observedLog(log: Log): Log;
  /**
   * Resolves to the latest call of any process since the server started, of one account or by default of any; null before
   * the first call.
   */
  latest(account?: string): Promise<AgentCall | null>;
}

export function createAgentCallMonitor(clock: Clock, peers: Peers = noPeers): AgentCallMonitor {
  let latest: AgentCall | null = null;
  const byAccount = createBoundedCache<string, AgentCall>({ name: "agent calls", max: MAX_ACCOUNTS });
  const latestOf = (account: string | null) => (account === null ? latest : (byAccount.get(account) ?? null));
  peers.onRequest("agent_call", latestOf);
  return {
    observedLog: (log) =>
      observeToolCalls(log, ({ tool, transport, code }, account) => {
        const name = Object.hasOwn(AGENT_TRANSPORTS, transport) ? AGENT_TRANSPORTS[transport] : undefined;
        if (name === undefined || ACCESS_REFUSED_CODES.has(code)) return;
        latest = { transport: name, tool, at: clock.now().toISOString() };
        if (account !== null) byAccount.set(account, latest);
      }),
    async latest(account) {
      const others = (await peers.request("agent_call", account ?? null)) as readonly AgentCall[];
      const own = latestOf(account ?? null);
      return [...others, ...(own === null ? [] : [own])].sort((a, b) => (a.at < b.at ? 1 : -1))[0] ?? null;
    },
  };
}
