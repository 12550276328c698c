import { describe, expect, it } from "vitest";
import type { MarketIndexValue } from "../../src/domain/nightly/engine.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { getSignalIndex } from "../../tools/get-signal-index.ts";
import { pro, stoppedClock } from "../support/context.ts";
import { engineRunOver, runsOf } from "../support/engine-runs.ts";
import { smallMarket } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";

const index: MarketIndexValue = {
  value: 51.5,
  band: "neutral",
  parts: [
    { part: "momentum", value: 62.5, reading: 0.0125, reason: null },
    { part: "put_call", value: null, reading: null, reason: "No provider of option volumes is connected" },
  ],
  as_of: "2026-01-14T21:00:00.000Z",
  history: [48, null, 51.5],
};
const market = smallMarket().ports;
const run = await engineRunOver(market, { index });
const ports = { ...market, engineRuns: runsOf(run) };
const ask = (over: Partial<typeof ports> = {}) =>
  invoke(getSignalIndex, {}, { ports: { ...ports, ...over }, principal: pro, transport: "test" });

describe("get_signal_index", () => {
  it("returns the index of the newest run, each part with its reading or the reason why it has none", async () => {
    expect(await ask()).toMatchObject({
      ok: true,
      ...index,
      run: { run_id: run.run_id, stale: false },
      notes: [],
    });
  });

  it("notes when the run is old and when too few parts have data", async () => {
    const few = runsOf({ ...run, index: { ...index, value: null, band: null } });
    const late = stoppedClock(new Date("2026-01-17T00:00:00Z"));
    expect(await ask({ engineRuns: few, clock: late })).toMatchObject({
      value: null,
      band: null,
      notes: [
        expect.stringContaining("Fewer than five parts"),
        expect.stringContaining("more than a day ago"),
      ],
    });
  });

  it.each([
    [null, "owner of the server can start a run"],
    [{ ...run, index: null }, "SPY, TLT"],
  ])("is refused without a run or without its index (%#)", async (held, hint) => {
    await expect(ask({ engineRuns: runsOf(held) })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      hint: expect.stringContaining(hint),
    });
  });

  it("prints the index and its parts", async () => {
    expect(getSignalIndex.terminal!(await ask(), (_, text) => text).split("\n")).toEqual([
      "Signal Index  51.5  neutral",
      "  momentum        62.5",
      "  put_call        none: No provider of option volumes is connected",
      "  0 fear, 100 greed; as of 2026-01-14T21:00:00.000Z",
    ]);
  });
});

toolContract(getSignalIndex, { ports });
