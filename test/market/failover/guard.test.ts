import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  type FailureKind,
  type PriceProvider,
  ProviderFailure,
} from "../../../src/domain/providers/price-provider.ts";
import { guard } from "../../../src/market/failover/guard.ts";
import { fakeProvider, providerQuote, settableClock } from "../../support/providers.ts";

const open = new AbortController().signal;

function setup(timeoutMs?: number) {
  const clock = settableClock("2026-01-15T15:00:00Z");
  const guarded = fakeProvider("one", {
    clock,
    latest: async () => providerQuote(),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  const fail = (kind: FailureKind, retryAfterMs?: number) =>
    guarded
      .call(async () => {
        clock.move(30);
        throw new ProviderFailure(kind, "no", retryAfterMs === undefined ? {} : { retryAfterMs });
      }, open)
      .catch((cause: ProviderFailure) => cause.kind);
  const answer = () => guarded.call(async () => clock.move(20), open);
  return { clock, guarded, fail, answer };
}

describe("guard", () => {
  it("reports its state", async () => {
    const { guarded, answer, fail, clock } = setup();
    expect(guarded.state()).toEqual({
      latencyMs: null,
      calledAt: null,
      answeredAt: null,
      failedAt: null,
      failure: null,
      left: 1_000,
      waitMs: 0,
      breaker: "closed",
      skewMs: null,
    });
    await answer();
    const answeredAt = clock.at();
    await fail("down");
    expect(guarded.state()).toMatchObject({
      latencyMs: 30,
      answeredAt,
      failedAt: clock.at(),
      failure: "down",
    });
  });

  it("opens the breaker after five failures in a row, not after unknown symbols", async () => {
    const { guarded, fail } = setup();
    for (let i = 0; i < 9; i++) await fail("unknown_symbol");
    for (let i = 0; i < 4; i++) await fail("down");
    expect(guarded.state().breaker).toBe("closed");
    await fail("malformed");
    expect(guarded.state().breaker).toBe("open");
    let called = false;
    await expect(
      guarded.call(async () => {
        called = true;
      }, open),
    ).rejects.toMatchObject({ kind: "down" });
    expect(called).toBe(false);
    expect(guarded.unavailableReason()).toBe("resting");
    expect(await guarded.call(async () => "there", open, { force: true })).toBe("there");
  });

  it("pauses for Retry-After, or doubles the pause without it", async () => {
    const { guarded, fail, clock, answer } = setup();
    await fail("rate_limited", 7_000);
    expect(guarded.unavailableReason()).toBe("paused");
    clock.move(6_999);
    expect(guarded.unavailableReason()).toBe("paused");
    clock.move(1);
    expect(guarded.unavailableReason()).toBeNull();
    await answer();
    for (const pause of [2_000, 4_000]) {
      await fail("rate_limited");
      clock.move(pause - 1);
      expect(guarded.unavailableReason()).toBe("paused");
      clock.move(1);
      expect(guarded.unavailableReason()).toBeNull();
    }
    await fail("rate_limited", 9_999_999_000);
    clock.move(900_000);
    expect(guarded.unavailableReason()).toBeNull();
    await fail("auth");
    clock.move(599_000);
    expect(guarded.unavailableReason()).toBe("paused");
  });

  it("pauses at most 15 minutes after the clock is set back", async () => {
    const { guarded, fail, clock } = setup();
    await fail("rate_limited");
    clock.move(-7_200_000);
    expect(guarded.unavailableReason()).toBe("paused");
    clock.move(15 * 60_000);
    expect(guarded.unavailableReason()).toBeNull();
  });

  it("aborts a call that exceeds the timeout", async () => {
    const { guarded } = setup(20);
    let stopped = false;
    const slow = guarded.call(async (signal) => {
      signal.addEventListener("abort", () => {
        stopped = true;
      });
      await sleep(5_000, undefined, { signal, ref: false });
    }, open);
    await expect(slow).rejects.toMatchObject({ name: "ProviderFailure", kind: "timeout" });
    expect(stopped).toBe(true);
    expect(guarded.state().failure).toBe("timeout");
  });

  it("converts any error of an adapter to a ProviderFailure", async () => {
    const { guarded } = setup();
    const broken = guarded.call(() => Promise.reject(new TypeError("vendor text")), open);
    await expect(broken).rejects.toMatchObject({
      kind: "malformed",
      message: "unreadable response",
    });
  });

  it("counts every call through its fetch and measures the provider's clock skew", async () => {
    const clock = settableClock("2026-01-15T15:00:00Z");
    let left = 0;
    const guarded = guard<PriceProvider>(
      ({ fetch, onResponse }) => ({
        name: "one",
        serves: new Set(["equity"] as const),
        budget: { calls: 2, perMs: 60_000, atOnce: 2 },
        delayMinutes: 0,
        liveWithinMs: 1,
        reaches: {},
        latest: async () => {
          await fetch("http://one.invalid");
          onResponse({ status: 200, providerClock: clock.at() + 1_500 });
          return providerQuote();
        },
      }),
      {
        clock,
        fetch: async () => {
          left++;
          return new Response("");
        },
      },
    );
    const latest = () => guarded.call((signal) => guarded.provider.latest!({} as never, { signal }), open);
    await latest();
    await latest();
    expect(guarded.state()).toMatchObject({ left: 0, skewMs: 1_500 });
    expect(guarded.unavailableReason()).toBe("over_budget");
    await expect(latest()).rejects.toMatchObject({ kind: "rate_limited" });
    expect(left).toBe(2);
    // Our own limit is not a failure of the provider.
    expect(guarded.unavailableReason()).toBe("over_budget");
    expect(guarded.state()).toMatchObject({ failure: null, failedAt: null });
  });
});
