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
  type TradingPorts,
  toggleKillSwitch,
  tradeRandomly,
} from "./traders.ts";
import { createWorld } from "./world.ts";

const START = Date.UTC(2026, 0, 15, 15);
const STEPS = 1_500;
const HOUR = 3_600_000;
/** What the product takes for granted: within a minute an order has arrived and is found, or never will be. */
export const DELAYS: BrokerDelays = { arrives: 20_000, shows: 20_000, lies: false };
const FAIR: BrokerFaults = {
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

/** What one world came to. */
export interface SimulationResult {
  readonly broken: readonly string[];
  readonly orders: number;
  readonly sent: number;
  readonly crashes: number;
  readonly steps: number;
  readonly told: Readonly<Record<string, number>>;
}

/** Some of what can go wrong, each in its own measure: what never meets in one world meets in another. */
function weatherOf(draw: Draw): BrokerFaults {
  const some = (most: number) => (draw.chance(0.5) ? draw.next() * most : 0);
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

const spell = (draw: Draw): number => {
  const of = draw.next();
  if (of < 0.7) return draw.whole(1, 500);
  if (of < 0.88) return draw.whole(500, 5_000);
  if (of < 0.94) return draw.whole(5_000, 20_000);
  return of < 0.98 ? draw.whole(20_000, 90_000) : draw.whole(90_000, 400_000);
};

/** Plays the world of a seed to its end: the same seed is the same world, whatever was played before. */
export async function simulate(
  db: Kysely<Schema>,
  seed: number,
  patience: BrokerDelays = DELAYS,
): Promise<SimulationResult> {
  const world = createWorld(seed, START);
  const { draw } = world;
  const name = `world ${seed}`;
  let weather = weatherOf(draw);
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
    connections.map(({ connection_id }) => [connection_id, faultyBroker(world, () => weather, patience)]),
  );
  await forget(db, name);
  await keepConnections(db, ACCOUNT, connections);
  const book = tradeRepository({ db, market: name });
  const rules = tradeRules({ db, defaults: { ...DEFAULT_LIMITS, max_orders_a_minute: 50 } });
  const judge = createChecker(world, book, brokers);
  let engaged = false;
  let dirty = false;
  const refusals: Record<string, number> = {};

  const request: TradingPorts["request"] = (work, live = false) => {
    const process = world.process();
    const before = engaged;
    const trace: Trace = {
      live,
      stopped: () => before && engaged,
      stands: () => engaged,
      sawStopped: false,
      written: [],
    };
    const ports = portsOf(world, process, {
      book,
      rules,
      trace,
      connections,
      brokers,
      market: name,
      weather: () => weather,
      begun: judge.begun,
      sending: judge.sending,
      kept: judge.kept,
      wrote() {
        dirty = true;
      },
    });
    return new Promise((resolve) => {
      const nothing = () => resolve(null);
      process.mourners.add(nothing);
      if (weather !== FAIR && draw.chance(0.08)) world.later(nothing, null);
      work(ports)
        .then(
          (value) => resolve({ value }),
          (cause: unknown) => {
            const code = codeOf(cause);
            refusals[code] = (refusals[code] ?? 0) + 1;
            resolve({ code });
          },
        )
        .finally(() => process.mourners.delete(nothing));
    });
  };

  const town: TradingPorts = { world, judge, request, connections, orders: new Set() };
  let busy = 0;
  let steps = 0;
  let crashes = 0;
  const sends = (work: Promise<void>) => {
    busy++;
    void work.finally(() => busy--);
  };
  for (let one = draw.whole(1, 3); one > 0; one--) sends(tradeRandomly(town, one));
  sends(readRandomly(town));
  sends(cancelRandomly(town));
  const stand = (now: boolean) => {
    engaged = now;
  };
  if (kinds.some((kind) => kind === "live")) sends(toggleKillSwitch(town, stand));

  const look = async () => {
    if (dirty) await judge.inspect();
    dirty = false;
  };
  for (; busy > 0 && steps < STEPS; steps++) {
    if (draw.chance(0.08)) await world.pass(spell(draw));
    else if (draw.chance(weather.crash)) {
      await world.crash();
      crashes++;
    } else await world.step();
    if (draw.chance(0.03)) draw.one([...brokers.values()]).trade();
    await look();
  }
  // the weather clears, what is on its way arrives, and everything is read back
  weather = FAIR;
  await world.crash();
  await world.pass(HOUR);
  while (await world.step()) await look();
  for (let round = 0; round < 2; round++) {
    let read = false;
    void request((ports) => reconcile(ACCOUNT, ports)).then((heard) => {
      read = true;
      if (heard !== null && "value" in heard) for (const { order } of heard.value) judge.hears(order);
    });
    while (!read && (await world.step())) await look();
  }
  await judge.inspect();
  await judge.conclude();
  const known = await book.orders(ACCOUNT, { limit: STEPS });
  await forget(db, name);
  await keepConnections(db, ACCOUNT, connections);
  const sent = [...brokers.values()].reduce((sum, one) => sum + one.sent.size, 0);
  return {
    broken: judge.broken,
    orders: known.length,
    sent,
    crashes,
    steps,
    told: { ...judge.told, ...refusals },
  };
}

async function forget(db: Kysely<Schema>, market: string): Promise<void> {
  for (const table of ["trade_orders", "trade_tickets", "trade_equity"] as const)
    await db.deleteFrom(table).where("market", "=", market).execute();
  await db.deleteFrom("kill_switches").execute();
}
