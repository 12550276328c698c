import type { Principal } from "../../src/domain/accounts/access.ts";
import { routesOf } from "../../src/kernel/registry.ts";
import { scopesOf, type Tool } from "../../src/kernel/tool.ts";
import { groupBy } from "../../src/lib/group-by.ts";
import { PROBLEMS } from "../../src/transports/http/problem.ts";
import { prepareAgents } from "../support/account-fixtures.ts";
import { FULL } from "../support/draws.ts";
import { a2aCall, a2aErrorCode, problemIn } from "./a2a.ts";
import { type Credential, createCredentials, type Standing } from "./credentials.ts";
import { ENDPOINTS, mayAsk, type Refusal, refusalOf } from "./expected-access.ts";
import { callForeignIds } from "./foreign-ids.ts";
import { createNoteTools } from "./notes.ts";
import { SERVERS } from "./place.ts";
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
import { createSignedInCredentials } from "./signed-in-credentials.ts";

const ADDRESS = "10.0.0.1";
const MINUTE_MS = 60_000;

/** Cost of a request. Each of several servers counts calls of a busy caller ahead, so only that of the day is known there. */
const costOf = ({ burst, day }: { readonly burst: number; readonly day: number }) =>
  SERVERS === 1 ? { burst, day } : { day };

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
    const credentials = [
      ...(await createCredentials(server, ADDRESS)),
      ...(await createSignedInCredentials(server, ADDRESS)),
    ];
    let addresses = 0;
    /** Refused credentials are rate-limited by address, so each is sent from its own address. */
    const addressOf = ({ fault }: Standing) =>
      fault === null ? ADDRESS : `10.1.${addresses >> 8}.${addresses++ & 255}`;

    /** Sends a request; returns the response with its cost. */
    async function send({ headers, at }: Credential, request: SiteRequest) {
      const standing = at(request);
      const { caller } = standing;
      if ((await remainingCalls(server, caller)).burst! < 2) server.clock.pass(MINUTE_MS);
      const before = await remainingCalls(server, caller);
      const address = addressOf(standing);
      const sent = { ...request, headers: { ...request.headers, ...headers }, address };
      const begun = await sendRequest(server, sent);
      // A streamed response may begin before its call is counted.
      const response = request.body === undefined ? begun : new Response(await begun.arrayBuffer(), begun);
      const after = await remainingCalls(server, caller);
      const cost = costOf({ burst: before.burst! - after.burst!, day: before.daily! - after.daily! });
      return { response, cost, standing };
    }

    /** Checks the status, code, reason and challenge of a rejection, and its cost. */
    async function checkRefusal(
      where: string,
      code: Refusal,
      { response, cost, standing: { fault } }: Awaited<ReturnType<typeof send>>,
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
        ...costOf({ burst: fault === null ? 1 : 0, day: 0 }),
      };
      count.refused++;
      if (JSON.stringify(actual) !== JSON.stringify(expected))
        broken.push(`${where}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
      if (fault !== null && fault.reason !== null && problem.reason !== fault.reason)
        broken.push(`${where}: the reason is ${problem.reason} instead of ${fault.reason}`);
    }

    function checkCall(where: string, actual: unknown, expected: unknown): void {
      if (JSON.stringify(actual) !== JSON.stringify(expected))
        broken.push(`${where}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
    }
    /** Checks a request that must succeed. */
    function checkPassed(where: string, actual: unknown, expected: unknown): void {
      count.passed++;
      checkCall(where, actual, expected);
    }

    /** True if the object named in the example exists: never for ids; for agents, if the caller may create them. */
    async function isThere(tool: Tool, caller: Principal): Promise<boolean> {
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

    /** Sends a call; returns the response with the expected error, and whether the object of its example exists. */
    async function tryCall(
      tool: Tool,
      request: Pick<SiteRequest, "method" | "path">,
      credential: Credential,
    ) {
      const standing = credential.at(request);
      const refusal = refusalOf(standing, tool.plan, scopesOf(tool));
      const isFound = refusal === null && (await isThere(tool, standing.caller));
      await keepOneConnection(standing.caller);
      return { refusal, isFound, answer: await send(credential, request) };
    }

    async function tryRoute(tool: Tool, route: string, credential: Credential): Promise<void> {
      const where = `${route} with ${credential.name}`;
      const request = requestOf(route, inputOf(tool));
      const { refusal, isFound, answer } = await tryCall(tool, request, credential);
      if (refusal !== null) return checkRefusal(where, refusal, answer);
      await answer.response.arrayBuffer();
      const paid = tool.role === "health" && answer.standing.caller.plan === "open" ? 0 : 1;
      const expected = { status: isFound ? 200 : 404, ...costOf({ burst: paid, day: paid }) };
      checkPassed(where, { status: answer.response.status, ...answer.cost }, expected);
    }

    /** A stream is counted as one call once it has begun. */
    async function tryStream(tool: Tool, route: string, credential: Credential): Promise<void> {
      const where = `${route} with ${credential.name}`;
      const { refusal, answer } = await tryCall(tool, requestOf(route, inputOf(tool)), credential);
      if (refusal !== null) return checkRefusal(where, refusal, answer);
      await answer.response.body?.cancel();
      checkPassed(
        where,
        { status: answer.response.status, ...answer.cost },
        { status: 200, ...costOf({ burst: 1, day: 1 }) },
      );
    }

    /** The endpoint checks its own plan first, then what an app was allowed, then the tool's plan and scope. */
    async function tryTransport(
      transport: string,
      { call, codeOf }: { call: typeof mcpCall; codeOf: typeof mcpErrorCode },
      tool: Tool,
      credential: Credential,
    ): Promise<void> {
      const where = `${tool.name} over ${transport} with ${credential.name}`;
      const request = call(tool.name, inputOf(tool));
      const { refusal, isFound, answer } = await tryCall(tool, request, credential);
      const { response, cost, standing } = answer;
      const refusedByTransport = refusalOf(standing, "pro", []);
      if (refusedByTransport !== null) return checkRefusal(where, refusedByTransport, answer);
      if (refusal === "SCOPE_REQUIRED" && standing.grantable !== undefined && mayAsk(standing, tool)) {
        const challenge = response.headers.get("www-authenticate") ?? "";
        const asked = /scope="([^"]*)"/.exec(challenge)?.[1]?.split(" ") ?? [];
        const isAsked = scopesOf(tool).every((scope) => asked.includes(scope));
        const isChallenge = challenge.includes('error="insufficient_scope"') && isAsked;
        count.refused++;
        const expected = { status: 403, isChallenge: true, ...costOf({ burst: 1, day: 0 }) };
        return checkCall(where, { status: response.status, isChallenge, ...cost }, expected);
      }
      const actual = { status: response.status, code: await codeOf(response), ...cost };
      const code = refusal ?? (isFound ? null : "NOT_FOUND");
      if (refusal === null) count.passed++;
      else count.refused++;
      checkCall(where, actual, { status: 200, code, ...costOf({ burst: 1, day: refusal === null ? 1 : 0 }) });
    }

    /** The calls of a tool with one credential: its routes, MCP, A2A, and its stream if it has one. */
    function attemptsOf(tool: Tool, credential: Credential): readonly Attempt[] {
      const attempt = (
        transport: string,
        path: string,
        method: string,
        run: () => Promise<void>,
      ): Attempt => {
        const standing = credential.at({ method, path });
        const refusal = refusalOf(standing, tool.plan, scopesOf(tool));
        const outcome = standing.fault !== null ? "fault" : (refusal ?? "served");
        return { transport, outcome, credential: credential.name, run };
      };
      const [method] = tool.route.split(" ") as [string];
      const stream = tool.http?.stream;
      return [
        attempt("REST", "/api/v1", method, async () => {
          for (const route of routesOf(tool)) await tryRoute(tool, route, credential);
        }),
        attempt("MCP", "/api/mcp", "POST", () =>
          tryTransport("MCP", { call: mcpCall, codeOf: mcpErrorCode }, tool, credential),
        ),
        attempt("A2A", "/api/a2a", "POST", () =>
          tryTransport("A2A", { call: a2aCall, codeOf: a2aErrorCode }, tool, credential),
        ),
        ...(stream === undefined
          ? []
          : [attempt("stream", "/api/v1", "GET", () => tryStream(tool, stream.route, credential))]),
      ];
    }

    try {
      const { tools } = server.app.registry;
      for (const [turn, tool] of tools.entries()) {
        const attempts = credentials.flatMap((credential) => attemptsOf(tool, credential));
        for (const { run } of scale === "quick" ? sample(attempts, turn) : attempts) await run();
      }
      for (const { plan, scopes = [], refusalFor, ...endpoint } of ENDPOINTS)
        for (const credential of credentials) {
          const where = `${endpoint.method} ${endpoint.path} with ${credential.name}`;
          const answer = await send(credential, endpoint);
          const byPlan = refusalOf(answer.standing, plan, scopes);
          const refusal = refusalFor === undefined ? byPlan : refusalFor(answer.standing, byPlan);
          if (refusal !== null) await checkRefusal(where, refusal, answer);
          else {
            await answer.response.body?.cancel();
            checkPassed(where, [401, 403].includes(answer.response.status), false);
          }
        }
      const foreign = await callForeignIds(server);
      broken.push(...foreign.broken, ...server.errors);
      return {
        figure: `${count.refused} correct refusals that cost nothing of the day (${credentials.length} credentials at ${tools.length} tools over REST, MCP and A2A, and ${ENDPOINTS.length} other endpoints); ${count.passed} permitted calls served; ${foreign.calls} calls for what another account has found nothing`,
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

const inputOf = ({ examples }: Tool) => examples[0]!.input as Readonly<Record<string, unknown>>;

interface Attempt {
  readonly transport: string;
  /** "served", "fault" of the credential, or the code with which the tool refuses it. */
  readonly outcome: string;
  readonly credential: string;
  run(): Promise<void>;
}
/**
 * Returns one attempt of each kind, in rotation by tool. With TEST_SCALE=full, what the tool refuses is tried by every
 * credential over every transport, and the rest, which does not depend on the tool, by every credential once. Otherwise
 * each outcome is tried over every transport, a refusal with every way of signing in.
 */
function sample(attempts: readonly Attempt[], turn: number): readonly Attempt[] {
  const kindOf = ({ transport, outcome, credential }: Attempt): string => {
    const isRefused = outcome !== "served" && outcome !== "fault";
    if (FULL) return `${isRefused || transport === "stream" ? transport : outcome} ${credential}`;
    return `${transport} ${outcome} ${isRefused && credential.split(" ")[0]}`;
  };
  return [...groupBy(attempts, kindOf).values()].map((same) => same[turn % same.length]!);
}
