import { describe, expect, it } from "vitest";
import type { EngineRow, RecentMoves } from "../../src/domain/nightly/engine.ts";
import { getSectors } from "../../tools/get-sectors.ts";
import { engineRow, runHead } from "../support/engine.ts";
import { runsOf } from "../support/engine-runs.ts";
import { smallMarket } from "../support/market.ts";
import { callerOf } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

type Returns = RecentMoves["returns"];
const member = (
  symbol: string,
  sector: string | null,
  [day, quarter]: readonly [number, number | null],
  over: Partial<EngineRow> = {},
  above_sma_50: boolean | null = true,
): EngineRow => {
  const returns: Returns = { "1d": day, "5d": 5 * day, "20d": 20 * day, "60d": quarter };
  return engineRow({
    symbol,
    sector,
    moves: { returns, volume: null, volume_ratio: null, above_sma_50, previous_close: null, closes: null },
    ...over,
  });
};
const rows = [
  member("AA", "Energy", [1, 10]),
  member("BB", "Energy", [-2, 20], {}, false),
  member("CC", "Energy", [4, null], {}, null),
  member("DD", "Utilities", [0, -3], {}, false),
  member("EE", "Utilities", [50, 50], { as_of: "2026-01-12T21:00:00.000Z" }),
  member("SPY", null, [9, 9], { asset_class: "etf" }),
  member("BTC-USD", null, [9, 9]),
];
const run = { ...runHead(), runAt: "2026-01-15T02:00:00.000Z", rows, failures: [], index: null };
const ports = { ...smallMarket().ports, engineRuns: runsOf(run) };
const call = callerOf(getSectors, ports);

describe("get_sectors", () => {
  it("averages the returns of the members, and counts those above the 50-day mean", async () => {
    const answer = await call({});
    expect(answer.sectors).toEqual([
      {
        sector: "Energy",
        members: 3,
        returns: { "1d": 1, "5d": 5, "20d": 20, "60d": 15 },
        above_sma_50_percent: 50,
        up: 2,
        down: 1,
        leader: { symbol: "CC", change_percent: 4 },
        laggard: { symbol: "BB", change_percent: -2 },
      },
      {
        sector: "Utilities",
        members: 1,
        returns: { "1d": 0, "5d": 0, "20d": 0, "60d": -3 },
        above_sma_50_percent: 0,
        up: 0,
        down: 0,
        leader: { symbol: "DD", change_percent: 0 },
        laggard: { symbol: "DD", change_percent: 0 },
      },
    ]);
    expect(answer.all).toEqual({
      members: 4,
      returns: { "1d": 0.75, "5d": 3.75, "20d": 15, "60d": 9 },
      above_sma_50_percent: 33.33,
      up: 2,
      down: 1,
    });
  });

  it("states the close and the members compared", async () => {
    expect(await call({})).toMatchObject({
      basis: "Closes of the newest nightly run, no live prices",
      coverage: {
        closes: { stocks: "2026-01-14T21:00:00.000Z", crypto: null },
        members: 5,
        compared: 4,
        older: 1,
        incomplete: 0,
      },
      runs: [{ run_id: "r1" }],
      notes: ["Returns over 60d cover 3 of the 4 members"],
    });
  });

  it("orders sectors, leaders and laggards by another period", async () => {
    const { sectors } = await call({ period: "60d" });
    expect(
      sectors.map(({ sector, leader, laggard, up }) => [sector, leader?.symbol, laggard?.symbol, up]),
    ).toEqual([
      ["Energy", "BB", "AA", 2],
      ["Utilities", "DD", "DD", 0],
    ]);
    const rising = rows.map((row) => ({
      ...row,
      moves: { ...row.moves!, returns: { ...row.moves!.returns, "60d": row.sector === "Energy" ? -1 : 1 } },
    }));
    const answer = await call({ period: "60d" }, { engineRuns: runsOf({ ...run, rows: rising }) });
    expect(answer.sectors.map(({ sector }) => sector)).toEqual(["Utilities", "Energy"]);
  });

  it("notes a run whose stocks have no sector", async () => {
    const funds = { ...run, rows: rows.filter(({ sector }) => sector === null) };
    const answer = await call({}, { engineRuns: runsOf(funds) });
    expect(answer).toMatchObject({ sectors: [], notes: ["No stock of the run has a sector"] });
    expect(answer.all.returns["1d"]).toBeNull();
  });
});

toolContract(getSectors, { ports });
