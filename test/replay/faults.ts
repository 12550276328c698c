import { draw, keyOf, normal, unit } from "../../src/providers/sample/draws.ts";
import { empty, json, page, type Reply, type Vendor, type VendorRequest } from "./vendor.ts";
import type { World } from "./world.ts";
import { answerForAnother } from "./wrong-symbol.ts";

/**
 * Faults of a request: `timeout` never responds; `rate_limit` and `block` use the vendor's own responses; `malformed`
 * is not JSON or not the vendor's format; `truncated` ends within the body; `wrong_symbol` is a correct response about
 * another instrument; `reset` breaks the connection; `slow` is correct but late.
 */
export const FAULTS = [
  "timeout",
  "rate_limit",
  "server_error",
  "block",
  "malformed",
  "truncated",
  "wrong_symbol",
  "reset",
  "slow",
] as const;
export type Fault = (typeof FAULTS)[number];

/** A received request; `nth` counts the vendor's requests from 0. */
export interface FaultRequest {
  readonly vendor: string;
  readonly path: string;
  readonly nth: number;
}

export interface FaultPlan {
  /** Share of failing requests, 0 to 1. Default: 0. */
  readonly rate?: number;
  /** Possible faults. Default: all. */
  readonly kinds?: readonly Fault[];
  /** Names of unreachable vendors. Default: none. */
  readonly off?: ReadonlySet<string>;
  /**
   * Called before the random choice: returns a fault, null for the correct response, undefined for the random choice.
   */
  readonly each?: (request: FaultRequest) => Fault | null | undefined;
}

/** The fault of a request under a plan; the same for the same seed, vendor and request number. */
export function faultOf(
  { rate = 0, kinds = FAULTS, each }: FaultPlan,
  request: FaultRequest,
  seed: number,
): Fault | null {
  const decided = each?.(request);
  if (decided !== undefined) return decided;
  const chance = (stream: string) => unit(draw(keyOf(seed, request.vendor, stream), request.nth));
  if (chance("rate") >= rate) return null;
  return kinds[Math.floor(chance("kind") * kinds.length)] ?? null;
}

/** Response time of a vendor in ms, drawn from the log-normal distribution with its median and 95th percentile. */
export function latencyOf({ name, latency: { p50, p95 } }: Vendor, nth: number, seed: number): number {
  const spread = Math.log(p95 / p50) / 1.645;
  return p50 * Math.exp(spread * normal(keyOf(seed, name, "latency"), nth));
}

const BLOCKED = page(403, "Access denied");
const ERRORS: readonly Reply[] = [
  json({ message: "Internal server error" }, 500),
  page(502, "502 Bad Gateway"),
  empty(503),
  page(504, "504 Gateway Time-out"),
];
const RATE_LIMITED: Reply = {
  status: 429,
  headers: { "content-type": "text/plain" },
  body: "Too Many Requests",
};

interface Call {
  readonly vendor: Vendor;
  readonly request: VendorRequest;
  readonly world: World;
  /** Selects one of several responses of the same fault. */
  readonly nth: number;
}

/** Response of a vendor under a fault that still sends a response. */
export function replyUnder(fault: Fault | null, { vendor, request, world, nth }: Call): Reply {
  const pick = (replies: readonly Reply[], otherwise: Reply) => replies[nth % replies.length] ?? otherwise;
  if (fault === "rate_limit") return pick(vendor.limits, RATE_LIMITED);
  if (fault === "block") return pick(vendor.blocks, BLOCKED);
  if (fault === "server_error") return pick(ERRORS, BLOCKED);
  if (fault === "wrong_symbol") {
    const reply = answerForAnother(vendor, request, world);
    return reply ?? replyUnder("malformed", { vendor, request, world, nth });
  }
  const truth = vendor.answer(request, world);
  if (fault !== "malformed") return truth;
  const half = truth.body.slice(0, Math.floor(truth.body.length / 2));
  return { ...truth, status: 200, body: [`${half}}{`, half, "null", '"OK"'][nth % 4]! };
}
