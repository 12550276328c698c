import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { liveHealth } from "../../../src/market/failover/health.ts";
import { fakeProvider, INSTRUMENTS, providerQuote, settableClock } from "../../support/providers.ts";

function setup() {
  const clock = settableClock("2026-01-15T15:00:00Z");
  const calls: string[] = [];
  const failing = new Set<string>();
  const hanging = new Set<string>();
  const one = (name: string) =>
    fakeProvider(name, {
      clock,
      latest: async (signal) => {
        calls.push(name);
        if (hanging.has(name))
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
  return { news, clock, calls, failing, hanging, health };
}

describe("liveHealth", () => {
  it("reports providers without prices for a minute after a call, and never probes them", async () => {
    const { health, news, calls, clock } = setup();
    await health.report();
    expect(calls).toEqual(["a", "b"]);
    const left = new AbortController();
    const givenUp = news.call(() => new Promise(() => left.abort()), left.signal);
    await expect(givenUp).rejects.toThrow();
    expect(health.current().map(({ name }) => name)).toEqual(["a", "b"]);
    await news.call(async () => clock.move(25), new AbortController().signal);
    const newsHealth = () => health.current().find(({ name }) => name === "c news");
    expect(newsHealth()).toMatchObject({ healthy: true, answering: true, latency_ms: 25 });
    clock.move(60_000);
    expect(newsHealth()).toMatchObject({ healthy: true, answering: false });
    await health.report();
    expect(calls).not.toContain("c");
  });

  it("omits providers that were never called until a report probes them", async () => {
    const { health, calls } = setup();
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

  it("does not probe a provider called within the last minute", async () => {
    const { health, calls, clock } = setup();
    await health.report();
    await health.report();
    expect(calls).toEqual(["a", "b"]);
    clock.move(60_000);
    await health.report();
    expect(calls).toEqual(["a", "b", "a", "b"]);
  });

  it("reports a failure for a minute", async () => {
    const { health, failing, clock } = setup();
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

  it("waits at most a second for a probe", async () => {
    const { health, hanging } = setup();
    hanging.add("b");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const report = health.report();
    await vi.advanceTimersByTimeAsync(1_000);
    const [a, b] = await report;
    expect(a).toMatchObject({ name: "a", healthy: true });
    expect(b).toMatchObject({ name: "b", healthy: false, answering: false });
  });
});
