import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../../src/domain/market/market.ts";
import type { OptionChain } from "../../../../src/domain/options-flow/options.ts";
import type { ChainProvider } from "../../../../src/domain/options-flow/provider.ts";
import type { OptionChainAnswer } from "../../../../src/domain/ports.ts";
import { ProviderFailure } from "../../../../src/domain/providers/price-provider.ts";
import { liveChains } from "../../../../src/features/options-flow/live/chains.ts";
import { guard } from "../../../../src/market/failover/guard.ts";
import { fixed } from "../../../support/fixed-world.ts";
import { chainOf, option } from "../../../support/option-chain.ts";
import { movingClock } from "../../../support/store.ts";

const MINUTE = 60_000;
const missing = { unavailable: "not_connected", reason: "none is on" } as const;
const AAPL = fixed("AAPL");

/** Live chains over sources that answer so, on a clock that the test moves; without one there is no source. */
function stand(...ways: readonly ((now: Date, instrument: Instrument) => OptionChain | ProviderFailure)[]) {
  const clock = movingClock(new Date("2026-01-21T15:00:00.000Z"));
  const providers = ways.map((way, i) =>
    guard<ChainProvider>(
      () => ({
        name: `p${i}`,
        budget: { calls: 100, perMs: MINUTE, atOnce: 4 },
        call: async (instrument) => {
          const answer = way(clock.now(), instrument);
          if (answer instanceof ProviderFailure) throw answer;
          return answer;
        },
      }),
      { fetch, clock },
    ),
  );
  const { chain } = liveChains({ providers, clock, missing });
  return { clock, chain, told: async () => (await chain(AAPL)) as OptionChainAnswer };
}
/** Contracts of a chain of a moment: one traded so many times since 15:00 as minutes have passed, one never. */
const growing = (now: Date) =>
  chainOf([option({ volume: (now.getTime() / MINUTE) % 60 }), option({ strike: 105, volume: 0 })], {
    asOf: now.toISOString(),
  });

describe("live chains", () => {
  it("tell who answered, and keep the answer for five minutes", async () => {
    const { clock, told } = stand(() => new ProviderFailure("down", "so"), growing);
    const first = await told();
    expect(first).toMatchObject({
      source: "p1",
      stale: false,
      earlier: null,
      fetchedAt: "2026-01-21T15:00:00.000Z",
      tried: [{ provider: "p0", outcome: "down" }, { provider: "p1" }],
    });
    clock.pass(5 * MINUTE - 1);
    expect((await told()).chain).toBe(first.chain);
    clock.pass(1);
    expect((await told()).chain.asOf).toBe("2026-01-21T15:05:00.000Z");
  });

  it("tell beside it the newest snapshot of at least ten minutes before, without what did not trade", async () => {
    const { clock, told } = stand(growing);
    await told();
    const earlier: (string | undefined)[] = [];
    for (let i = 0; i < 6; i++) {
      clock.pass(6 * MINUTE);
      earlier.push((await told()).earlier?.asOf.slice(11, 16));
    }
    // kept at 15:00, 15:12, 15:24 and so on
    expect(earlier).toEqual([undefined, "15:00", "15:00", "15:12", "15:12", "15:24"]);
    clock.pass(6 * MINUTE);
    expect((await told()).earlier!.contracts.map(({ strike }) => strike)).toEqual([100]);
  });

  it("compare no snapshot of one source with another's", async () => {
    let up = true;
    const { clock, told } = stand(
      (now) => (up ? growing(now) : new ProviderFailure("down", "so")),
      (now) => ({ ...growing(now), source: "other" }),
    );
    await told();
    up = false;
    clock.pass(20 * MINUTE);
    expect(await told()).toMatchObject({ source: "p1", earlier: null });
  });

  it("are not covered where nobody has options, stale where nobody answers, missing where nobody is asked", async () => {
    const unknown = stand(() => new ProviderFailure("unknown_symbol", "so"));
    expect(await unknown.chain(AAPL)).toEqual({
      unavailable: "not_covered",
      reason: "No source has options on AAPL",
    });
    expect(await stand().chain(AAPL)).toBe(missing);
    let up = true;
    const { clock, told } = stand((now) => (up ? growing(now) : new ProviderFailure("down", "so")));
    await told();
    up = false;
    clock.pass(60 * MINUTE);
    expect(await told()).toMatchObject({ stale: true, chain: { asOf: "2026-01-21T15:00:00.000Z" } });
    clock.pass(73 * 60 * MINUTE);
    await expect(told()).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message: "No provider answered for options on AAPL",
    });
  });
});
