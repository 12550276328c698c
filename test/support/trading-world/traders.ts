import type { Principal } from "../../../src/domain/accounts/access.ts";
import { TradeRequestSchema } from "../../../src/domain/trading/preview.ts";
import type { Connection, Order } from "../../../src/domain/trading/trading.ts";
import { cancelOrder } from "../../../src/features/trading/cancel.ts";
import { executeTicket } from "../../../src/features/trading/execute.ts";
import { previewTrade } from "../../../src/features/trading/preview.ts";
import { reconcile } from "../../../src/features/trading/reconcile.ts";
import { resolveConnection } from "../../../src/features/trading/resolve-connection.ts";
import type { TradePlan } from "../../../src/features/trading/size.ts";
import { createPaperTicket, requireTicket } from "../../../src/features/trading/ticket.ts";
import { asToolError } from "../../../src/kernel/errors.ts";
import { climbingBars } from "../market.ts";
import type { Checker } from "./checker.ts";
import { ACCOUNT, SHARE, type WorldPorts } from "./ports.ts";
import type { World } from "./world.ts";

export const trader: Principal = {
  account: ACCOUNT,
  plan: "pro",
  scopes: ["read", "write", "trade:paper", "trade:live"],
};
/** A long signal that live trades follow. */
const PLAN: TradePlan = {
  bars: climbingBars({ count: 1 }),
  signal: {
    direction: "LONG",
    grade: "A",
    score: 80,
    timeframe: "1d",
    reward_to_risk: 2,
    reason: null,
  },
  entry: { low: 99.5, high: 100.5 },
  stop: 98,
  target: 104,
  record: { n: 4_000, win_rate: 0.6, mean_win_r: 2, mean_loss_r: -1 },
};

/** Result or error code of a request; null if no response came. */
type Outcome<T> = { readonly value: T } | { readonly code: string } | null;

export interface Simulation {
  readonly world: World;
  readonly checker: Checker;
  /** Runs work in the current process, which may die during it; the caller may also give up waiting. */
  request<T>(work: (ports: WorldPorts) => Promise<T>, live?: boolean): Promise<Outcome<T>>;
  readonly orders: Set<string>;
  readonly connections: readonly Connection[];
}

const TRIES = 5;
const ANYTHING = { symbol: undefined, side: undefined, quantity: undefined };
const pause = ({ world }: Simulation): Promise<void> => world.schedule({ of: null, effect: () => {} });
const settledIn = ({ state }: Order): boolean => state !== "submitting" && state !== "unknown";

/** A trader that retries each trade with the same input until its outcome is known. */
export async function tradeRandomly(simulation: Simulation, number: number): Promise<void> {
  const { world, checker, request, connections, orders } = simulation;
  const { draw } = world;
  const trades = draw.whole(1, 3);
  for (let trade = 1; trade <= trades; trade++) {
    const connection = draw.one(connections);
    const live = connection.account_type === "live";
    const digits = `${number}${trade}`.padStart(20, "0");
    const input = TradeRequestSchema.parse({
      connection_id: connection.connection_id,
      ...(!live && { side: draw.one(["buy", "sell"]), quantity: "2" }),
      ...(draw.chance(0.4) && !live && { type: "limit", limit_price: "100" }),
    });
    const atOnce = !live && draw.chance(0.4);
    const plan = live ? PLAN : null;
    const ticketId = `tk_${digits}`;
    if (!atOnce) {
      const previewed = () =>
        request(async (ports) => {
          const line = await resolveConnection(ports, ACCOUNT, connection.connection_id);
          const wanted = { account: ACCOUNT, digits, instrument: SHARE, trade: input, plan };
          return (await previewTrade(wanted, line, ports)).ticket_id;
        });
      let outcome: Outcome<string | null> = null;
      for (let tries = 0; tries < TRIES && (outcome === null || !("value" in outcome)); tries++)
        outcome = await previewed();
      // a ticket that was saved although its response was lost is still used
      if (outcome !== null && "value" in outcome && outcome.value === null) continue;
      for (let tries = 0; live && tries < 2; tries++)
        await request((ports) =>
          ports.tradeRepository.confirm(ACCOUNT, ticketId, ports.clock.now().toISOString()),
        );
    }
    const once = () =>
      request(async (ports) => {
        const ticket = atOnce
          ? await createPaperTicket(
              { account: ACCOUNT, digits, trade: input, instrument: SHARE },
              async () => plan,
              ports,
            )
          : await requireTicket(ACCOUNT, ticketId, ANYTHING, ports);
        return executeTicket(ticket, trader, ports);
      }, live);
    for (let tries = 0; tries < TRIES; tries++) {
      const sent = checker.isSent(ticketId);
      const outcomes = await Promise.all(Array.from({ length: draw.chance(0.25) ? 2 : 1 }, once));
      let sure = false;
      for (const outcome of outcomes)
        if (outcome !== null && "code" in outcome) checker.refused(ticketId, outcome.code, sent);
      for (const outcome of outcomes) {
        if (outcome === null || !("value" in outcome)) continue;
        const { order } = outcome.value;
        checker.orderReported(order);
        orders.add(order.order_id);
        sure ||= settledIn(order);
      }
      if (outcomes.some((outcome) => outcome !== null && "code" in outcome && outcome.code === "NOT_FOUND"))
        break;
      if (sure && draw.chance(0.7)) break;
      await pause(simulation);
    }
  }
}

/** Reconciles the account's orders from time to time. */
export async function readRandomly(simulation: Simulation): Promise<void> {
  for (let times = simulation.world.draw.whole(0, 4); times > 0; times--) {
    for (let waits = simulation.world.draw.whole(1, 12); waits > 0; waits--) await pause(simulation);
    const outcome = await simulation.request((ports) => reconcile(ACCOUNT, ports));
    if (outcome !== null && "value" in outcome)
      for (const { order } of outcome.value) simulation.checker.orderReported(order);
  }
}

/** Cancels random orders. */
export async function cancelRandomly(simulation: Simulation): Promise<void> {
  for (let times = simulation.world.draw.whole(0, 3); times > 0; times--) {
    for (let waits = simulation.world.draw.whole(1, 30); waits > 0; waits--) await pause(simulation);
    if (simulation.orders.size === 0) continue;
    const id = simulation.world.draw.one([...simulation.orders]);
    const outcome = await simulation.request((ports) => cancelOrder(id, trader, ports));
    if (outcome !== null && "value" in outcome) simulation.checker.orderReported(outcome.value);
  }
}

/** Engages the kill switch and releases it; `onEngaged` is called once it is known to be engaged, and before its release. */
export async function toggleKillSwitch(
  simulation: Simulation,
  onEngaged: (engaged: boolean) => void,
): Promise<void> {
  const pauses = async (min: number, max: number) => {
    for (let left = simulation.world.draw.whole(min, max); left > 0; left--) await pause(simulation);
  };
  const set = (engaged: boolean) =>
    simulation.request((ports) =>
      ports.tradeRules.setKillSwitch(ACCOUNT, {
        engaged,
        since: ports.clock.now().toISOString(),
        reason: null,
      }),
    );
  if (simulation.world.draw.chance(0.3)) return;
  await pauses(1, 60);
  const outcome = await set(true);
  if (outcome !== null && "value" in outcome) onEngaged(true);
  await pauses(5, 80);
  onEngaged(false);
  await set(false);
}

/** Error code of a failure. */
export const codeOf = (cause: unknown): string => asToolError(cause).code;
