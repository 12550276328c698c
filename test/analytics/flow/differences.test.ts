import { describe, expect, it } from "vitest";
import { differenceOf } from "../../../src/analytics/flow/differences.ts";
import { chainOf, option } from "../../support/option-chain.ts";

const at = (time: string, ...contracts: readonly ReturnType<typeof option>[]) =>
  chainOf(contracts, { asOf: `2026-01-21T${time}.000Z` });
const quoted = { bid: 1, ask: 1.5 };

describe("volume traded between two snapshots", () => {
  it("is the increase in each volume, at the quotes of the later snapshot", () => {
    const earlier = at("15:00:00", option({ volume: 100 }), option({ strike: 105, volume: 7 }));
    const later = at(
      "15:15:00",
      option({ volume: 140, ...quoted }),
      option({ strike: 105, volume: 7, ...quoted }),
      option({ strike: 110, volume: 3, ...quoted }),
    );
    expect(differenceOf(earlier, later)).toEqual({
      from: Date.parse("2026-01-21T15:00:00Z"),
      to: Date.parse("2026-01-21T15:15:00Z"),
      traded: [
        { contract: later.contracts[0], volume: 40, premium: 5000 },
        { contract: later.contracts[2], volume: 3, premium: 375 },
      ],
      corrected: 0,
    });
  });

  it("counts from the open without an earlier snapshot of the same session", () => {
    const later = at("15:15:00", option({ volume: 140, ...quoted }));
    const yesterday = chainOf([option({ volume: 9000 })], { asOf: "2026-01-20T21:15:00.000Z" });
    for (const earlier of [null, yesterday])
      expect(differenceOf(earlier, later)).toMatchObject({
        from: null,
        traded: [{ volume: 140 }],
        corrected: 0,
      });
  });

  it("omits cancelled trades and volumes that are not comparable", () => {
    const earlier = at("15:00:00", option({ volume: 100 }), option({ strike: 105 }));
    const later = at(
      "15:15:00",
      option({ volume: 90 }),
      option({ strike: 105, volume: 5 }),
      option({ strike: 110 }),
    );
    expect(differenceOf(earlier, later)).toMatchObject({ traded: [], corrected: 1 });
  });

  it("has no premium without a price, and is then sorted last", () => {
    const later = at("15:15:00", option({ volume: 500 }), option({ strike: 105, volume: 5, ...quoted }));
    expect(differenceOf(null, later).traded.map(({ volume, premium }) => [volume, premium])).toEqual([
      [5, 625],
      [500, null],
    ]);
  });

  it("throws for two symbols and for the wrong order", () => {
    const other = chainOf([], { underlying: { symbol: "ABC", price: 1, tradedAt: null } });
    expect(() => differenceOf(other, chainOf([]))).toThrow(RangeError);
    expect(() => differenceOf(at("15:15:00"), at("15:00:00"))).toThrow(RangeError);
  });
});
