import { describe, expect, it } from "vitest";
import { canonicalOf } from "../../../src/market/symbols/directory.ts";
import type { BarFile } from "../../../src/providers/files/bar-file.ts";
import { chooseSeries } from "../../../src/providers/files/choose.ts";

const source = (path: string, first: number, last: number, timeframe: "1d" | "1h" = "1d"): BarFile => ({
  path,
  real: path,
  bytes: 1,
  digest: "",
  instrument: canonicalOf(path.replace(/.*\/|[_.].*/g, ""))!,
  timeframe,
  layout: null as never,
  part: null as never,
  stamps: null as never,
  readAs: "",
  first,
  last,
  bare: false,
  notes: [],
});
const choose = (...sources: BarFile[]) => {
  const { series, skipped } = chooseSeries(sources);
  return {
    series: series.map(
      (one) =>
        `${one.instrument.symbol} ${one.timeframe}: ${one.sources.map(({ path }) => path).join(" + ")}`,
    ),
    skipped: skipped.map(({ file, reason }) => `${file}: ${reason}`),
  };
};

describe("chooseSeries", () => {
  it("separates symbols and timeframes", () => {
    expect(
      choose(source("AAPL.csv", 1, 9), source("MSFT.csv", 1, 9), source("AAPL_1h.csv", 1, 9, "1h")),
    ).toEqual({
      series: ["AAPL 1d: AAPL.csv", "MSFT 1d: MSFT.csv", "AAPL 1h: AAPL_1h.csv"],
      skipped: [],
    });
  });

  it("joins files of one folder that do not overlap, in order of time", () => {
    expect(choose(source("BTCUSDT_a.csv", 5, 9), source("BTCUSDT_b.csv", 1, 4))).toEqual({
      series: ["BTC-USD 1d: BTCUSDT_b.csv + BTCUSDT_a.csv"],
      skipped: [],
    });
  });

  it("prefers the first of overlapping files", () => {
    expect(
      choose(source("BTCUSDT_a.csv", 1, 5), source("BTCUSDT_b.csv", 5, 9), source("BTCUSDT_c.csv", 6, 9)),
    ).toEqual({
      series: ["BTC-USD 1d: BTCUSDT_a.csv + BTCUSDT_c.csv"],
      skipped: ["BTCUSDT_b.csv: its 1d bars of BTC-USD overlap in time: BTCUSDT_a.csv is used instead"],
    });
  });

  it("never joins files of different folders, because their adjustment may differ", () => {
    expect(choose(source("raw/AAPL.csv", 5, 9), source("split/AAPL.csv", 1, 4))).toEqual({
      series: ["AAPL 1d: raw/AAPL.csv"],
      skipped: [
        "split/AAPL.csv: its 1d bars of AAPL are already taken from another folder: raw/AAPL.csv is used instead",
      ],
    });
  });
});
