import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Windows } from "../../../src/domain/accounts/windows-port.ts";
import {
  createAllowance,
  createMeter,
  createProviderAccount,
  meteredFetch,
  sharedBudgets,
  shareOf,
} from "../../../src/market/failover/meter.ts";
import { settableClock } from "../../support/providers.ts";

describe("createMeter", () => {
  it("allows the budgeted calls and no more until the window moves on", async () => {
    const clock = settableClock("2026-01-15T15:00:00Z");
    const meter = createMeter([createAllowance({ calls: 2, perMs: 60_000, atOnce: 9 }, clock)]);
    await meter.acquireSlot();
    clock.move(10_000);
    await meter.acquireSlot();
    expect([meter.left(), meter.ready()]).toEqual([0, false]);
    await expect(meter.acquireSlot()).rejects.toMatchObject({ kind: "rate_limited" });
    clock.move(49_999);
    expect(meter.left()).toBe(0);
    clock.move(1);
    expect([meter.left(), meter.ready()]).toEqual([1, true]);
  });

  it("never exceeds its limit in any window", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(700), { maxLength: 80 }), async (pauses) => {
        const clock = settableClock("2026-01-15T15:00:00Z");
        const meter = createMeter([createAllowance({ calls: 3, perMs: 1_000, atOnce: 99 }, clock)]);
        const left: number[] = [];
        for (const pause of pauses) {
          clock.move(pause);
          if (meter.left() === 0) continue;
          await meter.acquireSlot();
          left.push(clock.at());
        }
        for (const [i, at] of left.entries())
          expect((left[i + 3] ?? Infinity) - at).toBeGreaterThanOrEqual(1_000);
      }),
    );
  });

  it("counts each call in the budgets of all servers, and gives up while one of them is used up", async () => {
    const counted: Record<number, number> = { 60: 0, 3600: 0 };
    const windows: Windows = {
      async take(_, { window }) {
        if (window === 3600 && counted[3600] === 2) return 30_000;
        counted[window]! += 1;
        return null;
      },
      async refund(_, { window }) {
        counted[window]! -= 1;
      },
      usage: async () => ({ remaining: 0, msLeft: 0 }),
    };
    const budgets = [
      { calls: 9, perMs: 60_000, atOnce: 9 },
      { calls: 2, perMs: 3_600_000, atOnce: 9 },
    ];
    const clock = settableClock("2026-01-15T15:00:00Z");
    const meter = createMeter([createAllowance(budgets[0]!, clock)], {
      shared: sharedBudgets(windows, "vendor", budgets),
    });
    await meter.acquireSlot();
    await meter.acquireSlot();
    await expect(meter.acquireSlot()).rejects.toMatchObject({ kind: "rate_limited" });
    expect(counted).toEqual({ 60: 2, 3600: 2 });
    expect(meter.ready()).toBe(false);
    expect(meter.wait()).toBeGreaterThan(29_000);
  });

  it("sends nothing while the budgets of all servers are unknown", async () => {
    const shared = { take: () => Promise.reject(new Error("no answer")) };
    const clock = settableClock("2026-01-15T15:00:00Z");
    const meter = createMeter([createAllowance({ calls: 9, perMs: 1_000, atOnce: 9 }, clock)], { shared });
    await expect(meter.acquireSlot()).rejects.toMatchObject({ kind: "rate_limited" });
  });

  it("waits for a running call to end, and stops waiting when the caller aborts", async () => {
    const clock = settableClock("2026-01-15T15:00:00Z");
    const meter = createMeter([createAllowance({ calls: 9, perMs: 1_000, atOnce: 1 }, clock)]);
    const done = await meter.acquireSlot();
    const second = meter.acquireSlot();
    const stop = new AbortController();
    const third = meter.acquireSlot(stop.signal);
    stop.abort();
    await expect(third).rejects.toMatchObject({ kind: "timeout" });
    done();
    done();
    (await second)();
    expect(meter.left()).toBe(7);
  });

  it("waits longer for running calls than for a new window", async () => {
    const meter = createMeter(
      [createAllowance({ calls: 9, perMs: 1_000, atOnce: 1 }, settableClock("2026-01-15T15:00:00Z"))],
      { maxWaitMs: 10 },
    );
    const done = await meter.acquireSlot();
    const second = meter.acquireSlot();
    await new Promise((later) => setTimeout(later, 50));
    done();
    (await second)();
    expect(meter.left()).toBe(7);
  });

  it("is full for at most one window after the clock is set back", async () => {
    const clock = settableClock("2026-01-15T15:00:00Z");
    const meter = createMeter([createAllowance({ calls: 1, perMs: 60_000, atOnce: 9 }, clock)]);
    (await meter.acquireSlot())();
    clock.move(-3_600_000);
    expect([meter.left(), meter.ready()]).toEqual([0, false]);
    clock.move(60_000);
    expect([meter.left(), meter.ready()]).toEqual([1, true]);
  });

  it("counts a failed fetch as a call", async () => {
    const meter = createMeter([
      createAllowance({ calls: 9, perMs: 1_000, atOnce: 1 }, settableClock("2026-01-15T15:00:00Z")),
    ]);
    const counted = meteredFetch(
      () => Promise.reject(new TypeError("no route")),
      () => meter,
    );
    await expect(counted("http://x.invalid")).rejects.toThrow("no route");
    await expect(counted("http://x.invalid")).rejects.toThrow("no route");
    expect(meter.left()).toBe(7);
  });
});

const HOUR = 3_600_000;
const LIMITS = [
  { calls: 3, perMs: HOUR, atOnce: 2 },
  { calls: 5, perMs: 24 * HOUR, atOnce: 2 },
  { calls: 1, perMs: 1_000, atOnce: 2 },
];

describe("createProviderAccount", () => {
  it("counts a call in every window and records it once", () => {
    const clock = settableClock("2026-01-15T15:00:00Z");
    const took: number[] = [];
    const before = [clock.at() - 2 * HOUR, clock.at() - 1_000];
    const { allowances } = createProviderAccount(LIMITS, clock, { before, record: (at) => took.push(at) });
    const left = () => allowances.map((one) => one.left());
    // Of the two earlier calls, one lies within the hour and both within the day; the per-second window is not stored.
    expect(left()).toEqual([2, 3, 1]);
    for (const one of allowances) one.take()();
    expect(left()).toEqual([1, 2, 0]);
    expect(took).toEqual([clock.at()]);
  });

  it("pauses at most a minute, also after the clock is set back", () => {
    const clock = settableClock("2026-01-15T15:00:00Z");
    const account = createProviderAccount([], clock);
    expect(account.pausedUntil()).toBe(0);
    account.pause(clock.at() + 20_000);
    account.pause(clock.at() + 10_000);
    expect(account.pausedUntil()).toBe(clock.at() + 20_000);
    account.pause(clock.at() + 24 * HOUR);
    expect(account.pausedUntil()).toBe(clock.at() + 60_000);
    clock.move(-HOUR);
    expect(account.pausedUntil()).toBe(clock.at() + 60_000);
  });
});

it("shares a budget among processes, with at least one call for each", () => {
  const budget = { calls: 61, perMs: 60_000, atOnce: 3 };
  expect(shareOf(budget, 1)).toEqual(budget);
  expect(shareOf(budget, 2)).toEqual({ calls: 30, perMs: 60_000, atOnce: 1 });
  expect(shareOf(budget, 100)).toEqual({ calls: 1, perMs: 60_000, atOnce: 1 });
});
