import { setTimeout as sleep } from "node:timers/promises";
import type { Principal } from "../../src/domain/accounts/access.ts";
import { compile, serveOn } from "../support/compiled.ts";
import { type Installation, install } from "../support/installation.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { a2aCall, a2aErrorCode } from "./a2a.ts";
import type { Proof } from "./proof.ts";
import { fetchFromServer, mcpCall, mcpErrorCode, remainingCalls, type SiteRequest } from "./proof-server.ts";

const CALLS = 500;
const REFUND_MS = 10_000;
const LIMIT = 100;
const ROUNDS = { quick: 1, full: 20 } as const;
/** Limits of the plan "pro": calls per minute, calls per day. */
const PRO = { burst: 300, daily: 10_000 } as const;

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
/** One in five calls uses A2A: one account may have at most fifty running tasks per server. */
const WAYS: readonly Way[] = [REST, MCP, A2A, REST, MCP];

/** Sends far more calls at once than an account has left, over every network transport of two servers on one data folder. */
export const quota: Proof = {
  name: "quota",
  claim:
    "A limit admits exactly as many calls as it states, over all transports, keys and processes together",

  async run({ scale, report }) {
    const { dir, remove } = suiteDir();
    const server = await install(dir, "sample");
    const built = await compile();
    const second = await serveOn(built.product, { ...server.env, HOME: dir });
    const broken: string[] = [];
    try {
      const servers = [server.url, second.url];
      let admitted = 0;
      for (let round = 0; round < ROUNDS[scale]; round++)
        for (const window of ["burst", "daily"] as const) {
          const { caller, keys } = await account(server);
          const spend =
            window === "burst" ? server.app.ports.meters.countBurst : server.app.ports.meters.countDaily;
          for (let spent = 0; spent < PRO[window] - LIMIT; spent++) await spend(caller);
          const codes = await race(servers, keys);
          const passed = codes.filter((code) => code === null).length;
          admitted += passed;
          const expected = {
            passed: LIMIT,
            refused: CALLS - LIMIT,
            burst: 0,
            daily: window === "burst" ? PRO.daily - LIMIT : 0,
          };
          const actual = {
            passed,
            refused: codes.filter((code) => code === "RATE_LIMITED").length,
            ...(await refunded(server, caller, expected.daily)),
          };
          if (JSON.stringify(actual) !== JSON.stringify(expected))
            broken.push(`${window}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
          report(`round ${round + 1}, ${window}: ${passed} of ${CALLS} admitted`);
        }
      const races = 2 * ROUNDS[scale];
      return {
        figure: `${races} races of ${CALLS} calls on ${LIMIT} left (REST, MCP and A2A, two keys, two processes): ${admitted} admitted, exactly ${LIMIT} each; refused calls cost nothing of the day`,
        broken,
      };
    } finally {
      second.child.kill("SIGKILL");
      await second.ended;
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

/** An account with two keys. */
async function account({ app }: Installation): Promise<{ caller: Principal; keys: readonly string[] }> {
  const one = await app.access.create({ plan: "pro" });
  const two = await app.access.create({ account: one.account });
  return { caller: await app.access.identify(one.key), keys: [one.key, two.key] };
}

/** Sends all calls at once, consecutive calls over different transports, keys and servers. Returns the outcomes. */
const race = (servers: readonly string[], keys: readonly string[]): Promise<readonly (string | null)[]> =>
  Promise.all(
    Array.from({ length: CALLS }, async (_, i) => {
      const { request, codeOf } = WAYS[i % WAYS.length]!;
      const authorization = `Bearer ${keys[i % keys.length]}`;
      const server = servers[(i >> 1) % servers.length]!;
      return codeOf(await fetchFromServer(server, { ...request, authorization }));
    }),
  );
