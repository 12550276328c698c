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
import type { Checker } from "./checker.ts";
import { ACCOUNT, SHARE, type WorldPorts } from "./ports.ts";
import type { World } from "./world.ts";

export const trader: Principal = {
  account: ACCOUNT,
  plan: "pro",
  scopes: ["read", "write", "trade:paper", "trade:live"],
};
/** A long signal whose record is good enough to size a live trade by. */
const PLAN: TradePlan = {
  signal: {
    direction: "LONG",
    grade: "A",
    score: 80,
    timeframe: "1d",
    reward_to_risk: 2,
    reason: null,
  },
  stop: 98,
  target: 104,
  record: { n: 4_000, win_rate: 0.6, mean_win_r: 2, mean_loss_r: -1 },
};

/** What came of a request; null where no answer came. */
type Heard<T> = { readonly value: T } | { readonly code: string } | null;

export interface TradingPorts {
  readonly world: World;
  readonly judge: Checker;
  /** Asks the process of now, which may die meanwhile; whoever asks may also lose patience. */
  request<T>(work: (ports: WorldPorts) => Promise<T>, live?: boolean): Promise<Heard<T>>;
  readonly orders: Set<string>;
  readonly connections: readonly Connection[];
}

const TRIES = 5;
const ANYTHING = { symbol: undefined, side: undefined, quantity: undefined };
const pause = ({ world }: TradingPorts): Promise<void> => world.ask({ of: null, effect: () => {} });
const settledIn = ({ state }: Order): boolean => state !== "submitting" && state !== "unknown";

/** Whoever wants trades made and asks again, with the same words, until somebody says what became of them. */
export async function tradeRandomly(town: TradingPorts, number: number): Promise<void> {
  const { world, judge, request, connections, orders } = town;
  const { draw } = world;
  const trades = draw.whole(1, 3);
  for (let trade = 1; trade <= trades; trade++) {
    const connection = draw.one(connections);
    const live = connection.account_type === "live";
    const digits = `${number}${trade}`.padStart(20, "0");
    const asked = TradeRequestSchema.parse({
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
          const wanted = { account: ACCOUNT, digits, instrument: SHARE, trade: asked, plan };
          return (await previewTrade(wanted, line, ports)).ticket_id;
        });
      let heard: Heard<string | null> = null;
      for (let tries = 0; tries < TRIES && (heard === null || !("value" in heard)); tries++)
        heard = await previewed();
      // a ticket that was kept though the answer was lost is tried all the same
      if (heard !== null && "value" in heard && heard.value === null) continue;
      for (let tries = 0; live && tries < 2; tries++)
        await request((ports) =>
          ports.tradeRepository.confirm(ACCOUNT, ticketId, ports.clock.now().toISOString()),
        );
    }
    const once = () =>
      request(async (ports) => {
        const ticket = atOnce
          ? await createPaperTicket(
              { account: ACCOUNT, digits, trade: asked, instrument: SHARE },
              async () => plan,
              ports,
            )
          : await requireTicket(ACCOUNT, ticketId, ANYTHING, ports);
        return executeTicket(ticket, trader, ports);
      }, live);
    for (let tries = 0; tries < TRIES; tries++) {
      const sent = judge.isSent(ticketId);
      const heard = await Promise.all(Array.from({ length: draw.chance(0.25) ? 2 : 1 }, once));
      let sure = false;
      for (const one of heard) if (one !== null && "code" in one) judge.refused(ticketId, one.code, sent);
      for (const one of heard) {
        if (one === null || !("value" in one)) continue;
        const { order } = one.value;
        judge.hears(order);
        orders.add(order.order_id);
        sure ||= settledIn(order);
      }
      if (heard.some((one) => one !== null && "code" in one && one.code === "NOT_FOUND")) break;
      if (sure && draw.chance(0.7)) break;
      await pause(town);
    }
  }
}

/** Whoever has orders read back now and then. */
export async function readRandomly(town: TradingPorts): Promise<void> {
  for (let times = town.world.draw.whole(0, 4); times > 0; times--) {
    for (let waits = town.world.draw.whole(1, 12); waits > 0; waits--) await pause(town);
    const heard = await town.request((ports) => reconcile(ACCOUNT, ports));
    if (heard !== null && "value" in heard) for (const { order } of heard.value) town.judge.hears(order);
  }
}

/** Whoever changes their mind about an order. */
export async function cancelRandomly(town: TradingPorts): Promise<void> {
  for (let times = town.world.draw.whole(0, 3); times > 0; times--) {
    for (let waits = town.world.draw.whole(1, 30); waits > 0; waits--) await pause(town);
    if (town.orders.size === 0) continue;
    const id = town.world.draw.one([...town.orders]);
    const heard = await town.request((ports) => cancelOrder(id, trader, ports));
    if (heard !== null && "value" in heard) town.judge.hears(heard.value);
  }
}

/** Whoever engages the kill switch and releases it again; `stands` is told as soon as it is known to be engaged. */
export async function toggleKillSwitch(
  town: TradingPorts,
  stands: (engaged: boolean) => void,
): Promise<void> {
  const waits = async (least: number, most: number) => {
    for (let left = town.world.draw.whole(least, most); left > 0; left--) await pause(town);
  };
  const set = (engaged: boolean) =>
    town.request((ports) =>
      ports.tradeRules.setKillSwitch(ACCOUNT, {
        engaged,
        since: ports.clock.now().toISOString(),
        reason: null,
      }),
    );
  if (town.world.draw.chance(0.3)) return;
  await waits(1, 60);
  const heard = await set(true);
  if (heard !== null && "value" in heard) stands(true);
  await waits(5, 80);
  stands(false);
  await set(false);
}

/** What a failure is called. */
export const codeOf = (cause: unknown): string => asToolError(cause).code;
