import { describe, expect, it } from "vitest";
import { type FailureKind, ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import type { DiagnosableProvider } from "../../../src/domain/providers/provider.ts";
import { guard } from "../../../src/market/failover/guard.ts";
import { problemsOf } from "../../../src/market/failover/problems.ts";
import { resourceOf } from "../../../src/market/failover/resource.ts";
import { movingClock } from "../../support/store.ts";

const clock = movingClock(new Date("2026-01-15T15:00:00.000Z"));
const { signal } = new AbortController();
const settings = { whales: "WHALES_TOKEN", massive: "MASSIVE_KEY" };

/** A provider that fails with `kind`; null succeeds. */
const source = (name: string, kind: FailureKind | null, problem: string | null = null) =>
  guard(
    () => ({
      name,
      budget: { calls: 99, perMs: 60_000, atOnce: 1 },
      problem: () => problem,
      call: async () => {
        if (kind !== null) throw new ProviderFailure(kind, "so");
        return { said: "so" };
      },
    }),
    { fetch, clock },
  );
const callOnce = async <S extends DiagnosableProvider & { call(): Promise<unknown> }>(
  one: ReturnType<typeof guard<S>>,
) => {
  await one.call(() => one.provider.call(), signal).catch(() => undefined);
  return one;
};

describe("problemsOf", () => {
  it("names the setting of a rejected key, and a provider's own problem", async () => {
    const guards = [
      source("tape", null, "THE_TAPE cannot be read"),
      source("whales", "auth"),
      source("massive", "down"),
      source("keyless", "auth"),
    ];
    expect(problemsOf(guards, settings)).toEqual(["THE_TAPE cannot be read"]);
    for (const guarded of guards) await callOnce(guarded);
    expect(problemsOf(guards, settings)).toEqual([
      "THE_TAPE cannot be read",
      "whales rejects the key in WHALES_TOKEN",
    ]);
  });

  it("does not name a key that is accepted again", async () => {
    let refused = true;
    const call = async () => {
      if (refused) throw new ProviderFailure("auth", "so");
      return null;
    };
    const budget = { calls: 99, perMs: 60_000, atOnce: 1 };
    const whales = guard(() => ({ name: "whales", budget, call }), { fetch, clock });
    await callOnce(whales);
    expect(problemsOf([whales], settings)).toHaveLength(1);
    refused = false;
    clock.pass(60_000);
    await callOnce(whales);
    expect(problemsOf([whales], settings)).toEqual([]);
  });

  it("replaces the message of a temporary outage", async () => {
    const refusalOf = (...kinds: readonly [string, FailureKind][]) =>
      resourceOf<string, object>({
        providers: kinds.map(([name, kind]) => source(name, kind)),
        about: (what) => `news of ${what}`,
        clock,
        keyOf: (what) => what,
        freshMs: 1,
        staleMs: 1,
        settings,
      })("AAPL").catch((cause: unknown) => cause);
    expect(await refusalOf(["whales", "auth"], ["massive", "auth"])).toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message:
        "No provider answered for news of AAPL: whales rejects the key in WHALES_TOKEN; massive rejects the key in MASSIVE_KEY",
      hint: "get_health shows which providers respond.",
      command: "market-signal doctor",
    });
    expect(await refusalOf(["whales", "auth"], ["massive", "down"])).toMatchObject({
      message: "No provider answered for news of AAPL: whales rejects the key in WHALES_TOKEN",
      hint: "Retry in a minute. get_health shows which providers respond.",
    });
    expect(await refusalOf(["massive", "down"])).toMatchObject({
      message: "No provider answered for news of AAPL",
    });
  });

  it("names our own call limit and when it ends, unless it ends soon", async () => {
    const day = movingClock(new Date("2026-01-15T15:00:10.000Z"));
    const provider = (name: string, perMs: number) => {
      const made = guard(
        ({ acquireSlot: enter }) => ({
          name,
          budget: { calls: 1, perMs, atOnce: 1 },
          call: async () => {
            (await enter())();
            return { said: "so" };
          },
        }),
        { fetch, clock: day },
      );
      return made;
    };
    const refusalOf = async (...providers: readonly ReturnType<typeof provider>[]) => {
      for (const guarded of providers) await callOnce(guarded);
      return resourceOf<string, object>({
        providers,
        about: (what) => `news of ${what}`,
        clock: day,
        keyOf: (what) => what,
        freshMs: 1,
        staleMs: 1,
      })("AAPL").catch((cause: unknown) => cause);
    };
    const daily = () => provider("vantage", 86_400_000);
    expect(await refusalOf(daily())).toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message:
        "No provider answered for news of AAPL: the call limit of vantage is used up until 2026-01-16T15:01Z",
      hint: "Retry at 2026-01-16T15:01Z. get_health shows which providers respond.",
      data: { tried: [{ provider: "vantage", outcome: "over_budget" }] },
    });
    expect(await refusalOf(daily(), provider("soon", 60_000))).toMatchObject({
      hint: "Retry in a minute. get_health shows which providers respond.",
    });
    expect(await refusalOf(daily(), provider("hourly", 3_600_000))).toMatchObject({
      hint: "Retry at 2026-01-15T16:01Z. get_health shows which providers respond.",
    });
  });
});
