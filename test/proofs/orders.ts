import { openMemoryStore } from "../support/store.ts";
import { simulate } from "../support/trading-world/simulate.ts";
import type { Proof } from "./proof.ts";

const WORLDS = { quick: 80, full: 10_000 } as const;

/** Simulates worlds in which brokers, stores, networks and processes fail in any order, on a simulated clock. */
export const orders: Proof = {
  name: "orders",
  claim: "A ticket becomes at most one order, and no report is wrong, whatever fails and when",

  async run({ scale, seed, seeds, report }) {
    const { db, close } = await openMemoryStore();
    const worlds = seeds ?? WORLDS[scale];
    const broken: string[] = [];
    const failed: number[] = [];
    const sum = { orders: 0, sent: 0, crashes: 0, steps: 0 };
    const timesOf: Record<string, number> = {};
    try {
      for (let world = seed; world < seed + worlds; world++) {
        const played = await simulate(db, world);
        if (played.broken.length > 0) failed.push(world);
        broken.push(...played.broken.map((fault) => `seed ${world}: ${fault}`));
        for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += played[name];
        for (const [state, times] of Object.entries(played.states))
          timesOf[state] = (timesOf[state] ?? 0) + times;
        if ((world - seed + 1) % 1_000 === 0) report(`${world - seed + 1} worlds, ${failed.length} failed`);
      }
    } finally {
      await close();
    }
    const states = Object.entries(timesOf).map(([state, times]) => `${times} ${state}`);
    return {
      figure: `${worlds} worlds from seed ${seed}: ${sum.steps} steps, ${sum.crashes} crashes, ${sum.orders} orders of which ${sum.sent} were sent, ${states.join(", ")} states; ${failed.length} worlds failed${failed.length === 0 ? "" : ` (run again by --seed ${failed[0]})`}`,
      broken,
    };
  },
};
