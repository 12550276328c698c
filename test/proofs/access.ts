import { PLAN_RANK, type Principal, type Scope } from "../../src/domain/accounts/access.ts";
import { routesOf } from "../../src/kernel/registry.ts";
import { scopesOf, type Tool } from "../../src/kernel/tool.ts";
import { PROBLEMS } from "../../src/transports/http/problem.ts";
import { prepareAgents } from "../support/account-fixtures.ts";
import { a2aCall, a2aErrorCode, problemIn } from "./a2a.ts";
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

/** A protocol endpoint that is not a tool, and the plan it requires. */
interface Endpoint extends Pick<SiteRequest, "method" | "path" | "body" | "headers"> {
  readonly plan: Tool["plan"];
}
const hello = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const ENDPOINTS: readonly Endpoint[] = [
  { method: "POST", path: "/api/mcp", plan: "pro", body: hello },
  { method: "GET", path: "/api/mcp", plan: "pro" },
  { method: "GET", path: "/api/mcp/sse", plan: "pro" },
  { method: "POST", path: "/api/mcp/sse/messages", plan: "pro", body: hello },
  { method: "POST", path: "/api/a2a", plan: "pro", body: hello },
  { method: "POST", path: "/api/v1/a2a", plan: "pro", body: hello },
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

/** Expected error for a credential with this required plan and these scopes; null if it is allowed. */
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

/**
 * Calls every route, protocol endpoint and tool with every credential, and expects the right rejection, which costs one
 * message of the burst window and nothing of the day.
 */
export const access: Proof = {
  name: "access",
  claim:
    "No transport serves a call without the required key, plan and scope, and a refusal costs nothing of the day",

  async run({ scale }) {
    const server = await openProofServer(createNoteTools());
    const broken: string[] = [];
    const count = { refused: 0, passed: 0 };
    const credentials = await createCredentials(server, ADDRESS);
    let addresses = 0;
    /** Invalid keys are rate-limited by address, so each is sent from its own address. */
    const addressOf = ({ fault }: Credential) =>
      fault === null ? ADDRESS : `10.1.${addresses >> 8}.${addresses++ & 255}`;

    /** Sends a request; returns the response with its cost. */
    async function send(credential: Credential, request: SiteRequest) {
      if ((await remainingCalls(server, credential.caller)).burst! < 2) server.clock.pass(MINUTE_MS);
      const before = await remainingCalls(server, credential.caller);
      const address = addressOf(credential);
      const begun = await sendRequest(server, { ...request, authorization: credential.header, address });
      // A streamed response may begin before its call is counted.
      const response = request.body === undefined ? begun : new Response(await begun.arrayBuffer(), begun);
      const after = await remainingCalls(server, credential.caller);
      const cost = { burst: before.burst! - after.burst!, day: before.daily! - after.daily! };
      return { response, cost };
    }

    /** Checks the status, code, reason and challenge of a rejection, and its cost. */
    async function checkRefusal(
      where: string,
      { fault }: Credential,
      code: Refusal,
      { response, cost }: Awaited<ReturnType<typeof send>>,
    ): Promise<void> {
      const problem = problemIn(await response.json());
      const challenge = response.headers.get("www-authenticate") !== null;
      const actual = {
        code: problem.code,
        status: response.status,
        challenge,
        same: problem.status === response.status,
        ...cost,
      };
      const expected = {
        code,
        status: PROBLEMS[code].status,
        challenge: code === "UNAUTHENTICATED",
        same: true,
        // a request with an invalid key counts towards its network
        burst: fault === null ? 1 : 0,
        day: 0,
      };
      count.refused++;
      if (JSON.stringify(actual) !== JSON.stringify(expected))
        broken.push(`${where}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
      if (fault !== null && fault !== "none" && problem.reason !== fault)
        broken.push(`${where}: the reason is ${problem.reason} instead of ${fault}`);
    }

    /** Checks a request that must succeed at the cost of one call. */
    function checkPassed(where: string, actual: unknown, expected: unknown): void {
      count.passed++;
      if (JSON.stringify(actual) !== JSON.stringify(expected))
        broken.push(`${where}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
    }

    /** True if the object named in the example exists: never for ids; for agents, if the caller may create them. */
    async function isThere(tool: Tool, { caller }: Credential): Promise<boolean> {
      if (takesId(tool)) return false;
      if (!tool.needs.includes("automation")) return true;
      const ready = await prepareAgents(tool, server.app.ports, caller).then(
        () => true,
        () => false,
      );
      return ready || tool.effect === "read";
    }

    /** Leaves one broker connection, because with several of them a call must name one. */
    async function keepOneConnection({ account }: Principal): Promise<void> {
      const { connections } = server.app.ports;
      for (const { connection_id } of (await connections.list(account)).slice(0, -1))
        await connections.remove(account, connection_id);
    }

    async function tryRoute(tool: Tool, route: string, credential: Credential): Promise<void> {
      const [{ input }] = tool.examples as unknown as [{ input: Record<string, unknown> }];
      const refusal = refusalOf(credential, tool.plan, scopesOf(tool));
      const where = `${route} with ${credential.name}`;
      const there = refusal === null && (await isThere(tool, credential));
      await keepOneConnection(credential.caller);
      const answer = await send(credential, requestOf(route, input));
      if (refusal !== null) return checkRefusal(where, credential, refusal, answer);
      await answer.response.arrayBuffer();
      const paid = tool.role === "health" && credential.header === null ? 0 : 1;
      const expected = { status: there ? 200 : 404, burst: paid, day: paid };
      checkPassed(where, { status: answer.response.status, ...answer.cost }, expected);
    }

    /** The endpoint checks its own plan first, then the tool's plan and scope. */
    async function tryTransport(
      transport: string,
      { call, codeOf }: { call: typeof mcpCall; codeOf: typeof mcpErrorCode },
      tool: Tool,
      credential: Credential,
    ): Promise<void> {
      const [{ input }] = tool.examples as unknown as [{ input: Record<string, unknown> }];
      const where = `${tool.name} over ${transport} with ${credential.name}`;
      const refusal = refusalOf(credential, tool.plan, scopesOf(tool));
      const there = refusal === null && (await isThere(tool, credential));
      await keepOneConnection(credential.caller);
      const answer = await send(credential, call(tool.name, input));
      const refusedByTransport = refusalOf(credential, "pro", []);
      if (refusedByTransport !== null) return checkRefusal(where, credential, refusedByTransport, answer);
      const actual = { status: answer.response.status, code: await codeOf(answer.response), ...answer.cost };
      const code = refusal ?? (there ? null : "NOT_FOUND");
      const paid = refusal === null ? 1 : 0;
      if (refusal !== null) count.passed--;
      if (refusal !== null) count.refused++;
      checkPassed(where, actual, { status: 200, code, burst: 1, day: paid });
    }

    try {
      const { tools } = server.app.registry;
      for (const [i, tool] of tools.entries())
        for (const [j, credential] of credentials.entries()) {
          const transports = [
            async () => {
              for (const route of routesOf(tool)) await tryRoute(tool, route, credential);
            },
            () => tryTransport("MCP", { call: mcpCall, codeOf: mcpErrorCode }, tool, credential),
            () => tryTransport("A2A", { call: a2aCall, codeOf: a2aErrorCode }, tool, credential),
          ];
          // A permitted call runs the tool. At quick scale it uses one transport, in rotation.
          const runs = refusalOf(credential, tool.plan, scopesOf(tool)) === null;
          const tried = runs && scale === "quick" ? [transports[(i + j) % transports.length]!] : transports;
          for (const transport of tried) await transport();
        }
      for (const { plan, ...endpoint } of ENDPOINTS)
        for (const credential of credentials) {
          const where = `${endpoint.method} ${endpoint.path} with ${credential.name}`;
          const refusal = refusalOf(credential, plan, []);
          const answer = await send(credential, endpoint);
          if (refusal !== null) await checkRefusal(where, credential, refusal, answer);
          else {
            await answer.response.body?.cancel();
            checkPassed(where, [401, 403].includes(answer.response.status), false);
          }
        }
      const foreign = await callForeignIds(server);
      broken.push(...foreign.broken, ...server.errors);
      return {
        figure: `${count.refused} correct refusals that cost nothing of the day (${credentials.length} credentials at ${tools.length} tools over REST, MCP and A2A, and ${ENDPOINTS.length} other endpoints); ${count.passed} permitted calls served; ${foreign.calls} calls for another account's object found nothing`,
        broken,
      };
    } finally {
      await server.stop();
    }
  },
};

/** True when the first example names an object by id; no account has that object. */
const takesId = ({ examples }: Tool): boolean =>
  Object.keys(examples[0]!.input).some((name) => /(^|_)id$/.test(name));
