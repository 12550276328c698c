import { describe, expect, it } from "vitest";
import type { Instrument } from "../../src/domain/market/market.ts";
import type { PriceProvider } from "../../src/domain/providers/price-provider.ts";
import type { Vendor } from "../replay/vendor.ts";
import type { World } from "../replay/world.ts";
import { countingFetch } from "./faulty-fetch.ts";
import { describeAnswers } from "./price-provider-answers.ts";
import { priceProviderFixture } from "./price-provider-fixture.ts";
import { describePriceRefusals } from "./price-provider-refusals.ts";
import type { RefusalContract } from "./provider-refusals.ts";

export interface PriceProviderContract
  extends Pick<RefusalContract<Instrument, unknown>, "accept" | "keyInUrl"> {
  /** The adapter over a fetch, with the key that the vendor accepts. */
  readonly make: (fetch: typeof globalThis.fetch) => PriceProvider;
  readonly vendor: Vendor;
  readonly instruments: {
    /** Of the fixed world. */
    readonly good: Instrument;
    /** Not of it: `UNLISTED_STOCK`, `UNLISTED_TOKEN`. */
    readonly unknown: Instrument;
    /** Another of the fixed world, whose answer must not pass for the good one's. */
    readonly other?: Instrument;
  };
  readonly world?: World;
  /** Relative rounding of the vendor's prices; 1e-9 unless it documents coarser ones. */
  readonly tolerance?: number;
  /** Calls whose responses name no instrument, so that a mix-up cannot be detected; give the reason in a comment. */
  readonly echoless?: readonly ("latest" | "history")[];
  /** True when an unknown symbol looks like one without bars. */
  readonly unknownHistory?: "empty";
  /** Bodies that are the vendor's documented way of saying "no bars": `["[]"]`. */
  readonly noBars?: readonly string[];
  /** Where the vendor's volumes are a part of the world's. */
  readonly volumes?: false;
  /** What the vendor says of the latest trade, where that is not the world's newest one. */
  readonly quoted?: (
    world: World,
    instrument: Instrument,
  ) => { readonly price: number; readonly tradedAt: number };
}

/** What every source of prices promises, shown with its replayed vendor; registered once per adapter. */
export function describePriceProvider(name: string, contract: PriceProviderContract): void {
  const bench = priceProviderFixture(contract);
  const { honest, shape, lengths, questions } = bench;
  const { make, vendor } = contract;

  describe(`${name}, the contract of a source`, () => {
    it("states its name, kinds and limits", () => {
      expect(shape.name).toMatch(/^[a-z][a-z0-9]*$/);
      expect(shape.name).toBe(vendor.name);
      expect(shape.serves.size).toBeGreaterThan(0);
      expect(questions.length, "it answers something").toBeGreaterThan(0);
      expect(shape.history === undefined, "bars of no length").toBe(lengths.length === 0);
      expect(Math.min(shape.budget.calls, shape.budget.perMs, shape.budget.atOnce)).toBeGreaterThanOrEqual(1);
      expect(Math.min(shape.delayMinutes, ...Object.values(shape.reaches))).toBeGreaterThanOrEqual(0);
      expect(shape.liveWithinMs).toBeGreaterThan(0);
    });

    it("sends nothing before the first request", () => {
      const calls = countingFetch(honest);
      make(calls);
      expect(calls.count()).toBe(0);
    });

    describeAnswers(bench);
    describePriceRefusals(bench);
  });
}
