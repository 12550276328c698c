import type { Clock, Log } from "../../domain/ports.ts";
import { hearing } from "../http/calls.ts";

/** Doors that only agents come through, as a person calls them. */
const AGENT_DOORS: Readonly<Record<string, string>> = { mcp: "MCP", "mcp-sse": "MCP (HTTP+SSE)", a2a: "A2A" };
/** Refusals of the caller and not of the call: nobody has arrived yet. */
const TURNED_AWAY: ReadonlySet<string> = new Set(["UNAUTHENTICATED", "PLAN_REQUIRED", "SCOPE_REQUIRED"]);

/** A call of an agent, told without who called and what for. */
export interface Arrival {
  readonly door: string;
  readonly tool: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

export interface Arrivals {
  /** Passes lines on and remembers the latest call that an agent was let in with. */
  heardLog(log: Log): Log;
  /** Null until the first one since the start. */
  latest(): Arrival | null;
}

/** Watches for agents among all the calls of one server. */
export function createArrivals(clock: Clock): Arrivals {
  const seen: { latest: Arrival | null } = { latest: null };
  return {
    heardLog: (log) =>
      hearing(log, ({ tool, door, code }) => {
        const name = Object.hasOwn(AGENT_DOORS, door) ? AGENT_DOORS[door] : undefined;
        if (name !== undefined && !TURNED_AWAY.has(code))
          seen.latest = { door: name, tool, at: clock.now().toISOString() };
      }),
    latest: () => seen.latest,
  };
}
