import {
  type DeliveryAttempt,
  type DeliveryQueue,
  type DueDelivery,
  MAX_DELIVERY_WAIT_MS,
  type SaturatedReceivers,
} from "../../domain/alerts/alerts-port.ts";
import type { Mailer } from "../../domain/alerts/mail-port.ts";
import type { OutboundClient, OutgoingResponse } from "../../domain/alerts/outbound-client-port.ts";
import { isPermanentRefusal, parseReceiver, secretNameOf } from "../../domain/alerts/receiver.ts";
import type { Clock, Log } from "../../domain/ports.ts";
import { type Tracer, traced } from "../../domain/tracing-port.ts";
import type { Secrets } from "../../domain/vault/secrets-port.ts";
import { asToolError } from "../../kernel/errors.ts";
import { formatChannelMessage, formatMail } from "./channel-message.ts";

/** Delays between attempts, in milliseconds; after the last attempt an alert is undelivered. */
const RETRY_DELAYS_MS = [10_000, 60_000, 300_000, 1_800_000, 7_200_000] as const;
/**
 * Maximum concurrent deliveries: in total, per account, per host, per host of one account, and per host that did not
 * respond to the account last time. The queue is our own, because these limits change with each response.
 */
const MAX_CONCURRENT = { all: 32, account: 8, host: 12, lane: 4, unresponsiveLane: 1 } as const;
/** Lease of a delivery, longer than any attempt; when it expires, another process may deliver the alert. */
const LEASE_MS = 30_000;
/** Polling interval of the queue, which other processes may add to. */
const POLL_INTERVAL_MS = 5_000;
/** Time that running deliveries have to finish at shutdown. */
const SHUTDOWN_GRACE_MS = 1_000;
const HTTP_GONE = 410;
const MAX_UNRESPONSIVE_LANES = 1_000;

export interface DeliveryWorker {
  /** Checks the queue now. */
  wake(): void;
  /** Stops sending and waits for running deliveries; the next process sends unfinished ones. */
  close(): Promise<void>;
}

interface DeliveryOptions {
  readonly queue: DeliveryQueue;
  readonly post: OutboundClient;
  /** Sends the alerts of the channel email. Default: they are undelivered. */
  readonly mailer?: Mailer;
  readonly secrets: Pick<Secrets, "open">;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns true when the account may receive alerts. Default: always. */
  readonly hasActiveEntitlement?: (account: string) => Promise<boolean>;
  /** Records each delivery. Default: none is recorded. */
  readonly tracer?: Tracer | undefined;
  readonly leaseMs?: number;
  readonly retriesMs?: readonly number[];
  readonly graceMs?: number;
}

interface AttemptOutcome {
  readonly status: number | null;
  /** null when delivered. */
  readonly reason: string | null;
  /** True when another attempt may succeed. */
  readonly retryable: boolean;
  readonly retryAfter?: number | null;
  readonly pause?: string;
}

/**
 * Sends due alerts, in order within each subscription, and stores the results. A delivery is leased before sending and
 * settled afterwards, so a crash causes it to be sent again under the same id.
 */
export function startDeliveries({
  queue,
  post,
  mailer,
  secrets,
  clock,
  log,
  tracer,
  hasActiveEntitlement = async () => true,
  leaseMs = LEASE_MS,
  retriesMs = RETRY_DELAYS_MS,
  graceMs = SHUTDOWN_GRACE_MS,
}: DeliveryOptions): DeliveryWorker {
  const stop = new AbortController();
  const running = new Map<DueDelivery, Promise<void>>();
  const unresponsive = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | null = null;
  let pollAgain = false;
  let closed = false;

  async function attempt({ account, subscription, alert }: DueDelivery): Promise<AttemptOutcome> {
    const { subscription_id, channel, condition } = subscription;
    try {
      if (!(await hasActiveEntitlement(account)))
        return {
          status: null,
          retryable: false,
          reason: "The account has no valid key, or its plan does not include alerts",
        };
      const secret = await secrets.open(account, secretNameOf(subscription_id));
      const receiver = secret === null ? null : parseReceiver(secret);
      if (channel === "email") {
        const mail = receiver?.email ? formatMail({ alert, on: condition.on, to: receiver.email }) : null;
        if (mail !== null && mailer !== undefined) return mailOutcomeOf(await mailer.send(mail));
      }
      const message =
        receiver === null
          ? null
          : formatChannelMessage({ alert, on: condition.on, channel, receiver, at: clock.now() });
      if (message === null)
        return { status: null, reason: "The receiver is missing or incomplete", retryable: false };
      return outcomeOf(await post.send({ ...message, account, signal: stop.signal }));
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
    const record: DeliveryAttempt = { at: began.toISOString(), status, reason, ms: ended - began.getTime() };
    recordResponse(laneOf(due), status !== null);
    if (reason === null) return queue.delivered(due.id, record);
    if (stop.signal.aborted && status === null)
      return queue.failed(due.id, { ...record, reason: "The server stopped" }, ended);
    const wait = outcome.retryable ? retriesMs[due.attempts] : undefined;
    const retryAfterMs = Math.min((retryAfter ?? 0) * 1_000, MAX_DELIVERY_WAIT_MS);
    const next = wait === undefined ? null : ended + Math.max(wait, retryAfterMs);
    if (next === null) log.warn("alert_undelivered", { delivery: due.id, status, reason });
    return queue.failed(due.id, record, next, pause);
  }

  function recordResponse(lane: string, responded: boolean): void {
    if (responded) unresponsive.delete(lane);
    else if (unresponsive.size < MAX_UNRESPONSIVE_LANES) unresponsive.add(lane);
  }

  /** Returns the hosts, accounts and hosts of an account that are at their concurrency limit. */
  function saturated(): SaturatedReceivers {
    const hosts = new Map<string, number>();
    const accounts = new Map<string, number>();
    const lanes = new Map<string, { readonly account: string; readonly host: string; running: number }>();
    for (const due of running.keys()) {
      const { account } = due;
      const host = hostOf(due);
      count(hosts, host);
      count(accounts, account);
      const lane = lanes.get(laneOf(due)) ?? { account, host, running: 0 };
      lane.running++;
      lanes.set(laneOf(due), lane);
    }
    const maxOf = (lane: string) =>
      unresponsive.has(lane) ? MAX_CONCURRENT.unresponsiveLane : MAX_CONCURRENT.lane;
    return {
      hosts: [...hosts].flatMap(([host, n]) => (n >= MAX_CONCURRENT.host ? [host] : [])),
      accounts: [...accounts].flatMap(([account, n]) => (n >= MAX_CONCURRENT.account ? [account] : [])),
      lanes: [...lanes].flatMap(([name, lane]) => (lane.running >= maxOf(name) ? [lane] : [])),
    };
  }

  async function takeDue(): Promise<void> {
    while (!closed && running.size < MAX_CONCURRENT.all) {
      const [due] = await queue.take(clock.now().getTime(), 1, leaseMs, saturated());
      if (due === undefined) break;
      // this process is still delivering it, although the lease expired
      if ([...running.keys()].some(({ id }) => id === due.id)) continue;
      const work = traced(tracer, "job delivery", {}, () => deliver(due))
        .catch((cause: unknown) => log.error("deliveries", { cause }))
        .finally(() => {
          running.delete(due);
          wake();
        });
      running.set(due, work);
    }
  }

  async function poll(): Promise<void> {
    let wait = POLL_INTERVAL_MS;
    try {
      do {
        pollAgain = false;
        await takeDue();
      } while (pollAgain && !closed);
      const next = running.size >= MAX_CONCURRENT.all ? null : await queue.nextAt();
      // a due delivery that was not leased waits for a free slot
      if (next !== null && next > clock.now().getTime()) wait = Math.min(wait, next - clock.now().getTime());
    } catch (cause) {
      log.error("deliveries", { cause });
    }
    polling = null;
    if (closed) return;
    if (pollAgain) wake();
    else timer = setTimeout(wake, wait).unref();
  }

  function wake(): void {
    pollAgain = true;
    if (closed || polling !== null) return;
    clearTimeout(timer);
    polling = poll();
  }

  wake();
  return {
    wake,
    async close() {
      closed = true;
      clearTimeout(timer);
      const graceTimer = setTimeout(() => stop.abort(), graceMs);
      await polling;
      await Promise.all(running.values());
      clearTimeout(graceTimer);
    },
  };
}

/** Returns the host of a delivery; receivers without a host share one per channel. */
const hostOf = ({ subscription: { target, channel } }: DueDelivery): string => target ?? channel;

/** Returns the name of a host of one account. */
const laneOf = (due: DueDelivery): string => `${due.account} ${hostOf(due)}`;

const count = (counts: Map<string, number>, key: string): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1);

function outcomeOf({ status, retryAfter }: OutgoingResponse): AttemptOutcome {
  if (status >= 200 && status < 300) return { status, reason: null, retryable: false };
  if (status === HTTP_GONE)
    return {
      status,
      reason: "The receiver is gone (HTTP 410)",
      retryable: false,
      pause: "The receiver is gone (HTTP 410). Create a new subscription with another address.",
    };
  const refused = isPermanentRefusal(status);
  const redirects = status >= 300 && status < 400;
  const what = refused ? "rejected the request" : redirects ? "sent an unsupported redirect" : "failed";
  return { status, reason: `The receiver ${what} (HTTP ${status})`, retryable: !refused, retryAfter };
}

/** A reply of 500 and above refuses the mail for good. */
function mailOutcomeOf(status: number): AttemptOutcome {
  if (status < 300) return { status, reason: null, retryable: false };
  const isFinal = status >= 500;
  return {
    status,
    reason: `The mail server ${isFinal ? "rejected the message" : "failed"} (SMTP ${status})`,
    retryable: !isFinal,
  };
}
