import { tablesInMemory } from "../support/trading-world/memory.ts";
import { simulate } from "../support/trading-world/simulate.ts";
import type { Proof } from "./proof.ts";

const WORLDS = { quick: 80, full: 10_000 } as const;

/** Worlds of seeds in which brokers, stores, networks and processes fail in every order, played on a clock of their own. */
export const orders: Proof = {
  name: "orders",
  claim:
    "A ticket becomes one order at the most, and nobody is told what is not so, whatever fails on the way and when",

  async run({ scale, seed, seeds, report }) {
    const db = await tablesInMemory();
    const worlds = seeds ?? WORLDS[scale];
    const broken: string[] = [];
    const failed: number[] = [];
    const sum = { orders: 0, sent: 0, crashes: 0, steps: 0 };
    const told: Record<string, number> = {};
    try {
      for (let world = seed; world < seed + worlds; world++) {
        const played = await simulate(db, world);
        if (played.broken.length > 0) failed.push(world);
        broken.push(...played.broken.map((fault) => `seed ${world}: ${fault}`));
        for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += played[name];
        for (const [state, times] of Object.entries(played.told)) told[state] = (told[state] ?? 0) + times;
        if ((world - seed + 1) % 1_000 === 0) report(`${world - seed + 1} worlds, ${failed.length} failed`);
      }
    } finally {
      await db.destroy();
    }
    const states = Object.entries(told).map(([state, times]) => `${times} ${state}`);
    return {
      figure: `${worlds} worlds from seed ${seed}: ${sum.steps} steps, ${sum.crashes} crashes, ${sum.orders} orders of which ${sum.sent} were sent, ${states.join(", ")} told; ${failed.length} worlds failed${failed.length === 0 ? "" : ` (run again by --seed ${failed[0]})`}`,
      broken,
    };
  },
};
