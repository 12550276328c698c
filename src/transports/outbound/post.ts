import type {
  OutboundClient,
  OutgoingRequest,
  OutgoingResponse,
} from "../../domain/alerts/outbound-client-port.ts";
import type { Clock } from "../../domain/ports.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { withTimeLimit } from "../../lib/time-limit.ts";
import { version } from "../../lib/version.ts";
import type { AllowList } from "./allow-list.ts";
import { createRequestQueue } from "./request-queue.ts";
import { type Resolve, resolveName } from "./resolve.ts";
import { addressRefused, parseTarget, type Target } from "./target.ts";

const DEADLINE_MS = 10_000;
const LIMITS = { perHost: 12, perLane: 4, perAccount: 8, total: 32, waiting: 500 } as const;

export interface PostOptions {
  /** false: no messages are sent. */
  readonly enabled: boolean;
  readonly allow: AllowList;
  readonly clock: Clock;
  readonly resolve?: Resolve;
  readonly deadlineMs?: number;
  /** Certificate authority used instead of the default ones. */
  readonly ca?: string;
}

/**
 * Creates a client that sends messages to URLs chosen by clients. It resolves the host for every message, checks all
 * addresses, and connects only to checked addresses, so that DNS rebinding has no effect.
 */
export function createPost({
  enabled,
  allow,
  clock,
  resolve = resolveName,
  deadlineMs = DEADLINE_MS,
  ca,
}: PostOptions): OutboundClient {
  const enqueue = createRequestQueue(LIMITS);
  const agent = `market-signal/${version()}`;

  /** Resolves the addresses of a target. Rejects with INVALID_INPUT if one of them is not allowed. */
  async function addressesOf(
    { host, isIpAddress, isPlainHttp }: Target,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    if (isIpAddress) return [host];
    const found = await untilAborted(resolve(host, { local: allow.hasHost(host), signal }), signal);
    if (!found.every((address) => allow.allows(address, host)))
      throw addressRefused("resolves to this machine, a local network or a reserved range");
    if (isPlainHttp && found.length > 0 && !allow.hasHost(host) && !found.every(allow.hasAddress))
      throw addressRefused("uses http, which is not encrypted");
    return found;
  }

  return {
    async check(text) {
      if (!enabled) throw switchedOff();
      const target = parseTarget(text, allow);
      const signal = AbortSignal.timeout(deadlineMs);
      const found = await addressesOf(target, signal).catch((cause: unknown) => {
        throw cause instanceof ToolError ? cause : unreachable("The name servers do not respond", cause);
      });
      if (found.length === 0) throw addressRefused("has a host that does not exist");
    },

    async send(message) {
      if (!enabled) throw switchedOff();
      const target = withRefusals(() => parseTarget(message.url, allow));
      const lane = { host: target.host, account: message.account };
      return enqueue(lane, message.signal, () => sendNow(target, message)).catch((cause: unknown) => {
        throw message.signal?.aborted === true ? cancelledError(cause) : cause;
      });
    },
  };

  function sendNow(target: Target, message: OutgoingRequest): Promise<OutgoingResponse> {
    return withTimeLimit(deadlineMs, message.signal, async (signal) => {
      const headers = { "user-agent": agent, ...message.headers };
      try {
        const found = await addressesOf(target, signal);
        if (found.length === 0) throw unreachable("The host of the receiver does not exist");
        // loads HTTP and TLS, which a command does without
        const { exchange } = await import("./exchange.ts");
        const { status, retryAfter } = await exchange(
          target,
          found,
          { ...message, headers },
          { signal, ...(ca !== undefined && { ca }) },
        );
        return { status, retryAfter: secondsOf(retryAfter, clock.now()) };
      } catch (cause) {
        if (cause instanceof ToolError) throw cause.code === "INVALID_INPUT" ? refusedError(cause) : cause;
        throw unreachable(
          signal.aborted ? "The receiver did not respond in time" : connectionErrorText(cause),
          cause,
        );
      }
    });
  }
}

/** Parses a `Retry-After` header (seconds or a date) to seconds; null if it is invalid. */
export function secondsOf(text: string | null, now: Date): number | null {
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text);
  const at = / GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1_000));
}

function connectionErrorText(cause: unknown): string {
  const code = String((cause as { readonly code?: unknown }).code ?? "");
  if (code === "ECONNREFUSED") return "The receiver refuses connections";
  if (/^(CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|HOSTNAME_)/.test(code))
    return "The certificate of the receiver is not trusted";
  if (/^(EPROTO|ERR_SSL)/.test(code)) return "The receiver does not support https";
  if (/^E?(SERVFAIL|REFUSED|TIMEOUT|AI_AGAIN|CANCELLED|BADRESP)$/.test(code))
    return "The name servers do not respond";
  return "The connection to the receiver failed";
}

const unreachable = (message: string, cause?: unknown): ToolError =>
  new ToolError("UPSTREAM_UNAVAILABLE", message, { cause });
const cancelledError = (cause: unknown): ToolError =>
  new ToolError("CANCELLED", "The caller cancelled the message", { cause });
const refusedError = ({ message, hint }: ToolError): ToolError =>
  new ToolError("REFUSED", message, hint === undefined ? {} : { hint });
const switchedOff = (): ToolError =>
  new ToolError("NOT_CONNECTED", "This server does not send messages to URLs chosen by clients", {
    hint: "The server's owner can set WEBHOOKS=on. Until then, poll deliveries and changes.",
  });

/** Runs a check and converts its error to REFUSED, because the URL was accepted earlier. */
function withRefusals<T>(check: () => T): T {
  try {
    return check();
  } catch (cause) {
    throw refusedError(asToolError(cause));
  }
}

/** Rejects as soon as the signal aborts, because a DNS lookup may take longer. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
