import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../../src/domain/market/market.ts";
import type { OptionChain } from "../../../../src/domain/options-flow/options.ts";
import type { OptionChainAnswer } from "../../../../src/domain/ports.ts";
import { ProviderFailure } from "../../../../src/domain/providers/price-provider.ts";
import { liveChains } from "../../../../src/features/options-flow/live/chains.ts";
import { fixed } from "../../../support/fixed-world.ts";
import { chainOf, option } from "../../../support/option-chain.ts";
import { respondingProvider } from "../../../support/providers.ts";
import { movingClock } from "../../../support/store.ts";

const MINUTE = 60_000;
const missing = { unavailable: "not_connected", reason: "none is on" } as const;
const AAPL = fixed("AAPL");

/** Live chains of providers that respond by these functions, with a clock that the test moves. */
function live(...ways: readonly ((now: Date, instrument: Instrument) => OptionChain | ProviderFailure)[]) {
  const clock = movingClock(new Date("2026-01-21T15:00:00.000Z"));
  const providers = ways.map((way, i) =>
    respondingProvider(`p${i}`, clock, (instrument: Instrument) => way(clock.now(), instrument)),
  );
  const { chain } = liveChains({ providers, clock, missing });
  return { clock, chain, read: async () => (await chain(AAPL)) as OptionChainAnswer };
}
/** A chain with one contract that trades once a minute from 15:00 and one that never trades. */
const growing = (now: Date) =>
  chainOf([option({ volume: (now.getTime() / MINUTE) % 60 }), option({ strike: 105, volume: 0 })], {
    asOf: now.toISOString(),
  });

describe("live chains", () => {
  it("name the provider that responded, and are cached for five minutes", async () => {
    const { clock, read } = live(() => new ProviderFailure("down", "so"), growing);
    const first = await read();
    expect(first).toMatchObject({
      source: "p1",
      stale: false,
      earlier: null,
      fetchedAt: "2026-01-21T15:00:00.000Z",
      tried: [{ provider: "p0", outcome: "down" }, { provider: "p1" }],
    });
    clock.pass(5 * MINUTE - 1);
    expect((await read()).chain).toBe(first.chain);
    clock.pass(1);
    expect((await read()).chain.asOf).toBe("2026-01-21T15:05:00.000Z");
  });

  it("include the newest snapshot at least ten minutes older, without contracts that did not trade", async () => {
    const { clock, read } = live(growing);
    await read();
    const earlier: (string | undefined)[] = [];
    for (let i = 0; i < 6; i++) {
      clock.pass(6 * MINUTE);
      earlier.push((await read()).earlier?.asOf.slice(11, 16));
    }
    // stored at 15:00, 15:12, 15:24 and so on
    expect(earlier).toEqual([undefined, "15:00", "15:00", "15:12", "15:12", "15:24"]);
    clock.pass(6 * MINUTE);
    expect((await read()).earlier!.contracts.map(({ strike }) => strike)).toEqual([100]);
  });

  it("compare no snapshots of different providers", async () => {
    let up = true;
    const { clock, read } = live(
      (now) => (up ? growing(now) : new ProviderFailure("down", "so")),
      (now) => ({ ...growing(now), source: "other" }),
    );
    await read();
    up = false;
    clock.pass(20 * MINUTE);
    expect(await read()).toMatchObject({ source: "p1", earlier: null });
  });

  it("are not covered without options, stale in an outage, and missing without a provider", async () => {
    const unknown = live(() => new ProviderFailure("unknown_symbol", "so"));
    expect(await unknown.chain(AAPL)).toEqual({
      unavailable: "not_covered",
      reason: "No provider has options on AAPL",
    });
    expect(await live().chain(AAPL)).toBe(missing);
    let up = true;
    const { clock, read } = live((now) => (up ? growing(now) : new ProviderFailure("down", "so")));
    await read();
    up = false;
    clock.pass(60 * MINUTE);
    expect(await read()).toMatchObject({ stale: true, chain: { asOf: "2026-01-21T15:00:00.000Z" } });
    clock.pass(73 * 60 * MINUTE);
    await expect(read()).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message: "No provider answered for options on AAPL",
    });
  });
});
