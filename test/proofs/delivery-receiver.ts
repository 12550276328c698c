import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { SIGNING_SECRET } from "../support/alerts.ts";
import { type ReceivedRequest, receiver, status } from "../support/receiver.ts";
import { isSigned } from "../support/webhook.ts";

/** One in this many receivers always fails. */
const DEAD = 50;

/** Deliveries of one message: attempts, time of the first success, and number of successes. */
export interface ReceivedAlert {
  came: number;
  accepted: number;
  firstAt: number;
}

/** A receiver that fails, hangs, disconnects, is slow or rate-limits at random from a seed, and counts by webhook-id. */
export async function faultyReceiver(seed: number) {
  const taken = new Map<string, ReceivedAlert>();
  /** Ids of each subscription in the order of their first acceptance. */
  const order = new Map<string, string[]>();
  const unsigned: string[] = [];
  const drawn = (text: string) =>
    createHash("sha256").update(`${seed} ${text}`).digest().readUInt32BE() / 2 ** 32;

  function accept(response: ServerResponse, got: ReceivedRequest, id: string, one: ReceivedAlert): void {
    if (response.destroyed) return;
    if (one.accepted === 0) {
      one.firstAt = Date.now();
      order.set(got.path, [...(order.get(got.path) ?? []), id]);
    }
    one.accepted++;
    status(204)(response, got, 0);
  }

  const server = await receiver((response, got) => {
    const id = String(got.headers["webhook-id"]);
    if (!isSigned(got, SIGNING_SECRET)) unsigned.push(id);
    const one = taken.get(id) ?? { came: 0, accepted: 0, firstAt: 0 };
    taken.set(id, one);
    one.came++;
    const number = Number(got.path.slice(1));
    if (number % DEAD === DEAD - 1) return status(number % 2 === 0 ? 404 : 500)(response, got, 0);
    const draw = drawn(`${id} ${one.came}`);
    if (draw < 0.06) return status(500)(response, got, 0);
    if (draw < 0.09) return status(429, { "retry-after": "1" })(response, got, 0);
    if (draw < 0.11) return; // hangs
    if (draw < 0.14) return void response.destroy();
    if (draw < 0.2) return void setTimeout(() => accept(response, got, id, one), 100);
    accept(response, got, id, one);
  });
  return { ...server, taken, order, unsigned };
}
