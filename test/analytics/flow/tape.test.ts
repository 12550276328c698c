import { describe, expect, it } from "vitest";
import { blocksIn, sweepsIn } from "../../../src/analytics/flow/tape.ts";
import type { OptionTrade } from "../../../src/domain/options-flow/options.ts";

const trade = (over: Partial<OptionTrade> = {}): OptionTrade => ({
  id: "1",
  contract: "XYZ260220C00100000",
  expiry: "2026-02-20",
  type: "call",
  strike: 100,
  price: 10,
  size: 100,
  trades: 1,
  premium: 100_000,
  askPremium: null,
  bidPremium: null,
  sweep: false,
  floor: false,
  multileg: false,
  executedAt: 0,
  ...over,
});

describe("sweeps", () => {
  it("are the trades marked on the tape, with the net premium of buys less sells", () => {
    const sweeps = [
      trade({ sweep: true, premium: 5000, askPremium: 4000, bidPremium: 500 }),
      trade({ sweep: true, premium: 9000, askPremium: 1000, bidPremium: 8000 }),
      trade({ sweep: true, type: "put", premium: 7000 }),
    ];
    expect(sweepsIn([trade(), ...sweeps])).toEqual({
      count: 3,
      premium: { call: 14_000, put: 7000, total: 21_000, put_call: 0.5 },
      netCall: -3500,
      netPut: null,
      largest: [sweeps[1], sweeps[2], sweeps[0]],
    });
  });

  it("are null on a tape without sweep marks, and zero on an empty tape", () => {
    expect(sweepsIn([trade({ sweep: null })])).toBeNull();
    expect(sweepsIn([trade({ sweep: null }), trade({ sweep: false })])).toMatchObject({ count: 0 });
    expect(sweepsIn([])).toMatchObject({ count: 0, premium: { total: null } });
  });
});

describe("blocks", () => {
  it.each([
    ["one large trade", {}, 1],
    ["99 contracts", { size: 99 }, 0],
    ["less money", { premium: 99_999 }, 0],
    ["several trades", { trades: 2 }, 0],
    ["a sweep", { sweep: true }, 0],
    ["one that may be a sweep", { sweep: null }, 1],
    ["a small one of the floor", { floor: true, size: 1, premium: 10, trades: 5 }, 1],
  ])("%s", (_, over, count) => {
    expect(blocksIn([trade(over)]).count).toBe(count);
  });
});
