import type { CallPlan, CallResult } from "../track-record/calls-port.ts";
import type { Claim } from "./claims.ts";

/** Rule and prices by which a claim is decided. */
export type ClaimTerms = Pick<Claim, "side" | "rule" | "price" | "entry" | "target" | "stop">;

/** Tolerance of a close at a target, because closes may have been scaled after a split. */
const ROUNDING = 1e-9;

/** Returns the prices of a claim as those of an order: an entry below the price of a LONG waits as a limit, above as a stop. */
export function planOfClaim({ side, rule, price, entry, target, stop }: ClaimTerms): CallPlan {
  const sign = side === "LONG" ? 1 : -1;
  const kind = entry === null || entry === price ? "now" : sign * (entry - price) < 0 ? "limit" : "stop";
  // a close decides close_beyond, so that touching its target says nothing
  const touched = rule === "close_beyond" ? null : target;
  return { side, kind, entry: entry ?? price, limit: null, stop, target: touched };
}

/** Returns the state of a claim from its outcome; null: its bars have not arrived. */
export function stateOfClaim({ side, rule, target }: ClaimTerms, result: CallResult | null): Claim["state"] {
  if (result === null) return "open";
  if (result === "unknown") return "unknown";
  if (!result.filled) return "not_entered";
  const sign = side === "LONG" ? 1 : -1;
  const isRight =
    rule === "close_beyond" ? sign * (result.close / target - 1) >= -ROUNDING : result.end === "target";
  return isRight ? "right" : "wrong";
}
