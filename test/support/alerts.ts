import type { AlertFired, Channel, Subscription } from "../../src/domain/alerts/alerts.ts";
import {
  type DeliveryAttempt,
  type DeliveryQueue,
  type DueDelivery,
  NO_RECEIVERS,
} from "../../src/domain/alerts/alerts-port.ts";
import { serializeReceiver } from "../../src/domain/alerts/receiver.ts";

export const SIGNING_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** An alert of a price above 200, number `n` of its subscription. */
export const alertOf = (subscription_id: string, n = 1, over: Partial<AlertFired> = {}): AlertFired => ({
  alert_id: `al_${subscription_id}_${n}`,
  subscription_id,
  symbol: "AAPL",
  timeframe: "1d",
  fired_at: "2026-01-15T14:59:00.000Z",
  as_of: "2026-01-15T14:58:00.000Z",
  text: "AAPL is above 200 USD: 201.5 USD at 2026-01-15T14:58:00.000Z (live from Simulated market).",
  change: null,
  figures: { price: 201.5, level: 200 },
  source: "Simulated market",
  market: "sample",
  ...over,
});

/** An active subscription to a price above 200. */
export const subscriptionOf = (
  subscription_id: string,
  channel: Channel,
  target: string | null,
): Subscription => ({
  subscription_id,
  name: null,
  symbols: ["AAPL"],
  watchlist: null,
  timeframe: "1d",
  condition: { on: "price", changes: [], above: 200, below: null, rule: null },
  channel,
  target,
  created_at: "2026-01-01T00:00:00.000Z",
  state: "active",
  reason: null,
});

/** A stored webhook, encrypted. */
export const webhookAt = (url: string): string =>
  serializeReceiver({ url, signing_secret: SIGNING_SECRET, bot_token: null, chat_id: null });

interface Line {
  readonly due: Omit<DueDelivery, "attempts">;
  state: "waiting" | "sending" | "delivered" | "undelivered";
  attempts: number;
  nextAt: number;
  readonly log: DeliveryAttempt[];
}

/** An in-memory queue that fulfils the port's contract. */
export function memoryQueue() {
  const lines: Line[] = [];
  const paused = new Map<string, string>();
  const isOpen = ({ state }: Line) => state === "waiting" || state === "sending";
  const heads = () => {
    const first = new Map<string, Line>();
    for (const line of lines.filter(isOpen)) {
      const { subscription_id } = line.due.subscription;
      if (!first.has(subscription_id)) first.set(subscription_id, line);
    }
    return [...first.values()];
  };
  const named = (id: string) => lines.find(({ due }) => due.id === id)!;
  const queue: DeliveryQueue = {
    async take(now, limit, leaseMs, full = NO_RECEIVERS) {
      const due = heads()
        .filter(({ nextAt }) => nextAt <= now)
        .filter(({ due: { account, subscription } }) => {
          const host = subscription.target;
          const isFull =
            host !== null &&
            (full.hosts.includes(host) ||
              full.lanes.some((lane) => lane.account === account && lane.host === host));
          return !isFull && !full.accounts.includes(account);
        })
        .slice(0, limit);
      return due.map((line) => {
        line.state = "sending";
        line.nextAt = now + leaseMs;
        return { ...line.due, attempts: line.attempts++ };
      });
    },
    async nextAt() {
      const times = heads().map(({ nextAt }) => nextAt);
      return times.length === 0 ? null : Math.min(...times);
    },
    async delivered(id, attempt) {
      named(id).log.push(attempt);
      named(id).state = "delivered";
    },
    async failed(id, attempt, next, pause) {
      const line = named(id);
      line.log.push(attempt);
      line.state = next === null ? "undelivered" : "waiting";
      line.nextAt = next ?? 0;
      if (pause !== undefined) paused.set(line.due.subscription.subscription_id, pause);
    },
  };
  return {
    queue,
    lines,
    paused,
    add(due: Omit<DueDelivery, "attempts">, at: number) {
      lines.push({ due, state: "waiting", attempts: 0, nextAt: at, log: [] });
    },
    states: () => Object.fromEntries(lines.map(({ due, state }) => [due.id, state])),
  };
}
