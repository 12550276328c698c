import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import { createProviderFactory, withKey, withPair } from "../../../src/app/providers/provider-factory.ts";
import { type Budget, ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import type { Guarded } from "../../../src/market/failover/guard.ts";
import { settableClock } from "../../support/providers.ts";

const BUDGET = { calls: 50, perMs: 60_000, atOnce: 9 } as const;
const waiting = new AbortController().signal;

/** A kit over a vendor that answers everything, and the calls it has had. */
function stand(env: Record<string, string> = {}) {
  const clock = settableClock("2026-01-15T15:00:00Z");
  const calls: number[] = [];
  const fetch: typeof globalThis.fetch = async () => {
    calls.push(clock.at());
    return new Response("{}");
  };
  const kit = createProviderFactory(readConfig({ MARKET_DATA: "live", ...env }), { fetch, clock });
  const source = (name: "finnhub" | "kraken", budget: Budget = BUDGET) =>
    kit.create(name, ({ fetch: counted }) => ({ name, budget, call: () => counted("http://127.0.0.1/") }), {
      content: "news",
      maxWaitMs: 0,
    });
  return { clock, calls, kit, source };
}

type Called = Guarded<{ name: string; budget: Budget; call: () => Promise<Response> }>;
const asked = ([guarded]: readonly Called[], times: number) =>
  Promise.all(
    Array.from({ length: times }, () =>
      guarded!.call(() => guarded!.provider.call(), new AbortController().signal).catch(() => null),
    ),
  );

describe("a kit of sources", () => {
  it("keeps all that is asked of one vendor within what it allows altogether", async () => {
    const { calls, source, clock, kit } = stand();
    const [one, other] = [source("finnhub"), source("finnhub")] as const;
    expect(kit.budgets()).toEqual([{ name: "finnhub", calls: 55, perMs: 60_000, atOnce: 10 }]);
    await asked(one, 80);
    await asked(other, 80);
    expect(calls).toHaveLength(55);
    clock.move(60_000);
    await asked(other, 80);
    expect(calls).toHaveLength(105); // each keeps to its own share too
  });

  it("counts what a vendor with a limit by the day was asked before, and says what it is asked", async () => {
    const clock = settableClock("2026-01-15T15:00:00Z");
    const hour = 3_600_000;
    const asked = Array.from({ length: 23 }, (_, i) => clock.at() - 24 * hour + (i + 1) * 1_000);
    const took: [string, number][] = [];
    const calls = {
      before: new Map([["alphavantage", asked]]),
      record: (...call: [string, number]) => took.push(call),
    };
    const kit = createProviderFactory(readConfig({ MARKET_DATA: "live" }), { fetch, clock, calls });
    const [guarded] = kit.create("alphavantage", () => ({ name: "alphavantage", budget: BUDGET }), {
      content: "news",
    });
    expect(guarded!.state().left).toBe(1);
    const [other] = kit.create("finnhub", () => ({ name: "finnhub", budget: BUDGET }), { content: "news" });
    expect([guarded!.unavailableReason(), other!.state().left]).toEqual([null, 50]);
    expect(took).toEqual([]);
    clock.move(1_000);
    expect(guarded!.state().left).toBe(1); // one a second
  });

  it("counts vendors without a limit by source", async () => {
    const { calls, source, kit } = stand();
    await asked(source("kraken"), 80);
    expect(calls).toHaveLength(50);
    expect(kit.budgets()).toEqual([{ name: "kraken", ...BUDGET }]);
  });

  it("leaves a vendor alone that has refused one of its questions, and asks others", async () => {
    const { source, clock } = stand();
    const [one, other, third] = [source("finnhub"), source("finnhub"), source("kraken")] as const;
    const refusal = new ProviderFailure("rate_limited", "no", { retryAfterMs: 20_000 });
    await one[0]!.call(() => Promise.reject(refusal), waiting).catch(() => null);
    expect([one, other, third].map(([guarded]) => guarded!.unavailableReason())).toEqual([
      "paused",
      "paused",
      null,
    ]);
    clock.move(20_000);
    expect([one, other].map(([guarded]) => guarded!.unavailableReason())).toEqual([null, null]);
  });

  it("does not hold what one source may not be asked against the others of its vendor", async () => {
    const { source } = stand();
    const [one, other] = [source("finnhub"), source("finnhub")] as const;
    await one[0]!
      .call(() => Promise.reject(new ProviderFailure("auth", "not in this plan")), waiting)
      .catch(() => null);
    expect([one, other].map(([guarded]) => guarded!.unavailableReason())).toEqual(["paused", null]);
  });

  it("makes none that is switched off or lacks what it needs", () => {
    const { source, kit } = stand({ PROVIDERS_OFF: "kraken" });
    expect(source("kraken")).toEqual([]);
    expect(
      kit.create(
        "finnhub",
        withKey(undefined, () => ({ name: "finnhub", budget: BUDGET })),
        { content: "news" },
      ),
    ).toEqual([]);
    expect(kit.connected()).toEqual([]);
    expect(withPair(["id", undefined], () => 1)).toBeNull();
    expect(withPair(["id", "secret"], (id, secret) => [id, secret])?.({ fetch })).toEqual(["id", "secret"]);
  });

  it("tells who is connected, and asks them to see whether they work", async () => {
    const { kit, source } = stand();
    source("finnhub");
    kit.create("finnhub", () => ({ name: "finnhub", budget: BUDGET }), {
      content: "earnings",
      check: async (made) => made.name,
    });
    expect(kit.connected().map(({ name, content: of, check }) => [name, of, check === null])).toEqual([
      ["finnhub", "news", true],
      ["finnhub", "earnings", false],
    ]);
    await expect(kit.connected()[1]!.check!(waiting)).resolves.toBe("finnhub");
  });
});
