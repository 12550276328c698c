import type { Limit } from "../../domain/accounts/windows-port.ts";
import { isOver } from "../../lib/expiry.ts";

/** Calls of a window that the file already counts and that this process has not made yet. */
interface Lease {
  left: number;
  /** End of the window, epoch ms. */
  readonly ends: number;
  readonly limit: Limit;
  isUsed: boolean;
}

/** A lease has at most this many calls, and at most this share of the quota. */
const MAX_CALLS = 64;
const MAX_SHARE = 1 / 20;

/** Returns the number of calls that are leased at once. */
export const leaseSize = ({ quota }: Limit): number => Math.min(MAX_CALLS, Math.floor(quota * MAX_SHARE));

/** The leases of this process, by window. A crash loses their calls; it never allows more than the quota. */
export class Leases {
  readonly #byKey = new Map<string, Lease>();

  /** Takes one call of a lease; false if there is none. */
  take(key: string, limit: Limit, now: number): boolean {
    const lease = this.#byKey.get(key);
    if (lease === undefined || lease.left === 0) return false;
    if (lease.limit.quota !== limit.quota || isOver(lease.ends, now, limit.window * 1_000)) return false;
    lease.left--;
    lease.isUsed = true;
    return true;
  }

  /** Gives a call back to a lease; false if there is none. */
  refund(key: string, now: number): boolean {
    const lease = this.#byKey.get(key);
    if (lease === undefined || isOver(lease.ends, now, lease.limit.window * 1_000)) return false;
    lease.left++;
    return true;
  }

  /** Adds calls that the file now counts. */
  add(key: string, limit: Limit, lease: { readonly calls: number; readonly ends: number }): void {
    const before = this.#byKey.get(key);
    const left = before?.ends === lease.ends ? before.left : 0;
    this.#byKey.set(key, { left: left + lease.calls, ends: lease.ends, limit, isUsed: true });
  }

  /** Returns the calls left of a window that ends then. */
  left(key: string, ends: number): number {
    const lease = this.#byKey.get(key);
    return lease?.ends === ends ? lease.left : 0;
  }

  /** Removes and returns the leases that were not used since the last call; with `all`, every lease. */
  release({
    all = false,
  } = {}): readonly { readonly key: string; readonly left: number; readonly limit: Limit }[] {
    const released = [];
    for (const [key, lease] of this.#byKey) {
      const { left, limit } = lease;
      if (lease.isUsed && !all) lease.isUsed = false;
      else {
        this.#byKey.delete(key);
        if (left > 0) released.push({ key, left, limit });
      }
    }
    return released;
  }

  get size(): number {
    return this.#byKey.size;
  }
}
