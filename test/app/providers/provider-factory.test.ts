import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import {
  createProviderFactory,
  type ProviderFactoryOptions,
} from "../../../src/app/providers/provider-factory.ts";
import { type Budget, ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import type { Guarded } from "../../../src/market/failover/guard.ts";
import { settableClock } from "../../support/providers.ts";

const BUDGET = { calls: 50, perMs: 60_000, atOnce: 9 } as const;
const waiting = new AbortController().signal;
const KEYS = { FINNHUB_TOKEN: "key-of-finnhub", ALPHAVANTAGE_KEY: "key-of-alphavantage" };

/** A factory whose providers answer every request, and the times of those requests. */
function testFactory(env: Record<string, string> = KEYS, calls?: ProviderFactoryOptions["calls"]) {
  const clock = settableClock("2026-01-15T15:00:00Z");
  const requests: number[] = [];
  const fetch: typeof globalThis.fetch = async () => {
    requests.push(clock.at());
    return new Response("{}");
  };
  const config = readConfig({ MARKET_DATA: "live", ...env });
  const factory = createProviderFactory(config, { fetch, clock, ...(calls && { calls }) });
  const create = (name: "finnhub" | "alphavantage" | "kraken" | "massive", content = "news") =>
    factory.create(
      name,
      ({ fetch: counted }) => ({ name, budget: BUDGET, call: () => counted("http://127.0.0.1/") }),
      { content, maxWaitMs: 0 },
    );
  return { clock, requests, factory, create };
}

type Called = Guarded<{ name: string; budget: Budget; call: () => Promise<Response> }>;
const callTimes = ([guarded]: readonly Called[], times: number) =>
  Promise.all(
    Array.from({ length: times }, () =>
      guarded!.call(() => guarded!.provider.call(), waiting).catch(() => null),
    ),
  );
const failWith = ([guarded]: readonly Called[], failure: ProviderFailure) =>
  guarded!.call(() => Promise.reject(failure), waiting).catch(() => null);

describe("createProviderFactory", () => {
  it("holds all requests to one provider within its rate limit", async () => {
    const { requests, create, clock, factory } = testFactory();
    const [news, earnings] = [create("finnhub"), create("finnhub", "earnings")];
    expect(factory.budgets()).toEqual([{ name: "finnhub", calls: 55, perMs: 60_000, atOnce: 10 }]);
    await callTimes(news, 80);
    await callTimes(earnings, 80);
    expect(requests).toHaveLength(55);
    clock.move(60_000);
    await callTimes(earnings, 80);
    expect(requests).toHaveLength(105); // each kind of data has a separate limit too
  });

  it.each([
    ["free", 5],
    ["starter", 90],
  ])("allows the calls of the plan: %s of Massive", async (MASSIVE_PLAN, calls) => {
    const { requests, create, factory } = testFactory({ MASSIVE_KEY: "key-of-massive", MASSIVE_PLAN });
    await callTimes(create("massive"), 200);
    expect(requests).toHaveLength(calls);
    expect(factory.budgets()).toMatchObject([{ name: "massive", calls }]);
  });

  it("passes the plan of the settings to the adapter", () => {
    const { factory } = testFactory({
      ALPACA_KEY_ID: "id-of-alpaca",
      ALPACA_SECRET_KEY: "secret-of-alpaca",
      ALPACA_PLAN: "algo_trader_plus",
    });
    const plans: unknown[] = [];
    const build = ({ plan }: { plan: string }) => {
      plans.push(plan);
      return { name: "alpaca", budget: BUDGET };
    };
    const [alpaca] = factory.create("alpaca", build, { content: "news" });
    expect(plans).toEqual(["algo_trader_plus"]);
    expect(alpaca!.provider.budget).toEqual({ calls: 9_000, perMs: 60_000, atOnce: 30 });
  });

  it("counts earlier calls against a daily limit", () => {
    const start = settableClock("2026-01-15T15:00:00Z").at();
    const earlier = Array.from({ length: 23 }, (_, i) => start - 24 * 3_600_000 + (i + 1) * 1_000);
    const recorded: [string, number][] = [];
    const { clock, create } = testFactory(KEYS, {
      before: new Map([["alphavantage", earlier]]),
      record: (...call) => recorded.push(call),
    });
    const [limited] = create("alphavantage");
    expect(limited!.state().left).toBe(1);
    const [other] = create("finnhub");
    expect([limited!.unavailableReason(), other!.state().left]).toEqual([null, 50]);
    expect(recorded).toEqual([]);
    clock.move(1_000);
    expect(limited!.state().left).toBe(1); // one request a second
  });

  it("uses an adapter's own limit if the provider has none in the table", async () => {
    const { requests, create, factory } = testFactory();
    await callTimes(create("kraken"), 80);
    expect(requests).toHaveLength(50);
    expect(factory.budgets()).toEqual([{ name: "kraken", ...BUDGET }]);
  });

  it("pauses every kind of data of a provider that is rate limited, and no other provider", async () => {
    const { create, clock } = testFactory();
    const all = [create("finnhub"), create("finnhub", "earnings"), create("kraken")];
    const reasons = () => all.map(([guarded]) => guarded!.unavailableReason());
    await failWith(all[0]!, new ProviderFailure("rate_limited", "no", { retryAfterMs: 20_000 }));
    expect(reasons()).toEqual(["paused", "paused", null]);
    clock.move(20_000);
    expect(reasons()).toEqual([null, null, null]);
  });

  it("pauses only the kind of data that a plan does not include", async () => {
    const { create } = testFactory();
    const all = [create("finnhub"), create("finnhub", "earnings")];
    await failWith(all[0]!, new ProviderFailure("auth", "not in this plan"));
    expect(all.map(([guarded]) => guarded!.unavailableReason())).toEqual(["paused", null]);
  });

  it("creates no provider that is switched off, lacks a key or lacks consent", () => {
    const { factory, create } = testFactory({ PROVIDERS_OFF: "kraken", ALPACA_KEY_ID: "one-of-two" });
    const build = () => ({ name: "any", budget: BUDGET });
    expect([...create("kraken"), ...create("finnhub")]).toEqual([]);
    expect(factory.create("alpaca", build, { content: "news" })).toEqual([]);
    expect(factory.create("kadoa", build, { content: "disclosures" })).toEqual([]);
    expect(factory.connected()).toEqual([]);
  });

  it("creates no provider whose terms restrict automated use with PROVIDERS=licensed", () => {
    const build = () => ({ name: "any", budget: BUDGET });
    const namesOf = (PROVIDERS: string) => {
      const { factory } = testFactory({ PROVIDERS });
      return (["yahoo", "cboe", "nasdaq", "coinbase", "sec", "kadoa"] as const).filter(
        (name) => factory.create(name, build, { content: "news" }).length > 0,
      );
    };
    expect(namesOf("licensed")).toEqual(["coinbase"]);
    expect(namesOf("public")).toEqual(["yahoo", "cboe", "nasdaq", "coinbase"]);
    // a provider that asks for consent to its terms starts only with it
    expect(namesOf("all")).toEqual(["yahoo", "cboe", "nasdaq", "coinbase"]);
  });

  it("passes the keys of the settings to the adapter", () => {
    const { factory } = testFactory({ ALPACA_KEY_ID: "id-of-alpaca", ALPACA_SECRET_KEY: "secret-of-alpaca" });
    const seen: unknown[] = [];
    const build = ({ key, secret }: { key: string; secret: string }) => {
      seen.push(key, secret);
      return { name: "alpaca", budget: BUDGET };
    };
    factory.create("alpaca", build, { content: "news" });
    expect(seen).toEqual(["id-of-alpaca", "secret-of-alpaca"]);
  });

  it("lists the connected providers and runs their checks", async () => {
    const { factory, create } = testFactory();
    create("finnhub");
    factory.create("finnhub", () => ({ name: "finnhub", budget: BUDGET }), {
      content: "earnings",
      check: async (provider) => provider.name,
    });
    expect(factory.connected().map(({ name, content, check }) => [name, content, check === null])).toEqual([
      ["finnhub", "news", true],
      ["finnhub", "earnings", false],
    ]);
    await expect(factory.connected()[1]!.check!(waiting)).resolves.toBe("finnhub");
  });
});
