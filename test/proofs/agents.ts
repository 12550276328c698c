import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { createApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/app/config.ts";
import { compile, serveOn } from "../support/compiled.ts";
import type { Program } from "../support/program.ts";
import { type AgentServer, createAgentServer, type StoredOrder } from "./agent-server.ts";
import { ENGINE, openPlace, SERVERS } from "./place.ts";
import type { Proof } from "./proof.ts";

const KILLS = { quick: 1, full: 50 } as const;
/** Maximum time from listening to the kill, in milliseconds. */
const LATEST_MS = 2_500;
/** Number of agents that stay running after their first run; older ones are stopped. */
const ALIVE = 3;
/** Maximum wait for the last server to catch up, in milliseconds, and the polling interval. */
const PATIENCE_MS = 240_000;
const POLL_MS = 1_000;

/**
 * Repeatedly kills a server whose agents trade on paper, at random times: the only one of a data folder, or one of two on
 * PostgreSQL, in turn.
 */
export const agents: Proof = {
  name: "agents",
  claim:
    "A killed server resumes its agents: each due run happens exactly once or is reported as missed, and nothing is bought twice",

  async run({ scale, seed, report }) {
    const place = await openPlace();
    const built = await compile();
    const app = await createApp(readConfig({ ...place.env(), LOG_LEVEL: "silent" }));
    /** Starts a server, again if PostgreSQL does not answer at that moment. */
    const serve = (n: number): ReturnType<typeof serveOn> =>
      serveOn(built.product, place.failingEnv(n)).catch((cause: unknown) => {
        if (!String(cause).includes("PostgreSQL does not answer")) throw cause;
        return serve(n);
      });
    const stop = async ({ child, ended }: Program, signal: "SIGKILL" | "SIGTERM") => {
      child.kill(signal);
      await ended;
    };
    /** The servers that run, by number. */
    const running = new Map<number, Program>();
    const agentServer = createAgentServer(app);
    const moments = fc.sample(fc.nat({ max: LATEST_MS }), { numRuns: KILLS[scale], seed });
    const started: StoredOrder[] = [];
    let cut = 0;
    try {
      for (const [i, ms] of moments.entries()) {
        started.push(await agentServer.start(`installation-${i}`));
        for (let n = 0; n < SERVERS; n++) if (!running.has(n)) running.set(n, await serve(n));
        await sleep(ms);
        const killed = i % SERVERS;
        await stop(running.get(killed)!, "SIGKILL");
        running.delete(killed);
        cut += await agentServer.cutOff(started);
        await agentServer.stopIdle(started.slice(0, -ALIVE));
        if ((i + 1) % 10 === 0) report(`${i + 1} kills, ${cut} runs cut off`);
      }
      if (running.size === 0) running.set(0, await serve(0));
      const settled = await goesOn(agentServer, started);
      for (const server of running.values()) await stop(server, "SIGTERM");
      const verdicts = await Promise.all(started.map((agent) => agentServer.judge(agent)));
      const sum = (of: (agent: (typeof verdicts)[number]) => number) =>
        verdicts.reduce((all, agent) => all + of(agent), 0);
      return {
        figure: `${ENGINE}: ${moments.length} kills, ${place.failures()} failures of the database, ${cut} runs cut off; ${started.length} agents made ${sum((agent) => agent.runs)} runs, ${sum((agent) => agent.resumed)} of them resumed, covering ${sum((agent) => agent.missed)} missed, and placed ${sum((agent) => agent.orders)} orders`,
        broken: [
          ...(settled ? [] : ["the last server did not end every run that was cut off"]),
          ...verdicts.flatMap(({ broken }) => broken),
        ],
      };
    } finally {
      for (const server of running.values()) await stop(server, "SIGKILL");
      await app.close();
      built.remove();
      place.remove();
    }
  },
};

/** Waits until the last server has resumed all interrupted runs, then stops every agent. Returns false on timeout. */
async function goesOn(agentServer: AgentServer, started: readonly StoredOrder[]): Promise<boolean> {
  for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
    await sleep(POLL_MS);
    if ((await agentServer.cutOff(started)) === 0 && (await agentServer.haveRun(started))) {
      await agentServer.stopIdle(started);
      if ((await agentServer.running(started)) === 0) return true;
    }
  }
  return false;
}
