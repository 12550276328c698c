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
  /** Creates the adapter over a fetch, with a key that the vendor accepts. */
  readonly make: (fetch: typeof globalThis.fetch) => PriceProvider;
  readonly vendor: Vendor;
  readonly instruments: {
    /** An instrument of the fixed world. */
    readonly good: Instrument;
    /** An instrument outside the fixed world: `UNLISTED_STOCK`, `UNLISTED_TOKEN`. */
    readonly unknown: Instrument;
    /** Another instrument of the fixed world, whose response must be rejected for `good`. */
    readonly other?: Instrument;
  };
  readonly world?: World;
  /** Relative rounding of the vendor's prices. Default: 1e-9. Coarser only if documented by the vendor. */
  readonly tolerance?: number;
  /** Requests whose responses name no instrument, so that a mix-up cannot be detected; give the reason in a comment. */
  readonly echoless?: readonly ("latest" | "history")[];
  /** `empty` if the response about an unknown symbol equals one without bars. */
  readonly unknownHistory?: "empty";
  /** Bodies that mean "no bars" according to the vendor's documentation: `["[]"]`. */
  readonly noBars?: readonly string[];
  /** False if the vendor's volumes are only a part of the world's. */
  readonly volumes?: false;
  /** The vendor's expected latest trade, if it is not the world's newest one. */
  readonly quoted?: (
    world: World,
    instrument: Instrument,
  ) => { readonly price: number; readonly tradedAt: number };
}

/** Registers the contract tests of a price provider over its replayed vendor; called once per adapter. */
export function describePriceProvider(name: string, contract: PriceProviderContract): void {
  const bench = priceProviderFixture(contract);
  const { honest, shape, lengths, questions } = bench;
  const { make, vendor } = contract;

  describe(`${name}, price provider contract`, () => {
    it("has a name, kinds and limits", () => {
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
