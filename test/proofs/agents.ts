import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { createApp } from "../../src/app/app.ts";
import { readConfig } from "../../src/app/config.ts";
import { compile, serveOn } from "../support/compiled.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { type AgentServer, createAgentServer, type StoredOrder } from "./agent-server.ts";
import type { Proof } from "./proof.ts";

const KILLS = { quick: 1, full: 50 } as const;
/** The latest that a server is killed after it began to listen. */
const LATEST_MS = 2_500;
/** Agents that go on running once they have run; older ones are stopped. */
const ALIVE = 3;
/** For the last server to make what all of them were kept from, and how often it is looked at. */
const PATIENCE_MS = 240_000;
const LOOK_MS = 1_000;

/** Servers whose agents trade on paper and that are killed at any moment, over and over on one data folder. */
export const agents: Proof = {
  name: "agents",
  claim:
    "A killed server resumes its agents: each run that was due is made exactly once or told as missed, and nothing is bought twice",

  async run({ scale, seed, report }) {
    const { dir, remove } = suiteDir();
    const env = { DATA_DIR: `${dir}/data`, HOME: dir, MARKET_DATA: "sample" };
    const built = compile();
    const app = await createApp(readConfig({ ...env, LOG_LEVEL: "silent" }));
    const house = createAgentServer(app);
    const moments = fc.sample(fc.nat({ max: LATEST_MS }), { numRuns: KILLS[scale], seed });
    const kept: StoredOrder[] = [];
    let cut = 0;
    try {
      for (const [i, ms] of moments.entries()) {
        kept.push(await house.start(`desk-${i}`));
        const server = await serveOn(built.product, env);
        await sleep(ms);
        server.child.kill("SIGKILL");
        await server.ended;
        cut += await house.cutOff(kept);
        await house.stopIdle(kept.slice(0, -ALIVE));
        if ((i + 1) % 10 === 0) report(`${i + 1} kills, ${cut} runs cut off`);
      }
      const server = await serveOn(built.product, env);
      const settled = await goesOn(house, kept);
      server.child.kill("SIGTERM");
      await server.ended;
      const verdicts = await Promise.all(kept.map((one) => house.judge(one)));
      const sum = (of: (one: (typeof verdicts)[number]) => number) =>
        verdicts.reduce((all, one) => all + of(one), 0);
      return {
        figure: `${moments.length} kills, ${cut} runs cut off; ${kept.length} agents made ${sum((one) => one.runs)} runs, ${sum((one) => one.resumed)} of them resumed, which stand for ${sum((one) => one.missed)} missed, and placed ${sum((one) => one.orders)} orders`,
        broken: [
          ...(settled ? [] : ["the last server did not end every run that was cut off"]),
          ...verdicts.flatMap(({ broken }) => broken),
        ],
      };
    } finally {
      await app.close();
      built.remove();
      remove();
    }
  },
};

/** Lets the last server go on with whatever was cut off, and then stops every agent; false where that takes too long. */
async function goesOn(house: AgentServer, kept: readonly StoredOrder[]): Promise<boolean> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    await sleep(LOOK_MS);
    if ((await house.cutOff(kept)) === 0 && (await house.haveRun(kept))) {
      await house.stopIdle(kept);
      if ((await house.running(kept)) === 0) return true;
    }
  }
  return false;
}
