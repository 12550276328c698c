import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { compile } from "../support/compiled.ts";
import { launch, type Program } from "../support/program.ts";
import { faultyReceiver } from "./delivery-receiver.ts";
import { alertIdOf, createDeliveryServer, PACE, subscriber } from "./delivery-server.ts";
import { ENGINE, openPlace, SERVERS } from "./place.ts";
import type { Proof } from "./proof.ts";

const SIZES = {
  quick: { subscriptions: 20, changes: 80, kills: 1, pauseMs: 15 },
  full: { subscriptions: 1_000, changes: 10_000, kills: 50, pauseMs: 8 },
} as const;
const WORKER = "test/proofs/delivery-worker.ts";
const PATIENCE_MS = 600_000;

type Receiver = Awaited<ReturnType<typeof faultyReceiver>>;
type DeliveryServer = Awaited<ReturnType<typeof createDeliveryServer>>;

/** Delivers a steady flow of alerts to receivers that fail in every way, with and without kills. */
export const deliveries: Proof = {
  name: "deliveries",
  claim:
    "Each alert is delivered once, by its id, or logged as undelivered, however receivers fail and processes die",

  async run({ scale, seed, report }) {
    const size = SIZES[scale];
    const calm = await unbroken(size, seed, report);
    const killed = await throughKills(size, seed, report);
    return { figure: `${calm.figure}; ${killed.figure}`, broken: [...calm.broken, ...killed.broken] };
  },
};

type Size = (typeof SIZES)[keyof typeof SIZES];
type Report = (line: string) => void;

async function unbroken({ subscriptions, changes, pauseMs }: Size, seed: number, report: Report) {
  const place = await openPlace();
  const hook = await faultyReceiver(seed);
  const server = await createDeliveryServer(place.env(), hook.port);
  const noticed = new Map<string, number>();
  try {
    await server.subscribe(subscriptions);
    server.begin();
    for (let n = 0; n < changes; n++) {
      noticed.set(alertIdOf(n), Date.now());
      await server.notice(n, subscriptions);
      await sleep(pauseMs);
      if ((n + 1) % 1_000 === 0)
        report(`${n + 1} changes noticed, ${hook.taken.size} alerts pending or delivered`);
    }
    await settled(server);
    const { counts, broken } = await judged(server, hook, { changes, subscriptions });
    const waits = [...hook.taken]
      .filter(([, { accepted }]) => accepted > 0)
      .map(([id, { firstAt }]) => firstAt - noticed.get(id)!)
      .sort((a, b) => a - b);
    const at = (share: number) => waits[Math.floor(share * (waits.length - 1))];
    return {
      figure: `${subscriptions} subscriptions, ${changes} changes: ${counts}, from detection to delivery median ${at(0.5)} ms, p95 ${at(0.95)} ms (retries after ${PACE.retriesMs.join(", ")} ms)`,
      broken,
    };
  } finally {
    await server.close();
    await hook.close();
    place.remove();
  }
}

/** Kills the only worker of a data folder, or one of two on PostgreSQL, in turn; one of them delivers, both write. */
async function throughKills({ subscriptions, changes, kills, pauseMs }: Size, seed: number, report: Report) {
  const place = await openPlace();
  const hook = await faultyReceiver(seed + 1);
  const built = await compile({ scripts: [WORKER] });
  const worker = (n: number) => {
    const args = [JSON.stringify(place.failingEnv(n)), hook.port, subscriptions, changes, pauseMs].map(
      String,
    );
    return launch([...built.script(WORKER), ...args], {});
  };
  const broken: string[] = [];
  const acknowledged = new Set<number>();
  /** Each kill happens after a number of changes of at most `share`, plus a delay in milliseconds. */
  const share = Math.floor(changes / (kills + 1));
  const moments = fc.sample(fc.tuple(fc.integer({ min: 1, max: share }), fc.nat({ max: 30 })), {
    numRuns: kills,
    seed,
  });
  const running = Array.from({ length: SERVERS }, (_, n) => worker(n));
  const readAll = ({ seen }: Program) => {
    for (const [, n] of seen.out.slice(0, seen.out.lastIndexOf("\n") + 1).matchAll(/^done (\d+)$/gm))
      acknowledged.add(Number(n));
  };
  try {
    const before = await createDeliveryServer(place.env(), hook.port);
    await before.subscribe(subscriptions);
    await before.close();
    for (const { child } of running) child.stdin.write("go\n");
    for (const [i, [after, ms]] of moments.entries()) {
      const killed = i % SERVERS;
      const one = running[killed]!;
      const next = worker(killed); // starts while the current one runs
      running[killed] = next;
      while (one.seen.out.split("done ").length <= after && one.child.exitCode === null) await sleep(1);
      await sleep(ms);
      one.child.kill("SIGKILL");
      if ((await one.ended) !== "SIGKILL") broken.push(`the worker ended by itself: ${one.seen.err}`);
      readAll(one);
      next.child.stdin.write("go\n");
      if ((i + 1) % 10 === 0) report(`${i + 1} kills, ${acknowledged.size} changes acknowledged`);
    }
    for (const last of running) {
      if ((await last.ended) !== 0) broken.push(`the last worker failed: ${last.seen.err}`);
      readAll(last);
    }
    const server = await createDeliveryServer(place.env(), hook.port);
    const result = await judged(server, hook, { changes, subscriptions });
    await server.close();
    if (acknowledged.size > changes) broken.push(`${acknowledged.size} changes acknowledged of ${changes}`);
    return {
      figure: `${ENGINE}: ${kills} kills, ${place.failures()} failures of the database: ${result.counts}`,
      broken: [...broken, ...result.broken],
    };
  } finally {
    for (const { child, ended } of running) {
      child.kill("SIGKILL");
      await ended;
    }
    built.remove();
    await hook.close();
    place.remove();
  }
}

async function settled(server: DeliveryServer): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS && (await server.open()) > 0; waited += 20) await sleep(20);
}

/** Compares the stored state of every alert with what the receiver accepted. */
async function judged(
  server: DeliveryServer,
  { taken, order, unsigned }: Receiver,
  { changes, subscriptions }: { readonly changes: number; readonly subscriptions: number },
) {
  const broken = unsigned.map((id) => `${id} came without a right signature`);
  const states = new Map<string, { readonly state: string; readonly attempts: number }>();
  for (const { alert, ...state } of await server.states()) {
    if (states.has(alert)) broken.push(`${alert} is in the queue twice`);
    states.set(alert, state);
  }
  const count = { delivered: 0, undelivered: 0, lost: 0, unread: 0 };
  for (let n = 0; n < changes; n++) {
    const id = alertIdOf(n);
    const { state = "missing", attempts = 0 } = states.get(id) ?? {};
    const { accepted = 0 } = taken.get(id) ?? {};
    if (state === "delivered") count.delivered++;
    else if (state === "undelivered") count.undelivered++;
    // The response came too late or to a dead process, and no later attempt succeeded.
    if (state === "undelivered" && accepted > 0) count.unread++;
    const isLost = state === "delivered" ? accepted === 0 : state !== "undelivered" || attempts === 0;
    if (isLost) {
      count.lost++;
      broken.push(
        `change ${n}: ${id} is ${state} after ${attempts} attempts and was accepted ${accepted} times`,
      );
    }
  }
  for (const id of taken.keys())
    if (!states.has(id)) broken.push(`${id} was received and is not in the queue`);
  const place = new Map(Array.from({ length: changes }, (_, n) => [alertIdOf(n), n] as const));
  for (let n = 0; n < subscriptions; n++) {
    const places = (order.get(`/${n}`) ?? []).map((id) => place.get(id) ?? -1);
    if (places.some((one, i) => i > 0 && one < places[i - 1]!))
      broken.push(`subscription ${subscriber(n).id} received alerts out of order: ${places.join(", ")}`);
  }
  const repeats = [...taken.values()].reduce((sum, { accepted }) => sum + Math.max(0, accepted - 1), 0);
  const counts = `${count.delivered} alerts delivered, ${count.undelivered} logged undelivered (${count.unread} of them accepted without the answer being readAll), ${count.lost} lost, ${repeats} times a webhook-id came again that was accepted before`;
  return { counts, broken };
}
