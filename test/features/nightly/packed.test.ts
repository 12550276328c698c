import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import type { RowInputs } from "../../../src/features/nightly/engine-row.ts";
import { pack, unpack } from "../../../src/features/nightly/packed.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

const series = Array.from({ length: 5 }, (_, i) => syntheticBars(i + 1, 20 + i, i === 4 ? "UTC" : undefined));
const returns = [0.5, -0.25, 0];
const universe = { returns, own: -0.25, hash: "h" };

const subject = fc.record({
  own: fc.nat(4),
  benchmark: fc.option(fc.nat(4)),
  peers: fc.array(fc.nat(4), { maxLength: 6 }),
  ranked: fc.boolean(),
});
const subjectOf = (
  { own, benchmark, peers, ranked }: typeof subject extends fc.Arbitrary<infer T> ? T : never,
  i: number,
): RowInputs => ({
  instrument: { symbol: `S${i}`, name: "S", asset_class: "equity", sector: null, currency: "USD" },
  decidedAt: "2026-01-14T21:00:00.000Z",
  source: "fixture",
  venue: "XTST",
  input: {
    bars: series[own]!,
    assetClass: "equity",
    isBenchmark: false,
    facts: {},
    benchmark: benchmark === null ? null : series[benchmark]!,
    peers: peers.map((place) => series[place]!),
    universe: ranked ? universe : null,
  },
});

describe("a packed batch", () => {
  it("is unpacked unchanged, also after its transfer", () => {
    fc.assert(
      fc.property(fc.array(subject, { maxLength: 5 }), (drawn) => {
        const subjects = drawn.map(subjectOf);
        const batch = pack(subjects);
        const given = structuredClone(batch, { transfer: [batch.columns.buffer] });
        expect(unpack(given)).toEqual(subjects);
        expect(batch.columns).toHaveLength(0);
      }),
    );
  });

  it("holds each shared series once", () => {
    const [a, b] = [series[0]!, sliceBars(series[0]!, 5)];
    const one = (peers: readonly (typeof a)[], i: number) => ({
      ...subjectOf({ own: 0, benchmark: null, peers: [], ranked: true }, i),
      input: { ...subjectOf({ own: 0, benchmark: 0, peers: [], ranked: true }, i).input, peers },
    });
    const batch = pack([one([b, b], 1), one([b], 2)]);
    expect(batch.series.map(({ length }) => length)).toEqual([20, 15]);
    expect(batch.columns).toHaveLength(6 * 35);
    expect(batch.universes).toHaveLength(1);
    const [first, second] = unpack(batch);
    expect(first!.input.peers[0]).toBe(second!.input.peers[0]);
    expect(first!.input.bars).toBe(second!.input.benchmark);
  });
});
