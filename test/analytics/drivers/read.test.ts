import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { driverContext } from "../../../src/analytics/drivers/context.ts";
import type { DriverValue } from "../../../src/analytics/drivers/driver-value.ts";
import { readDrivers } from "../../../src/analytics/drivers/read.ts";
import { yearLessMonthReturn } from "../../../src/analytics/drivers/relative-strength.ts";
import { DRIVERS } from "../../../src/analytics/drivers/table.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { readDailyFolder } from "../../support/daily-bars.ts";
import { oracle } from "../../support/driver-oracle.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";
import { describeWithData } from "../../support/test-data.ts";

const UNIVERSE = Array.from({ length: 25 }, (_, i) => (i - 12) / 40);

function expectAgreement(bars: Bars, benchmark: Bars, peers: readonly Bars[], year: 252 | 365) {
  const own = yearLessMonthReturn(bars.close, year);
  const returns = own === null ? UNIVERSE : [...UNIVERSE, own];
  const readings = readDrivers(driverContext(bars, year === 365 ? "crypto" : "equity"), {
    benchmark,
    isBenchmark: false,
    peers,
    universe: { returns, own, hash: "any" },
  });
  const expected = oracle(bars, year, benchmark, peers, returns, own ?? Number.NaN);
  expect(Object.keys(expected)).toHaveLength(23);
  for (const [id, value] of Object.entries(expected)) {
    const reading = readings.find((one) => one.id === id)!;
    if (value === null) expect(reading.value, id).toBeNull();
    else
      expect(
        Math.abs((reading.value ?? Number.NaN) - value),
        `${id}: ${reading.value}, not ${value}`,
      ).toBeLessThan(1e-9);
  }
}

/** Fails unless a driver has a value within [-1, 1] or a reason, and not both. */
function expectValueOrReason({ id, value, reason }: DriverValue) {
  if (value === null ? !reason : reason !== null || !(Math.abs(value) <= 1))
    expect.fail(`${id} is ${value}, reason ${reason}`);
}

describe("readDrivers", () => {
  const all = { benchmark: syntheticBars(2, 500), isBenchmark: false, peers: [], universe: null };

  it("returns all 29 drivers in table order, whatever the length of the history", () => {
    for (const count of [1, 14, 60, 252, 500])
      expect(
        readDrivers(driverContext(syntheticBars(1, count), "equity"), all).map(({ id, group }) => ({
          id,
          group,
        })),
      ).toEqual(DRIVERS.map(({ id, group }) => ({ id, group })));
  });

  it("returns either a value within [-1, 1] or a reason", () => {
    for (let count = 1; count <= 300; count++)
      for (const driver of readDrivers(driverContext(syntheticBars(3, count), "equity"), all))
        expectValueOrReason(driver);
  });

  it("does so on bars with little movement and volume, too", () => {
    const bar = fc.record({
      close: fc.integer({ min: 2, max: 4 }),
      up: fc.nat(1),
      down: fc.nat(1),
      volume: fc.nat(1),
    });
    const still = fc.constant({ close: 3, up: 0, down: 0, volume: 0 });
    const market = fc.array(fc.oneof({ weight: 6, arbitrary: still }, bar), {
      minLength: 1,
      maxLength: 400,
      size: "max",
    });
    fc.assert(
      fc.property(market, (rows) => {
        const close = rows.map((row) => row.close);
        const bars = barsAround(close, {
          high: rows.map(({ up }, i) => close[i]! + up),
          low: rows.map(({ down }, i) => close[i]! - down),
          volume: rows.map(({ volume }) => volume),
        });
        const company = { ...all, benchmark: bars };
        for (const driver of readDrivers(driverContext(bars, "equity"), company)) expectValueOrReason(driver);
      }),
    );
  });

  it("has a value for each driver from exactly its minimum number of bars", () => {
    const least: Record<string, number> = {
      t_ma200: 200,
      t_ma50: 50,
      t_stack: 200,
      t_adx: 28,
      t_super: 15,
      t_reg: 60,
      m_rsi: 15,
      m_macd: 34,
      m_roc125: 126,
      m_roc20: 21,
      m_52w: 252,
      v_obv: 21,
      v_cmf: 20,
      v_mfi: 15,
      v_updn: 51,
      v_thrust: 54,
      r_mansfield: 252,
      r_rank: 253,
      r_sector: 64,
      x_squeeze: 145,
      x_lowvol: 140,
      x_chop: 15,
    };
    const first: Record<string, number> = {};
    const market = syntheticBars(4, 300);
    for (let count = 1; count <= 300; count++) {
      const bars = sliceBars(market, 0, count);
      const own = yearLessMonthReturn(bars.close, 252);
      const readings = readDrivers(driverContext(bars, "equity"), {
        benchmark: syntheticBars(2, 300),
        isBenchmark: false,
        peers: [syntheticBars(5, 300), syntheticBars(6, 300)],
        universe: { returns: UNIVERSE, own, hash: "any" },
      });
      for (const { id, value } of readings) if (value !== null) first[id] ??= count;
    }
    const { t_stage, ...rest } = first;
    expect(rest).toEqual(least);
    expect(t_stage).toBeGreaterThanOrEqual(166); // 33 weeks of 5 bars and the first bar of the next
  });

  it("matches a naive implementation of the definitions on both kinds of synthetic market", () => {
    const peers = [syntheticBars(12, 400), syntheticBars(13, 500), syntheticBars(14, 500)];
    for (const count of [30, 130, 260, 500])
      expectAgreement(syntheticBars(11, count), syntheticBars(2, 500), peers, 252);
    const round = [21, 22, 23].map((seed) => syntheticBars(seed, 500, "UTC"));
    expectAgreement(syntheticBars(24, 500, "UTC"), round[0]!, round, 365);
  });
});

describeWithData("readDrivers on real daily bars", ["ohlcv", "us_daily"], (folder) => {
  const markets = readDailyFolder(folder);
  const benchmark = markets.get("SPY")!;
  const peers = ["MSFT", "ORCL", "CRM", "PLTR"].map((symbol) => markets.get(symbol)!);

  it.each(["AAPL", "NVDA", "KO", "HOOD", "MSTR", "TQQQ", "JEPI"])(
    "matches a naive implementation of the definitions on %s",
    (symbol) => {
      const bars = markets.get(symbol)!;
      for (const end of [40, 180, 270, 520, 777, 1010, bars.time.length])
        expectAgreement(sliceBars(bars, Math.max(0, end - 500), end), benchmark, peers, 252);
    },
  );
});
