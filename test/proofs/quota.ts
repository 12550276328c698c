import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import type { Principal } from "../../src/domain/accounts/access.ts";
import { compile, serveOn } from "../support/compiled.ts";
import { type Installation, install, replicaSettings } from "../support/installation.ts";
import { POSTGRES_URL } from "../support/postgres.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { a2aCall, a2aErrorCode } from "./a2a.ts";
import { bearer } from "./credentials.ts";
import { openPeople } from "./people.ts";
import type { Proof } from "./proof.ts";
import { fetchFromServer, mcpCall, mcpErrorCode, remainingCalls, type SiteRequest } from "./proof-server.ts";

const CALLS = 500;
/** Calls at once; fewer on PostgreSQL, where a call that waits too long for a connection is refused. */
const AT_ONCE = POSTGRES_URL === null ? CALLS : 60;
const REFUND_MS = 10_000;
const LIMIT = 100;
const ROUNDS = { quick: 1, full: 20 } as const;
/** Limit of the plan "pro": calls per day. */
const DAILY = 10_000;
/** How far the clocks of the other processes are ahead, ms: those of several machines may differ, that of one may not. */
const AHEAD_MS = POSTGRES_URL === null ? [0] : [60_000, 120_000, 180_000];
const SKEWED_CLOCK = new URL("skewed-clock.mjs", import.meta.url).href;

interface Way {
  readonly request: Pick<SiteRequest, "method" | "path" | "headers" | "body">;
  /** Error code; null for a result. */
  codeOf(response: Response): Promise<string | null>;
}
const REST: Way = {
  request: { method: "GET", path: "/api/v1/quota" },
  codeOf: async (response) => {
    const { code } = (await response.json()) as { code?: string };
    return response.ok ? null : `${code}`;
  },
};
const MCP: Way = { request: mcpCall("get_quota", {}), codeOf: mcpErrorCode };
const A2A: Way = { request: a2aCall("get_quota", {}), codeOf: a2aErrorCode };
/** A way with a credential of the account. */
interface Caller extends Way {
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends far more calls at once than an account has left, over every network transport of two servers on one data folder, or of four on PostgreSQL. */
export const quota: Proof = {
  name: "quota",
  claim:
    "A limit admits exactly as many calls as it states, over all transports, keys, sessions, apps and processes together",

  async run({ scale, report }) {
    const { dir, remove } = suiteDir();
    const server = await install(dir, "sample", { OAUTH: "on" });
    const site = openPeople(server);
    const built = await compile();
    const [program, ...file] = built.product;
    const command = [program!, "--import", SKEWED_CLOCK, ...file];
    const others: Awaited<ReturnType<typeof serveOn>>[] = [];
    const broken: string[] = [];
    try {
      for (const [i, ms] of AHEAD_MS.entries()) {
        const env = { ...replicaSettings(server.env, i + 2), HOME: dir, CLOCK_SKEW_MS: `${ms}` };
        others.push(await serveOn(command, env));
      }
      const servers = [server.url, ...others.map(({ url }) => url)];
      let admitted = 0;
      for (let round = 0; round < ROUNDS[scale]; round++)
        for (const window of ["burst", "daily"] as const) {
          const { caller, callers } = await account(server, site, { name: `${window}-${round}`, servers });
          const spend =
            window === "burst" ? server.app.ports.meters.countBurst : server.app.ports.meters.countDaily;
          // to sign in was a request, too
          const left = (await remainingCalls(server, caller))[window]!;
          for (let spent = 0; spent < left - LIMIT; spent++) await spend(caller);
          const codes = await race(servers, callers);
          const passed = codes.filter((code) => code === null).length;
          admitted += passed;
          const failed = countsOf(codes.filter((code) => code !== null && code !== "RATE_LIMITED"));
          const expected = {
            passed: LIMIT,
            refused: CALLS - LIMIT,
            failed: {},
            burst: 0,
            daily: window === "burst" ? DAILY - LIMIT : 0,
          };
          const actual = {
            passed,
            refused: codes.filter((code) => code === "RATE_LIMITED").length,
            failed,
            ...(await refunded(server, caller, expected.daily)),
          };
          if (JSON.stringify(actual) !== JSON.stringify(expected))
            broken.push(`${window}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
          report(`round ${round + 1}, ${window}: ${passed} of ${CALLS} admitted`);
        }
      const races = 2 * ROUNDS[scale];
      return {
        figure: `${races} races of ${CALLS} calls on ${LIMIT} left (REST, MCP and A2A; two keys, a session and an app; ${servers.length} processes${AHEAD_MS.length > 1 ? " whose clocks are 60 s apart" : ""}): ${admitted} admitted, exactly ${LIMIT} each; refused calls cost nothing of the day`,
        broken,
      };
    } finally {
      for (const { child, ended } of others) {
        child.kill("SIGKILL");
        await ended;
      }
      await server.stop();
      built.remove();
      remove();
    }
  },
};

/**
 * Returns the remaining calls once the servers have refunded the rest of their blocks, which they do within some seconds,
 * or those after 10 s.
 */
async function refunded(server: Installation, caller: Principal, daily: number) {
  const deadline = performance.now() + REFUND_MS;
  for (;;) {
    const remaining = await remainingCalls(server, caller);
    if (remaining.daily === daily || performance.now() >= deadline) return remaining;
    await sleep(100);
  }
}

/** How often each error code came. */
function countsOf(codes: readonly (string | null)[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const code of codes) counts[String(code)] = (counts[String(code)] ?? 0) + 1;
  return counts;
}

/** An account with two keys, the session of its person and an app that may act for them. */
async function account(
  { app }: Installation,
  site: ReturnType<typeof openPeople>,
  { name, servers }: { readonly name: string; readonly servers: readonly string[] },
): Promise<{ caller: Principal; callers: readonly Caller[] }> {
  const { cookie } = await site.person(name, "member", "pro");
  const { access: token } = await site.connected(cookie);
  // each server takes the tokens that are for its address
  const resources = JSON.stringify(servers.map((url) => `${url}/api/mcp`));
  await app.store.db.updateTable("auth_access_tokens").set({ resources }).execute();
  const [one, two] = [await app.access.create({ account: name }), await app.access.create({ account: name })];
  const by = (way: Way, headers: Caller["headers"]): Caller => ({ ...way, headers });
  return {
    caller: await app.access.identify(one.key),
    // one in five calls uses A2A: one account may have at most fifty running tasks per server
    callers: [
      by(REST, bearer(one.key)),
      by(MCP, bearer(token)),
      by(A2A, bearer(two.key)),
      by(REST, { cookie }),
      by(MCP, bearer(two.key)),
    ],
  };
}

/** Sends all calls, consecutive ones over different transports, credentials and servers. Returns the outcomes. */
const race = (
  servers: readonly string[],
  callers: readonly Caller[],
): Promise<readonly (string | null)[]> => {
  const atOnce = pLimit(AT_ONCE);
  return Promise.all(
    Array.from({ length: CALLS }, (_, i) =>
      atOnce(async () => {
        const { request, headers, codeOf } = callers[i % callers.length]!;
        const server = servers[(i >> 1) % servers.length]!;
        const sent = { ...request, headers: { ...request.headers, ...headers } };
        return codeOf(await fetchFromServer(server, sent));
      }),
    ),
  );
};
