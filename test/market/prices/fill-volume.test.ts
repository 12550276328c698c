import { describe, expect, it } from "vitest";
import { ProviderFailure, type ProviderQuote } from "../../../src/domain/providers/price-provider.ts";
import { withVolume } from "../../../src/market/prices/fill-volume.ts";
import { liveQuotes } from "../../../src/market/prices/quotes.ts";
import {
  fakeProvider,
  INSTRUMENTS,
  providerQuote,
  settableClock,
  shortMemory,
} from "../../support/providers.ts";

const { us, token } = INSTRUMENTS;
const YESTERDAY = Date.parse("2026-01-14T20:59:00Z");

/** Creates quotes over providers with these figures; the first one has no volume. */
function setup(others: Readonly<Record<string, Partial<ProviderQuote> | ProviderFailure>>) {
  const clock = settableClock("2026-01-15T15:00:00Z");
  const calls: string[] = [];
  const figures: Record<string, Partial<ProviderQuote> | ProviderFailure> = {
    first: { volume: null },
    ...others,
  };
  const guards = Object.keys(figures).map((name) =>
    fakeProvider(name, {
      clock,
      latest: async () => {
        calls.push(name);
        const over = figures[name]!;
        if (over instanceof ProviderFailure) throw over;
        return providerQuote({ tradedAt: clock.at() - 1_000, ...over });
      },
    }),
  );
  const deps = { chain: () => guards, memory: shortMemory().memory, clock };
  return { clock, calls, figures, quotes: withVolume(liveQuotes(deps), deps) };
}

describe("a quote without volume", () => {
  it("has the volume of the next provider, which it names", async () => {
    const { quotes } = setup({ second: { price: 100.5, volume: 5_000, high: 102 } });
    expect(await quotes.latest(us)).toMatchObject({
      price: 100,
      high: 101,
      source: "first",
      volume: 5_000,
      origin: { volume_provider: "second", volume_scope: "all_venues" },
    });
  });

  it.each([
    ["a volume of one venue", { volume: 7, volumeScope: "one_venue" as const }],
    ["a volume of an earlier session", { volume: 7, tradedAt: YESTERDAY }],
    ["no volume", { volume: null }],
    ["no response", new ProviderFailure("down", "no")],
  ])("does not take %s", async (_, second) => {
    const { quotes } = setup({ second, third: { volume: 9_000 } });
    expect(await quotes.latest(us)).toMatchObject({ volume: 9_000, origin: { volume_provider: "third" } });
    const alone = await setup({ second }).quotes.latest(us);
    expect(alone.volume).toBeNull();
    expect(alone.origin).not.toHaveProperty("volume_provider");
  });

  it("asks for the volume once a minute", async () => {
    const { quotes, calls, clock } = setup({ second: { volume: 5_000 } });
    for (const _ of [1, 2, 3]) {
      await quotes.latest(us);
      clock.move(19_000);
    }
    expect(calls.filter((name) => name === "second")).toHaveLength(1);
    clock.move(10_000);
    await quotes.latest(us);
    expect(calls.filter((name) => name === "second")).toHaveLength(2);
  });

  it("of a token stays without one, because each venue has its own", async () => {
    const { quotes, calls } = setup({ second: { volume: 5_000 } });
    expect((await quotes.latest(token)).volume).toBeNull();
    expect(calls).toEqual(["first"]);
  });

  it("does not ask again within a minute if no provider has one", async () => {
    const { quotes, clock, calls } = setup({ second: { volume: null } });
    await quotes.latest(us);
    clock.move(1_000);
    await quotes.latest(us);
    expect(calls).toEqual(["first", "second"]);
  });

  it("of a past answer, returned because no provider responds, is not completed", async () => {
    const { quotes, clock, calls, figures } = setup({ second: { volume: 5_000 } });
    await quotes.latest(us);
    clock.move(61_000);
    calls.length = 0;
    for (const name of ["first", "second"]) figures[name] = new ProviderFailure("unsupported", "no");
    expect(await quotes.latest(us)).toMatchObject({ volume: null, origin: { stale: true } });
    expect(calls).toEqual(["first", "second"]);
  });
});

it("a quote with a volume is returned as it is", async () => {
  const { quotes, calls } = setup({ first: { volume: 3 }, second: { volume: 5_000 } });
  const quote = await quotes.latest(us);
  expect([quote.volume, quote.origin?.volume_provider]).toEqual([3, undefined]);
  expect(calls).toEqual(["first"]);
});
