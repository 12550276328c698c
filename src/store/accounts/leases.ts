import type { Limit } from "../../domain/accounts/windows-port.ts";
import { isOver } from "../../lib/expiry.ts";

/** Calls of a window that the file already counts and that this process has not made yet. */
interface Lease {
  left: number;
  /** Calls that the file counted when this process last read or wrote it. */
  used: number;
  /** End of the window, epoch ms. */
  readonly ends: number;
  readonly limit: Limit;
  isUsed: boolean;
}

/** A lease has at most this many calls, and at most this share of the quota. */
const MAX_CALLS = 64;
const MAX_SHARE = 1 / 20;
/** Calls on a window in a second above which calls are leased. Below, other processes see exact counts. */
const BUSY_CALLS = 10;
const SECOND_MS = 1_000;

interface NewLease {
  readonly calls: number;
  /** End of the window, epoch ms. */
  readonly ends: number;
  /** Calls that the file counts, those of the lease included. */
  readonly used: number;
}

/** The leases of this process, by window. A crash loses their calls; it never allows more than the quota. */
export class Leases {
  readonly #byKey = new Map<string, Lease>();
  /** Calls of this process on each window since `#since`, within the last second. */
  readonly #recent = new Map<string, number>();
  #since = 0;

  /** Calls of this process on a window in the running second. */
  #recentCalls(key: string): number {
    if (performance.now() - this.#since >= SECOND_MS) {
      this.#since = performance.now();
      this.#recent.clear();
    }
    return this.#recent.get(key) ?? 0;
  }

  /**
   * Returns the number of calls to lease at once; 0 for a window with few calls or a low quota, and for one that runs from
   * its last call, which a leased call would not extend.
   */
  sizeFor(key: string, { quota, fromLast }: Limit): number {
    if (fromLast === true) return 0;
    return this.#recentCalls(key) > BUSY_CALLS ? Math.min(MAX_CALLS, Math.floor(quota * MAX_SHARE)) : 0;
  }

  /** Takes one call of a lease; false if there is none. */
  take(key: string, limit: Limit, now: number): boolean {
    this.#recent.set(key, this.#recentCalls(key) + 1);
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
  add(key: string, limit: Limit, { calls, ends, used }: NewLease): void {
    const before = this.#byKey.get(key);
    const left = before?.ends === ends ? before.left : 0;
    this.#byKey.set(key, { left: left + calls, used, ends, limit, isUsed: true });
  }

  /** Notes what the file counts. */
  note(key: string, { used, ends }: Pick<NewLease, "used" | "ends">): void {
    const lease = this.#byKey.get(key);
    if (lease?.ends === ends) lease.used = used;
  }

  /** Returns the lease of a window if it has calls left. */
  find(key: string): Readonly<Lease> | null {
    const lease = this.#byKey.get(key);
    return lease === undefined || lease.left === 0 ? null : lease;
  }

  /** Removes and returns the leases that were not used since the last call; with `all`, every lease. */
  release({ all = false } = {}): readonly {
    readonly key: string;
    readonly left: number;
    readonly limit: Limit;
    readonly ends: number;
  }[] {
    const released = [];
    for (const [key, lease] of this.#byKey) {
      const { left, limit, ends } = lease;
      if (lease.isUsed && !all) lease.isUsed = false;
      else {
        this.#byKey.delete(key);
        if (left > 0) released.push({ key, left, limit, ends });
      }
    }
    return released;
  }

  get size(): number {
    return this.#byKey.size;
  }
}
