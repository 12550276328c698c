import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Principal } from "../domain/accounts/access.ts";
import type { Limit } from "../domain/accounts/windows-port.ts";
import type { AdmittedMessage, Meters } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import { retryAfterMs } from "../lib/limiter.ts";
import { networkOf } from "./callers.ts";

/**
 * Kind of a message without an account; each kind has a window of its own per network and process. `probe`: health
 * checks, which orchestrators repeat. `page`: pages, documents, paths outside the API, preflights, and requests that
 * are refused before their account is known. `file`: scripts, styles and pictures of pages.
 */
export type AnonymousKind = "probe" | "page" | "file";

/** Limits per network. A status page sends 20 requests a minute, so the limits serve several readers of one network. */
export const NETWORK_LIMITS: Readonly<Record<AnonymousKind, Limit>> = {
  probe: { quota: 1_200, window: 60 },
  page: { quota: 240, window: 60 },
  // a first visit of the dashboard loads about forty, which the browser keeps then
  file: { quota: 3_000, window: 60 },
};

/** A message as it arrives, before its content is checked. */
export type Arrival =
  | {
      readonly from: Principal;
      /** Number of messages that arrived together, such as a batch. Default: 1. */
      readonly messages?: number;
    }
  | {
      /** Network address of a caller without an account. */
      readonly address: string;
      readonly kind: AnonymousKind;
    };

/**
 * Creates the function through which every message of every transport passes once, when it arrives: it charges the
 * burst window of the account or, for a message without one, the window of its network. It rejects with RATE_LIMITED if
 * too few are left.
 */
export function createAdmission(
  meters: Pick<Meters, "countBurst">,
): (arrival: Arrival) => Promise<AdmittedMessage> {
  const windowOf = ({ quota, window }: Limit) => new RateLimiterMemory({ points: quota, duration: window });
  const networks = {
    probe: windowOf(NETWORK_LIMITS.probe),
    page: windowOf(NETWORK_LIMITS.page),
    file: windowOf(NETWORK_LIMITS.file),
  } as const;
  return async (arrival) => {
    if ("from" in arrival) {
      for (let i = 0; i < (arrival.messages ?? 1); i++) await meters.countBurst(arrival.from);
      return { account: arrival.from.account };
    }
    const network = networkOf(arrival.address);
    const waitMs = await retryAfterMs(networks[arrival.kind].consume(network));
    if (waitMs !== null) throw tooManyRequests(NETWORK_LIMITS[arrival.kind], waitMs);
    return { account: network };
  };
}

function tooManyRequests({ quota, window }: Limit, waitMs: number): ToolError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new ToolError(
    "RATE_LIMITED",
    `Too many requests from this address: at most ${quota} in ${window} s`,
    {
      hint: `Retry in ${seconds} s. Calls of the API with a key have limits of their own.`,
      data: { window: "burst", quota, retry_after: seconds },
    },
  );
}

/** Runs the work of a message that calls no tool in one of the caller's slots for messages. */
export async function inMessageSlot<R>(
  meters: Pick<Meters, "startCall">,
  caller: Principal,
  work: () => Promise<R> | R,
  signal?: AbortSignal,
): Promise<R> {
  const started = meters.startCall(caller, signal, "message");
  const end = started instanceof Promise ? await started : started;
  try {
    return await work();
  } finally {
    end();
  }
}
