import { PLAN_RANK, type Scope } from "../../src/domain/accounts/access.ts";
import { routesOf } from "../../src/kernel/registry.ts";
import { scopesOf, type Tool } from "../../src/kernel/tool.ts";
import { STATUS } from "../../src/transports/http/problem.ts";
import { prepareAgents } from "../support/account-fixtures.ts";
import { a2aCall, a2aErrorCode } from "./a2a.ts";
import { type Credential, createCredentials } from "./credentials.ts";
import { callForeignIds } from "./foreign-ids.ts";
import { createNoteTools } from "./notes.ts";
import type { Proof } from "./proof.ts";
import {
  mcpCall,
  mcpErrorCode,
  openProofServer,
  remainingCalls,
  requestOf,
  type SiteRequest,
  sendRequest,
} from "./proof-server.ts";

/** A door that is no tool, and what it asks of whoever comes. */
interface Gate extends Pick<SiteRequest, "method" | "path" | "body" | "headers"> {
  readonly plan: Tool["plan"];
}
const hello = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const GATES: readonly Gate[] = [
  { method: "POST", path: "/api/mcp", plan: "pro", body: hello },
  { method: "GET", path: "/api/mcp", plan: "pro" },
  { method: "GET", path: "/api/mcp/sse", plan: "pro" },
  { method: "POST", path: "/api/mcp/sse/messages", plan: "pro", body: hello },
  { method: "POST", path: "/api/a2a", plan: "pro", body: hello },
  { method: "POST", path: "/api/v1/a2a/route", plan: "enterprise", body: hello },
  { method: "POST", path: "/api/a2a/rest/message:send", plan: "pro", body: {} },
  { method: "POST", path: "/api/a2a/rest/message:stream", plan: "pro", body: {} },
  { method: "GET", path: "/api/a2a/rest/tasks", plan: "pro" },
  { method: "GET", path: "/api/a2a/rest/tasks/1", plan: "pro" },
  { method: "POST", path: "/api/a2a/rest/tasks/1:cancel", plan: "pro" },
  { method: "GET", path: "/api/a2a/rest/extendedAgentCard", plan: "pro" },
  { method: "GET", path: "/api/a2a/rest/anything", plan: "pro" },
];

type Refusal = "UNAUTHENTICATED" | "PLAN_REQUIRED" | "SCOPE_REQUIRED";

/** What a badge must be told where this is asked of it; null where it may pass. */
function refusalOf(
  { fault, caller }: Credential,
  plan: Tool["plan"],
  scopes: readonly Scope[],
): Refusal | null {
  if (fault !== null) return "UNAUTHENTICATED";
  if (plan === "open") return null;
  if (caller.plan === "open") return "UNAUTHENTICATED";
  if (PLAN_RANK[caller.plan] < PLAN_RANK[plan]) return "PLAN_REQUIRED";
  return scopes.every((scope) => caller.scopes.includes(scope)) ? null : "SCOPE_REQUIRED";
}

const ADDRESS = "10.0.0.1";
const MINUTE_MS = 60_000;

/** Every route, every door and every tool behind one, asked with every badge: the right refusal, and nothing debited. */
export const access: Proof = {
  name: "access",
  claim: "Nobody passes a door without the key, plan and scope it asks for, and a refusal costs nothing",

  async run({ scale }) {
    const house = await openProofServer(createNoteTools());
    const broken: string[] = [];
    const count = { refused: 0, passed: 0 };
    const badges = await createCredentials(house, ADDRESS);
    let addresses = 0;
    /** Wrong keys are counted by address: each comes from one of its own. */
    const addressOf = ({ fault }: Credential) =>
      fault === null ? ADDRESS : `10.1.${addresses >> 8}.${addresses++ & 255}`;

    /** Asks, and tells what it cost. */
    async function ask(badge: Credential, request: SiteRequest) {
      if ((await remainingCalls(house, badge.caller)).burst! < 2) house.clock.pass(MINUTE_MS);
      const before = await remainingCalls(house, badge.caller);
      const address = addressOf(badge);
      const begun = await sendRequest(house, { ...request, authorization: badge.header, address });
      // the answer to a message may begin before its call is counted
      const response = request.body === undefined ? begun : new Response(await begun.arrayBuffer(), begun);
      const after = await remainingCalls(house, badge.caller);
      const cost = { burst: before.burst! - after.burst!, day: before.daily! - after.daily! };
      return { response, cost };
    }

    /** One refusal at the front of a door, with all that belongs to it. */
    async function refusedRight(
      where: string,
      { fault }: Credential,
      expected: Refusal,
      { response, cost }: Awaited<ReturnType<typeof ask>>,
    ): Promise<void> {
      const { code, status, reason } = (await response.json()) as Record<string, unknown>;
      const challenge = response.headers.get("www-authenticate") !== null;
      const told = { code, status: response.status, challenge, same: status === response.status, ...cost };
      const right = {
        code: expected,
        status: STATUS[expected],
        challenge: expected === "UNAUTHENTICATED",
        same: true,
        burst: 0,
        day: 0,
      };
      count.refused++;
      if (JSON.stringify(told) !== JSON.stringify(right))
        broken.push(`${where}: ${JSON.stringify(told)} instead of ${JSON.stringify(right)}`);
      if (fault !== null && fault !== "none" && reason !== fault)
        broken.push(`${where}: the reason is ${reason} instead of ${fault}`);
    }

    /** A request that must come through, and cost what a call costs. */
    function passedRight(where: string, told: unknown, right: unknown): void {
      count.passed++;
      if (JSON.stringify(told) !== JSON.stringify(right))
        broken.push(`${where}: ${JSON.stringify(told)} instead of ${JSON.stringify(right)}`);
    }

    /** Whether what the example names is there: no object of an id is, and agents as far as the caller may have them. */
    async function isThere(tool: Tool, { caller }: Credential): Promise<boolean> {
      if (takesId(tool)) return false;
      if (!tool.needs.includes("automation")) return true;
      const ready = await prepareAgents(tool, house.app.ports, caller).then(
        () => true,
        () => false,
      );
      return ready || tool.effect === "read";
    }

    async function tryRoute(tool: Tool, route: string, badge: Credential): Promise<void> {
      const [{ input }] = tool.examples as unknown as [{ input: Record<string, unknown> }];
      const refusal = refusalOf(badge, tool.plan, scopesOf(tool));
      const where = `${route} with ${badge.name}`;
      const there = refusal === null && (await isThere(tool, badge));
      const answer = await ask(badge, requestOf(route, input));
      if (refusal !== null) return refusedRight(where, badge, refusal, answer);
      await answer.response.arrayBuffer();
      const right = { status: there ? 200 : 404, burst: 1, day: 1 };
      passedRight(where, { status: answer.response.status, ...answer.cost }, right);
    }

    /** The door first asks for its own plan, then the tool behind it for its plan and scope. */
    async function tryDoor(
      door: string,
      { call, codeOf }: { call: typeof mcpCall; codeOf: typeof mcpErrorCode },
      tool: Tool,
      badge: Credential,
    ): Promise<void> {
      const [{ input }] = tool.examples as unknown as [{ input: Record<string, unknown> }];
      const where = `${tool.name} over ${door} with ${badge.name}`;
      const refusal = refusalOf(badge, tool.plan, scopesOf(tool));
      const there = refusal === null && (await isThere(tool, badge));
      const answer = await ask(badge, call(tool.name, input));
      const atDoor = refusalOf(badge, "pro", []);
      if (atDoor !== null) return refusedRight(where, badge, atDoor, answer);
      const told = { status: answer.response.status, code: await codeOf(answer.response), ...answer.cost };
      const code = refusal ?? (there ? null : "NOT_FOUND");
      const paid = refusal === null ? 1 : 0;
      if (refusal !== null) count.passed--;
      if (refusal !== null) count.refused++;
      passedRight(where, told, { status: 200, code, burst: paid, day: paid });
    }

    try {
      const { tools } = house.app.registry;
      for (const [i, tool] of tools.entries())
        for (const [j, badge] of badges.entries()) {
          const doors = [
            async () => {
              for (const route of routesOf(tool)) await tryRoute(tool, route, badge);
            },
            () => tryDoor("MCP", { call: mcpCall, codeOf: mcpErrorCode }, tool, badge),
            () => tryDoor("A2A", { call: a2aCall, codeOf: a2aErrorCode }, tool, badge),
          ];
          // who may pass makes the tool run: quickly, that is asked of one door in turn
          const runs = refusalOf(badge, tool.plan, scopesOf(tool)) === null;
          const asked = runs && scale === "quick" ? [doors[(i + j) % doors.length]!] : doors;
          for (const door of asked) await door();
        }
      for (const { plan, ...gate } of GATES)
        for (const badge of badges) {
          const where = `${gate.method} ${gate.path} with ${badge.name}`;
          const refusal = refusalOf(badge, plan, []);
          const answer = await ask(badge, gate);
          if (refusal !== null) await refusedRight(where, badge, refusal, answer);
          else {
            await answer.response.body?.cancel();
            passedRight(where, [401, 403].includes(answer.response.status), false);
          }
        }
      const foreign = await callForeignIds(house);
      broken.push(...foreign.broken, ...house.errors);
      return {
        figure: `${count.refused} refusals right and free of charge (${badges.length} badges at ${tools.length} tools over REST, MCP and A2A, and ${GATES.length} other doors); ${count.passed} passed who may; ${foreign.asked} calls for another account's object found nothing`,
        broken,
      };
    } finally {
      await house.stop();
    }
  },
};

/** An example of such a tool names an object that nobody has. */
const takesId = ({ examples }: Tool): boolean =>
  Object.keys(examples[0]!.input).some((name) => /(^|_)id$/.test(name));
