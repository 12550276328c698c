import type { Kysely } from "kysely";
import { DEFAULT_LIMITS } from "../../../src/analytics/risk/limits.ts";
import type { Connection } from "../../../src/domain/trading/trading.ts";
import { reconcile } from "../../../src/features/trading/reconcile.ts";
import type { Schema } from "../../../src/store/schema.ts";
import { tradeRepository } from "../../../src/store/trading/trade-repository.ts";
import { tradeRules } from "../../../src/store/trading/trade-rules.ts";
import { keepConnections } from "../connection-row.ts";
import { type BrokerDelays, type BrokerFaults, faultyBroker } from "./broker.ts";
import { createChecker } from "./checker.ts";
import type { Draw } from "./draw.ts";
import { ACCOUNT, portsOf, type Trace } from "./ports.ts";
import {
  cancelRandomly,
  codeOf,
  readRandomly,
  type Simulation,
  toggleKillSwitch,
  tradeRandomly,
} from "./traders.ts";
import { createWorld } from "./world.ts";

const START = Date.UTC(2026, 0, 15, 15);
const STEPS = 1_500;
const HOUR = 3_600_000;
/** Delays that the product assumes: an order arrives and can be found within a minute, or never. */
export const DELAYS: BrokerDelays = { arrivesWithin: 20_000, visibleWithin: 20_000, refusesExecuted: false };
const NO_FAULTS: BrokerFaults = {
  lost: 0,
  error: 0,
  lie: 0,
  refuses: 0,
  twice: 0,
  hidden: 0,
  stale: 0,
  store: 0,
  crash: 0,
};

/** Result of one world. */
export interface SimulationResult {
  readonly broken: readonly string[];
  readonly orders: number;
  readonly sent: number;
  readonly crashes: number;
  readonly steps: number;
  readonly states: Readonly<Record<string, number>>;
}

/** Random fault probabilities, about half of them 0, so that worlds combine faults differently. */
function randomFaults(draw: Draw): BrokerFaults {
  const some = (max: number) => (draw.chance(0.5) ? draw.next() * max : 0);
  return {
    lost: some(0.15),
    error: some(0.1),
    lie: some(0.3),
    refuses: some(0.3),
    twice: some(0.4),
    hidden: some(0.8),
    stale: some(0.4),
    store: some(0.05),
    crash: some(0.015),
  };
}

const randomPause = (draw: Draw): number => {
  const of = draw.next();
  if (of < 0.7) return draw.whole(1, 500);
  if (of < 0.88) return draw.whole(500, 5_000);
  if (of < 0.94) return draw.whole(5_000, 20_000);
  return of < 0.98 ? draw.whole(20_000, 90_000) : draw.whole(90_000, 400_000);
};

/** Simulates the world of a seed to its end. Deterministic per seed. */
export async function simulate(
  db: Kysely<Schema>,
  seed: number,
  delays: BrokerDelays = DELAYS,
): Promise<SimulationResult> {
  const world = createWorld(seed, START);
  const { draw } = world;
  const name = `world ${seed}`;
  let faults = randomFaults(draw);
  const kinds = draw.one([["paper"], ["paper", "live"], ["live"]] as const);
  const connections = kinds.map(
    (kind, i): Connection => ({
      connection_id: `cn_${String(i + 1).repeat(20)}`,
      broker: "paper",
      account_type: kind,
      account_mask: "4242",
      market: name,
      connected_at: world.clock.now().toISOString(),
      checked_at: world.clock.now().toISOString(),
    }),
  );
  const brokers = new Map(
    connections.map(({ connection_id }) => [connection_id, faultyBroker(world, () => faults, delays)]),
  );
  await forget(db, name);
  await keepConnections(db, ACCOUNT, connections);
  const repository = tradeRepository({ db, market: name });
  const rules = tradeRules({ db, defaults: { ...DEFAULT_LIMITS, max_orders_a_minute: 50 } });
  const checker = createChecker(world, repository, brokers);
  let killSwitch = false;
  let dirty = false;
  const refusals: Record<string, number> = {};

  const request: Simulation["request"] = (work, live = false) => {
    const process = world.process();
    const before = killSwitch;
    const trace: Trace = {
      live,
      engagedSinceStart: () => before && killSwitch,
      engagedNow: () => killSwitch,
      sawEngaged: false,
      written: [],
    };
    const ports = portsOf(world, process, {
      repository,
      rules,
      trace,
      connections,
      brokers,
      market: name,
      faults: () => faults,
      begun: checker.begun,
      sending: checker.sending,
      ticketSaved: checker.ticketSaved,
      wrote() {
        dirty = true;
      },
    });
    return new Promise((resolve) => {
      const noResponse = () => resolve(null);
      process.onDeath.add(noResponse);
      if (faults !== NO_FAULTS && draw.chance(0.08)) world.later(noResponse, null);
      work(ports)
        .then(
          (value) => resolve({ value }),
          (cause: unknown) => {
            const code = codeOf(cause);
            refusals[code] = (refusals[code] ?? 0) + 1;
            resolve({ code });
          },
        )
        .finally(() => process.onDeath.delete(noResponse));
    });
  };

  const simulation: Simulation = { world, checker, request, connections, orders: new Set() };
  let busy = 0;
  let steps = 0;
  let crashes = 0;
  const sends = (work: Promise<void>) => {
    busy++;
    void work.finally(() => busy--);
  };
  for (let number = draw.whole(1, 3); number > 0; number--) sends(tradeRandomly(simulation, number));
  sends(readRandomly(simulation));
  sends(cancelRandomly(simulation));
  const setKnown = (engaged: boolean) => {
    killSwitch = engaged;
  };
  if (kinds.some((kind) => kind === "live")) sends(toggleKillSwitch(simulation, setKnown));

  const inspectIfWritten = async () => {
    if (dirty) await checker.inspect();
    dirty = false;
  };
  for (; busy > 0 && steps < STEPS; steps++) {
    if (draw.chance(0.08)) await world.pass(randomPause(draw));
    else if (draw.chance(faults.crash)) {
      await world.crash();
      crashes++;
    } else await world.step();
    if (draw.chance(0.03)) draw.one([...brokers.values()]).fillOne();
    await inspectIfWritten();
  }
  // faults end, requests in flight arrive, and all orders are reconciled
  faults = NO_FAULTS;
  await world.crash();
  await world.pass(HOUR);
  while (await world.step()) await inspectIfWritten();
  for (let round = 0; round < 2; round++) {
    let read = false;
    void request((ports) => reconcile(ACCOUNT, ports)).then((outcome) => {
      read = true;
      if (outcome !== null && "value" in outcome)
        for (const { order } of outcome.value) checker.orderReported(order);
    });
    while (!read && (await world.step())) await inspectIfWritten();
  }
  await checker.inspect();
  await checker.conclude();
  const known = await repository.orders(ACCOUNT, { limit: STEPS });
  await forget(db, name);
  await keepConnections(db, ACCOUNT, connections);
  const sent = [...brokers.values()].reduce((sum, one) => sum + one.sent.size, 0);
  return {
    broken: checker.broken,
    orders: known.length,
    sent,
    crashes,
    steps,
    states: { ...checker.reportedStates, ...refusals },
  };
}

async function forget(db: Kysely<Schema>, market: string): Promise<void> {
  for (const table of ["trade_orders", "trade_tickets", "trade_equity"] as const)
    await db.deleteFrom(table).where("market", "=", market).execute();
  await db.deleteFrom("kill_switches").execute();
}
