import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ConsensusInput, consensus } from "../../../src/analytics/score/consensus.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { ReceiptInput } from "../../../src/domain/receipts/receipt.ts";
import { packInputs, unpackInputs } from "../../../src/features/receipts/inputs.ts";
import { toReceiptResult } from "../../../src/features/receipts/result.ts";
import { inputsHash } from "../../../src/features/signal/inputs-hash.ts";
import { inputFor } from "../../support/consensus-input.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";

const DAY = 86_400_000;
const START = Date.UTC(2024, 0, 1);

const series = (least: number): fc.Arbitrary<Bars> =>
  fc
    .record({
      rows: fc.array(fc.array(fc.double({ noNaN: true }), { minLength: 5, maxLength: 5 }), {
        minLength: least,
        maxLength: 6,
      }),
      timeframe: fc.constantFrom("1d", "4h", "5m"),
      adjustment: fc.constantFrom("raw", "split", "total_return", "unknown"),
      zone: fc.constantFrom("America/New_York", "UTC"),
    })
    .map(({ rows, ...rest }) => {
      const column = (n: number) => Float64Array.from(rows, (row) => row[n]!);
      return {
        time: Float64Array.from(rows, (_, i) => START + i * DAY),
        open: column(0),
        high: column(1),
        low: column(2),
        close: column(3),
        volume: column(4),
        ...rest,
      } as Bars;
    });
const moment = fc.integer({ min: START, max: START + 1_000 * DAY });
const fact = fc.record({
  value: fc.double({ min: -1, max: 1, noNaN: true }),
  time: moment,
  inputs: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.double({ noNaN: true }))),
});
const print = fc.record({
  id: fc.string(),
  price: fc.double({ noNaN: true }),
  size: fc.nat(),
  executedAt: moment,
  reportedAt: moment,
  conditions: fc.array(fc.constantFrom("late", "cancelled")),
  nbbo: fc.option(fc.record({ bid: fc.double({ noNaN: true }), ask: fc.double({ noNaN: true }) })),
});
/** Inputs of any kind, with optional fields in either order: the hash does not depend on it. */
const inputs = fc
  .record({
    bars: series(1),
    benchmark: fc.option(series(0)),
    peers: fc.array(series(0), { maxLength: 12 }),
    assetClass: fc.constantFrom("equity", "etf", "crypto"),
    isBenchmark: fc.boolean(),
    universe: fc.option(
      fc.record({
        returns: fc.array(fc.double(), { maxLength: 5 }),
        own: fc.option(fc.double()),
        hash: fc.string(),
      }),
    ),
    more: fc.record(
      {
        facts: fc.record({ d_offex: fact, o_pc: fact, n_sent: fact }, { requiredKeys: [] }),
        prints: fc.option(fc.array(print, { maxLength: 4 })),
        printsSource: fc.string(),
        missingReasons: fc.constant({ k_mkt: "No source" }),
        earlier: series(1),
      },
      { requiredKeys: [] },
    ),
    backwards: fc.boolean(),
  })
  .map(
    ({ more, backwards, ...rest }) =>
      ({
        ...rest,
        ...Object.fromEntries(backwards ? Object.entries(more).reverse() : Object.entries(more)),
      }) as ConsensusInput,
  );

describe("inputs as bytes", () => {
  it("survive packing with the same hash", () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const packed = packInputs(input);
        const back = unpackInputs(packed.bytes);
        expect(inputsHash(back.input)).toBe(inputsHash(input));
        expect(back.inputs).toEqual(packed.inputs);
        expect(ReceiptInput.array().parse(packed.inputs), "as published").toEqual(packed.inputs);
        expect(back.input.earlier).toEqual(input.earlier);
        expect(back.input.bars).toEqual(input.bars);
        expect(back.input.benchmark).toEqual(input.benchmark);
        expect(back.input.peers).toEqual(input.peers);
        expect(back.input.universe).toEqual(input.universe);
        expect("missingReasons" in back.input).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  it("describe each part by its rows and time range", () => {
    const input = inputFor(syntheticBars(1, 300), {
      facts: { n_sent: { value: 0.5, time: START + DAY, inputs: {} } },
      prints: [],
    });
    const { inputs } = packInputs(input);
    const time = (i: number) => new Date(input.bars.time.at(i)!).toISOString();
    expect(inputs.map(({ name, rows, first, last }) => [name, rows, first, last])).toEqual([
      ["bars", 300, time(0), time(-1)],
      ["benchmark", 300, time(0), time(-1)],
      ...[1, 2, 3].map((n) => [`peer_${n}`, 300, time(0), time(-1)]),
      ["universe", 26, null, null],
      ["facts", 1, "2024-01-02T00:00:00.000Z", "2024-01-02T00:00:00.000Z"],
      ["prints", 0, null, null],
    ]);
    expect(inputs.filter(({ sha256 }) => !/^[0-9a-f]{64}$/.test(sha256))).toEqual([]);
  });

  it("give the same result when the signal is computed from them again", () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const input = inputFor(syntheticBars(seed, 320), {
        facts: { n_sent: { value: 0.25, time: START, inputs: { stories: 3 } } },
        missingReasons: { k_mkt: "No source" },
      });
      const again = unpackInputs(packInputs(input).bytes).input;
      expect(toReceiptResult(consensus(again))).toEqual(toReceiptResult(consensus(input)));
      expect(toReceiptResult(consensus(input))!.drivers).toHaveLength(29);
    }
  });

  it("are rejected or differ when any byte is changed", () => {
    const { bytes, inputs: said } = packInputs(inputFor(syntheticBars(1, 60)));
    const same: number[] = [];
    for (let at = 0; at < bytes.length; at += 41) {
      const spoiled = Uint8Array.from(bytes);
      spoiled[at]! ^= 1 << (at % 8);
      try {
        if (JSON.stringify(unpackInputs(spoiled).inputs) === JSON.stringify(said)) same.push(at);
      } catch {
        // rejected
      }
    }
    expect(same).toEqual([]);
    expect(() => unpackInputs(new Uint8Array())).toThrow();
    expect(() => unpackInputs(Uint8Array.from([...bytes, 0]))).toThrow();
    expect(() => unpackInputs(bytes.subarray(0, -8))).toThrow();
  });
});
