import type { DeliveryAttempt, DeliveryQueue, DueDelivery } from "../../domain/alerts/alerts-port.ts";
import type { OutboundClient, OutgoingResponse } from "../../domain/alerts/outbound-client-port.ts";
import { isPermanentRefusal, receiverIn, secretNameOf } from "../../domain/alerts/receiver.ts";
import type { Clock, Log } from "../../domain/ports.ts";
import type { Secrets } from "../../domain/vault/secrets-port.ts";
import { asToolError } from "../../kernel/errors.ts";
import { formatChannelMessage } from "./channel-message.ts";

/** Between two attempts; after the last one an alert is undelivered. */
const RETRY_DELAYS_MS = [10_000, 60_000, 300_000, 1_800_000, 7_200_000] as const;
/** A receiver may ask to be left alone for so long. */
const MAX_RETRY_AFTER_S = 86_400;
/** Told at once: in all, of one account, to one host, and to a host that did not answer the last time. */
const MAX_CONCURRENT = { all: 16, account: 8, host: 4, silent: 1 } as const;
/** Longer than any attempt takes; what a killed process had taken is taken again after it. */
const LEASE_MS = 30_000;
/** Other processes write into the queue too. */
const POLL_INTERVAL_MS = 5_000;
/** What is under way may end by itself for so long. */
const SHUTDOWN_GRACE_MS = 1_000;
const HTTP_GONE = 410;
const MAX_UNRESPONSIVE_HOSTS = 1_000;

/** The worker that sends what waits. */
export interface DeliveryWorker {
  /** Looks at the queue now. */
  wake(): void;
  /** Sends nothing more, and returns once nothing is under way; what was not answered is sent by the next process. */
  close(): Promise<void>;
}

interface DeliveryOptions {
  readonly queue: DeliveryQueue;
  readonly post: OutboundClient;
  readonly secrets: Pick<Secrets, "open">;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether the alerts of an account are sent now; all are unless said. */
  readonly entitled?: (account: string) => Promise<boolean>;
  readonly leaseMs?: number;
  readonly retriesMs?: readonly number[];
  readonly graceMs?: number;
}

/** What came of one attempt. */
interface AttemptOutcome {
  readonly status: number | null;
  /** Null where it was delivered. */
  readonly reason: string | null;
  /** Whether another attempt may have another outcome. */
  readonly retryable: boolean;
  readonly retryAfter?: number | null;
  readonly pause?: string;
}

/**
 * Sends alerts as they come due, each subscription's in order, and writes down what came of it. A delivery is marked before it
 * is sent and settled after: a process that dies in between sends it again, under the same id.
 */
export function startDeliveries({
  queue,
  post,
  secrets,
  clock,
  log,
  entitled = async () => true,
  leaseMs = LEASE_MS,
  retriesMs = RETRY_DELAYS_MS,
  graceMs = SHUTDOWN_GRACE_MS,
}: DeliveryOptions): DeliveryWorker {
  const stop = new AbortController();
  const underWay = new Map<DueDelivery, Promise<void>>();
  const silent = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;
  let again = false;
  let closed = false;

  async function attempt({ account, subscription, alert }: DueDelivery): Promise<AttemptOutcome> {
    const { subscription_id, channel, condition } = subscription;
    try {
      if (!(await entitled(account)))
        return {
          status: null,
          retryable: false,
          reason: "The plan of the account has no alerts now, or none of its keys is good any more",
        };
      const kept = await secrets.open(account, secretNameOf(subscription_id));
      const receiver = kept === null ? null : receiverIn(kept);
      const message =
        receiver === null
          ? null
          : formatChannelMessage({ alert, on: condition.on, channel, receiver, at: clock.now() });
      if (message === null) return { status: null, reason: "Where it goes is not known", retryable: false };
      return outcomeOf(await post.send({ ...message, signal: stop.signal }));
    } catch (thrown) {
      const { code, message, cause } = asToolError(thrown);
      if (code === "INTERNAL") log.error("delivery", { cause });
      return { status: null, reason: message, retryable: code !== "REFUSED" };
    }
  }

  async function deliver(due: DueDelivery): Promise<void> {
    const began = clock.now();
    const outcome = await attempt(due);
    const { status, reason, pause, retryAfter = null } = outcome;
    const ended = clock.now().getTime();
    const line: DeliveryAttempt = { at: began.toISOString(), status, reason, ms: ended - began.getTime() };
    remember(hostOf(due), status !== null);
    if (reason === null) return queue.delivered(due.id, line);
    if (stop.signal.aborted && status === null)
      return queue.failed(due.id, { ...line, reason: "The server stopped" }, ended);
    const wait = outcome.retryable ? retriesMs[due.attempts] : undefined;
    const asked = Math.min(retryAfter ?? 0, MAX_RETRY_AFTER_S) * 1_000;
    const next = wait === undefined ? null : ended + Math.max(wait, asked);
    if (next === null) log.warn("alert_undelivered", { delivery: due.id, status, reason });
    return queue.failed(due.id, line, next, pause);
  }

  function remember(host: string, answered: boolean): void {
    if (answered) silent.delete(host);
    else if (silent.size < MAX_UNRESPONSIVE_HOSTS) silent.add(host);
  }

  /** Hosts and accounts that have as much under way as they may. */
  function full() {
    const hosts = new Map<string, number>();
    const accounts = new Map<string, number>();
    for (const due of underWay.keys()) {
      count(hosts, hostOf(due));
      count(accounts, due.account);
    }
    return {
      hosts: [...hosts].flatMap(([host, n]) =>
        n >= (silent.has(host) ? MAX_CONCURRENT.silent : MAX_CONCURRENT.host) ? [host] : [],
      ),
      accounts: [...accounts].flatMap(([account, n]) => (n >= MAX_CONCURRENT.account ? [account] : [])),
    };
  }

  async function look(): Promise<void> {
    while (!closed && underWay.size < MAX_CONCURRENT.all) {
      const [due] = await queue.take(clock.now().getTime(), 1, leaseMs, full());
      if (due === undefined) break;
      // it has waited for its turn longer than its lease, and is still ours
      if ([...underWay.keys()].some(({ id }) => id === due.id)) continue;
      const work = deliver(due)
        .catch((cause: unknown) => log.error("deliveries", { cause }))
        .finally(() => {
          underWay.delete(due);
          wake();
        });
      underWay.set(due, work);
    }
  }

  async function lookAndWait(): Promise<void> {
    let wait = POLL_INTERVAL_MS;
    try {
      do {
        again = false;
        await look();
      } while (again && !closed);
      const next = underWay.size >= MAX_CONCURRENT.all ? null : await queue.nextAt();
      // what is due and was not taken waits for a lane
      if (next !== null && next > clock.now().getTime()) wait = Math.min(wait, next - clock.now().getTime());
    } catch (cause) {
      log.error("deliveries", { cause });
    }
    looking = null;
    if (closed) return;
    if (again) wake();
    else timer = setTimeout(wake, wait).unref();
  }

  function wake(): void {
    again = true;
    if (closed || looking !== null) return;
    clearTimeout(timer);
    looking = lookAndWait();
  }

  wake();
  return {
    wake,
    async close() {
      closed = true;
      clearTimeout(timer);
      const late = setTimeout(() => stop.abort(), graceMs);
      await looking;
      await Promise.all(underWay.values());
      clearTimeout(late);
    },
  };
}

/** Receivers without a host of their own share their channel's. */
const hostOf = ({ subscription: { target, channel } }: DueDelivery): string => target ?? channel;

const count = (counts: Map<string, number>, key: string): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1);

/** What a receiver's answer means. */
function outcomeOf({ status, retryAfter }: OutgoingResponse): AttemptOutcome {
  if (status >= 200 && status < 300) return { status, reason: null, retryable: false };
  if (status === HTTP_GONE)
    return {
      status,
      reason: "The receiver is gone (HTTP 410)",
      retryable: false,
      pause: "The receiver answered that it is gone (HTTP 410). Subscribe anew with another address.",
    };
  const refused = isPermanentRefusal(status);
  const redirects = status >= 300 && status < 400;
  const what = refused ? "refuses it" : redirects ? "redirects, which is not followed" : "failed";
  return { status, reason: `The receiver ${what} (HTTP ${status})`, retryable: !refused, retryAfter };
}
