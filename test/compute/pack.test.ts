import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pack } from "../../src/compute/pack.ts";
import { sliceBars } from "../../src/domain/market/bars.ts";
import { syntheticBars } from "../support/synthetic-bars.ts";

const column = fc.float64Array({ maxLength: 8, noNaN: false });
const { value: plain } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(column, fc.string(), fc.double(), fc.constant(null), fc.array(fc.integer(), { maxLength: 4 })),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.string({ minLength: 1 }), tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const sent = <T>(value: T): T => {
  const packed = pack(value);
  return structuredClone(packed.value, { transfer: [...packed.transfer] });
};

describe("a packed value", () => {
  it("arrives unchanged and leaves the original unchanged", () => {
    fc.assert(
      fc.property(plain, (value) => {
        const before = structuredClone(value);
        expect(sent(value)).toEqual(before);
        expect(value).toEqual(before);
      }),
    );
  });

  it("transfers one block, without the rest of a longer series", () => {
    const newest = sliceBars(syntheticBars(1, 1_000), 990);
    const packed = pack({ newest });
    expect(packed.transfer.map(({ byteLength }) => byteLength)).toEqual([6 * 10 * 8]);
    expect(packed.value).toEqual({ newest });
  });

  it("copies a shared series once and keeps it shared", () => {
    const series = syntheticBars(1, 20);
    const packed = pack([{ own: series }, { own: series, peers: [series] }]);
    expect(packed.transfer.map(({ byteLength }) => byteLength)).toEqual([6 * 20 * 8]);
    const [first, second] = structuredClone(packed.value, { transfer: [...packed.transfer] });
    expect(second!.own).toBe(first!.own);
    expect((second as { peers: unknown[] }).peers[0]).toBe(first!.own);
  });

  it("transfers the series of every item of a long list", () => {
    const list = Array.from({ length: 20 }, (_, i) => ({ own: Float64Array.of(i) }));
    const packed = pack(list);
    expect(packed.transfer.map(({ byteLength }) => byteLength)).toEqual([20 * 8]);
    expect(packed.value).toEqual(list);
  });

  it("without series is the value itself", () => {
    const value = { text: "x", numbers: [1, 2] };
    expect(pack(value)).toEqual({ value, transfer: [] });
    expect(pack(value).value).toBe(value);
  });
});
