import { draw, keyOf, normal, unit } from "../../src/providers/sample/draws.ts";
import type { Reply, Vendor, VendorRequest } from "./vendor.ts";
import type { World } from "./world.ts";
import { answerForAnother } from "./wrong-symbol.ts";

/**
 * What can go wrong with a call: `timeout` never answers; `rate_limit` and `block` say so in the vendor's own way;
 * `malformed` is no JSON, or none of the vendor's; `truncated` breaks off within the body; `wrong_symbol` tells the
 * truth about another instrument; `reset` breaks the connection; `slow` is right but late.
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

/** One call received; `nth` counts the vendor's own from 0. */
export interface Asked {
  readonly vendor: string;
  readonly path: string;
  readonly nth: number;
}

export interface FaultPlan {
  /** Share of calls that go wrong, 0 to 1. */
  readonly rate?: number;
  /** Those that may happen; all of them where left out. */
  readonly kinds?: readonly Fault[];
  /** Vendors that cannot be reached at all, by name. */
  readonly off?: ReadonlySet<string>;
  /** Decides before chance does: a fault, null for the true answer, undefined to leave it to chance. */
  readonly each?: (asked: Asked) => Fault | null | undefined;
}

/** What a plan makes of a call. The same seed, vendor and number of call always give the same. */
export function faultOf(
  { rate = 0, kinds = FAULTS, each }: FaultPlan,
  asked: Asked,
  seed: number,
): Fault | null {
  const decided = each?.(asked);
  if (decided !== undefined) return decided;
  const chance = (stream: string) => unit(draw(keyOf(seed, asked.vendor, stream), asked.nth));
  if (chance("rate") >= rate) return null;
  return kinds[Math.floor(chance("kind") * kinds.length)] ?? null;
}

/** How long a vendor takes, ms: log-normal through its median and 95th percentile. */
export function latencyOf({ name, latency: { p50, p95 } }: Vendor, nth: number, seed: number): number {
  const spread = Math.log(p95 / p50) / 1.645;
  return p50 * Math.exp(spread * normal(keyOf(seed, name, "latency"), nth));
}

const PAGE: Reply = {
  status: 403,
  headers: { "content-type": "text/html" },
  body: "<!DOCTYPE html><html><head><title>Access denied</title></head><body>Access denied</body></html>",
};
const ERRORS: readonly Reply[] = [
  {
    status: 500,
    headers: { "content-type": "application/json" },
    body: '{"message":"Internal server error"}',
  },
  { status: 502, headers: { "content-type": "text/html" }, body: "<html><h1>502 Bad Gateway</h1></html>" },
  { status: 503, body: "" },
  {
    status: 504,
    headers: { "content-type": "text/html" },
    body: "<html><h1>504 Gateway Time-out</h1></html>",
  },
];
const FULL: Reply = { status: 429, headers: { "content-type": "text/plain" }, body: "Too Many Requests" };

interface Call {
  readonly vendor: Vendor;
  readonly request: VendorRequest;
  readonly world: World;
  /** Chooses among several ways of the same fault. */
  readonly nth: number;
}

/** What a vendor sends under a fault that lets it send something. */
export function replyUnder(fault: Fault | null, { vendor, request, world, nth }: Call): Reply {
  const one = (of: readonly Reply[], otherwise: Reply) => of[nth % of.length] ?? otherwise;
  if (fault === "rate_limit") return one(vendor.limits, FULL);
  if (fault === "block") return one(vendor.blocks, PAGE);
  if (fault === "server_error") return one(ERRORS, PAGE);
  if (fault === "wrong_symbol") {
    const reply = answerForAnother(vendor, request, world);
    return reply ?? replyUnder("malformed", { vendor, request, world, nth });
  }
  const truth = vendor.answer(request, world);
  if (fault !== "malformed") return truth;
  const half = truth.body.slice(0, Math.floor(truth.body.length / 2));
  return { ...truth, status: 200, body: [`${half}}{`, half, "null", '"OK"'][nth % 4]! };
}
