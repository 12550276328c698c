import { describe, expect, it } from "vitest";
import type { EngineRow, EngineRun } from "../../src/domain/nightly/engine.ts";
import { getMovers } from "../../tools/get-movers.ts";
import { stoppedClock } from "../support/context.ts";
import { engineRow, runHead } from "../support/engine.ts";
import { engineRunOver, runsOf } from "../support/engine-runs.ts";
import { simulatedMarket, smallMarket } from "../support/market.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

/** A stock whose close moved by so many percent in the last session, and by ten times as much over five. */
const moved = (symbol: string, percent: number | null, over: Partial<EngineRow> = {}): EngineRow =>
  engineRow({
    symbol,
    name: symbol,
    sector: "Energy",
    moves: {
      returns: { "1d": percent, "5d": percent === null ? null : -10 * percent, "20d": null, "60d": null },
      volume: 1000,
      volume_ratio: 1.5,
      above_sma_50: true,
      previous_close: null,
      closes: null,
    },
    ...over,
  });
const runOf = (...rows: readonly EngineRow[]): EngineRun => ({
  ...runHead({ as_of: "2026-01-14T21:00:00.000Z" }),
  runAt: "2026-01-15T02:00:00.000Z",
  rows,
  failures: [],
  index: null,
});

const run = runOf(
  moved("UP", 3, { grade: "A", direction: "LONG" }),
  moved("ALSO", 3),
  moved("DOWN", -2, { close: 4, sector: "Utilities" }),
  moved("FLAT", 0, { close: 50 }),
  moved("SHORT", null, { close: 500 }),
  moved("OLD", 40, { as_of: "2026-01-12T21:00:00.000Z" }),
  moved("SPY", 1, { asset_class: "etf", sector: null }),
  moved("BTC-USD", 5, { sector: null, as_of: "2026-01-15T00:00:00.000Z" }),
);
const ports = { ...smallMarket().ports, engineRuns: runsOf(run) };
const call = callerOf(getMovers, ports);
const symbols = (rows: readonly { readonly symbol: string }[] | null) => rows?.map(({ symbol }) => symbol);

describe("get_movers", () => {
  it("ranks the stocks of the newest run by their last session and by dollar volume", async () => {
    const answer = await call({});
    expect(symbols(answer.gainers)).toEqual(["ALSO", "UP"]);
    expect(symbols(answer.losers)).toEqual(["DOWN"]);
    expect(symbols(answer.most_active)).toEqual(["SHORT", "ALSO", "UP", "FLAT", "DOWN"]);
    expect(answer.gainers![1]).toEqual({
      symbol: "UP",
      name: "UP",
      asset_class: "equity",
      sector: "Energy",
      close: 100,
      change_percent: 3,
      volume: 1000,
      dollar_volume: 100_000,
      volume_ratio: 1.5,
      bias: "LONG",
      grade: "A",
    });
  });

  it("states the close, the members compared and those left out, and never calls them live", async () => {
    const answer = await call({});
    expect(answer).toMatchObject({
      basis: "Closes of the newest nightly run, no live prices",
      period: "1d",
      coverage: {
        closes: { stocks: "2026-01-14T21:00:00.000Z", crypto: null },
        members: 6,
        compared: 4,
        older: 1,
        incomplete: 1,
      },
      runs: [{ run_id: "r1", runAt: "2026-01-15T02:00:00.000Z", source: "fixture", stale: false }],
      notes: [],
      market: "sample",
    });
    expect((await call({ asset_class: "all" })).coverage).toMatchObject({
      closes: { stocks: "2026-01-14T21:00:00.000Z", crypto: "2026-01-15T00:00:00.000Z" },
      members: 8,
      compared: 6,
    });
  });

  it.each([
    [{ list: "gainers", period: "5d" }, "gainers", ["DOWN"]],
    [{ list: "losers", period: "5d" }, "losers", ["ALSO", "UP"]],
    [{ list: "gainers", period: "60d" }, "gainers", []],
    [{ asset_class: "crypto" }, "gainers", ["BTC-USD"]],
    [{ asset_class: "all" }, "gainers", ["BTC-USD", "ALSO", "UP", "SPY"]],
    [{ sector: "utilities" }, "most_active", ["DOWN"]],
    [{ min_price: 51 }, "most_active", ["SHORT", "ALSO", "UP"]],
    [{ min_dollar_volume: 100_001 }, "most_active", ["SHORT"]],
    [{ limit: 1 }, "gainers", ["ALSO"]],
  ] as const)("answers %j", async (input, list, expected) => {
    const answer = await call(input);
    expect(symbols(answer[list])).toEqual(expected);
    if ("list" in input) expect(Object.values(answer).filter((value) => value === null)).toHaveLength(2);
  });

  it("excludes a symbol without volume from the most active", async () => {
    const quiet = moved("UP", 3);
    const silent = { ...quiet, moves: { ...quiet.moves!, volume: null } };
    const answer = await call({}, { engineRuns: runsOf(runOf(silent)) });
    expect(answer.gainers![0]).toMatchObject({ volume: null, dollar_volume: null });
    expect(answer.most_active).toEqual([]);
    const liquid = await call({ min_dollar_volume: 1 }, { engineRuns: runsOf(runOf(silent)) });
    expect(liquid.gainers).toEqual([]);
  });

  it("notes an old run and an unknown sector", async () => {
    const clock = stoppedClock(new Date("2026-01-17T02:00:00.000Z"));
    const { notes } = await call({ sector: "Enrgy" }, { clock });
    expect(notes).toEqual([
      "The newest run over all is from 2026-01-15T02:00:00.000Z, more than a day ago",
      "No row of the newest runs is in the requested sector; known sectors: Energy, Utilities",
    ]);
  });

  it("rejects before the first run, and for a run of an earlier version", async () => {
    await expect(call({}, { engineRuns: runsOf(null) })).rejects.toMatchObject({ code: "NOT_ENOUGH_DATA" });
    const earlier = runsOf(runOf(engineRow(), engineRow({ symbol: "MSFT" })));
    await expect(call({}, { engineRuns: earlier })).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      hint: "The next nightly run has them.",
      command: "market-signal engine run",
    });
  });

  it("takes about 1,500 tokens with detail concise over the simulated market", async () => {
    const sample = simulatedMarket("2026-01-15T00:20:00.000Z");
    const answer = await call({ detail: "concise" }, { engineRuns: runsOf(await engineRunOver(sample)) });
    expect(answer.gainers).toHaveLength(5);
    expect(answer.losers).toHaveLength(5);
    // about four characters per token
    expect(JSON.stringify(answer).length).toBeLessThan(6_000);
  });
});

toolContract(getMovers, { ports });
