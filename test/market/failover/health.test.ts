import { describe, expect, it } from "vitest";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { liveHealth } from "../../../src/market/failover/health.ts";
import { fakeProvider, INSTRUMENTS, providerQuote, settableClock } from "../../support/providers.ts";

function stand() {
  const clock = settableClock("2026-01-15T15:00:00Z");
  const calls: string[] = [];
  const failing = new Set<string>();
  const silent = new Set<string>();
  const one = (name: string) =>
    fakeProvider(name, {
      clock,
      latest: async (signal) => {
        calls.push(name);
        if (silent.has(name))
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        if (failing.has(name)) throw new ProviderFailure("down", "no");
        clock.move(25);
        return providerQuote();
      },
    });
  const guards = [one("a"), one("b")];
  const news = one("c");
  const others = [{ content: "news", guarded: news }];
  const health = liveHealth({ guards, otherProviders: others, clock, probe: () => INSTRUMENTS.us });
  return { news, clock, calls, failing, silent, health };
}

describe("the health of live sources", () => {
  it("tells those that give no prices once they were called, never asks them, and vouches for them a minute", async () => {
    const { health, news, calls, clock } = stand();
    await health.report();
    expect(calls).toEqual(["a", "b"]);
    const left = new AbortController();
    const givenUp = news.call(() => new Promise(() => left.abort()), left.signal);
    await expect(givenUp).rejects.toThrow();
    expect(health.current().map(({ name }) => name)).toEqual(["a", "b"]);
    await news.call(async () => clock.move(25), new AbortController().signal);
    const told = () => health.current().find(({ name }) => name === "c news");
    expect(told()).toMatchObject({ healthy: true, answering: true, latency_ms: 25 });
    clock.move(60_000);
    expect(told()).toMatchObject({ healthy: true, answering: false });
    await health.report();
    expect(calls).not.toContain("c");
  });

  it("leaves out those that were never called, until somebody wants to know", async () => {
    const { health, calls } = stand();
    expect(health.current()).toEqual([]);
    expect(calls).toEqual([]);
    expect(await health.report()).toEqual([
      {
        name: "a",
        healthy: true,
        latency_ms: expect.any(Number),
        answering: true,
        network: {
          last_success: expect.stringMatching(/^2026-01-15T15:00:00/),
          limit_left: 999,
          breaker: "closed",
          clock_skew_ms: null,
          failure: null,
        },
      },
      expect.objectContaining({ name: "b", healthy: true }),
    ]);
  });

  it("calls nobody that was called within the last minute", async () => {
    const { health, calls, clock } = stand();
    await health.report();
    await health.report();
    expect(calls).toEqual(["a", "b"]);
    clock.move(60_000);
    await health.report();
    expect(calls).toEqual(["a", "b", "a", "b"]);
  });

  it("says what failed, and for how long that counts", async () => {
    const { health, failing, clock } = stand();
    failing.add("b");
    expect(await health.report()).toMatchObject([
      { name: "a", healthy: true },
      { name: "b", healthy: false, answering: false, network: { failure: "down", last_success: null } },
    ]);
    failing.clear();
    clock.move(61_000);
    expect(await health.report()).toMatchObject([
      { healthy: true },
      { healthy: true, network: { failure: null } },
    ]);
  });

  it("waits for nobody longer than a second", async () => {
    const { health, silent } = stand();
    silent.add("b");
    const started = performance.now();
    const [a, b] = await health.report();
    expect(performance.now() - started).toBeLessThan(1_500);
    expect(a).toMatchObject({ name: "a", healthy: true });
    expect(b).toMatchObject({ name: "b", healthy: false, answering: false });
  });
});
