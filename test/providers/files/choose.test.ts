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
  first,
  last,
  bare: false,
  notes: [],
});
const day = (text: string): number => Date.parse(text);
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

  it("uses the newest of overlapping files, and names both ends", () => {
    const files = [
      source("BTCUSDT_a.csv", day("2024-01-01"), day("2024-06-30")),
      source("BTCUSDT_b.csv", day("2024-06-30"), day("2024-09-30")),
      source("BTCUSDT_c.csv", day("2024-01-01"), day("2024-06-29")),
    ];
    expect(choose(...files)).toEqual({
      series: ["BTC-USD 1d: BTCUSDT_c.csv + BTCUSDT_b.csv"],
      skipped: [
        "BTCUSDT_a.csv: its 1d bars of BTC-USD end 2024-06-30 and overlap in time: BTCUSDT_b.csv, which ends 2024-09-30, is used instead",
      ],
    });
    expect(chooseSeries(files).series[0]!.others).toBe(1);
  });

  it("does not let rows in the future decide, and prefers the longer of two files that end alike", () => {
    const short = source("AAPL.csv", day("2024-01-02"), day("2024-06-28"));
    const long = source("AAPL_2.csv", day("2020-01-02"), day("2024-06-28"));
    const future = source("AAPL_3.csv", day("2024-05-01"), day("2099-01-02"));
    const used = (now: string) => chooseSeries([short, long, future], day(now)).series[0]!.sources[0]!.path;
    expect(used("2024-06-28")).toBe("AAPL_2.csv");
    expect(used("2024-07-02")).toBe("AAPL_3.csv");
  });

  it("uses the newest per timeframe, whatever the order of the paths", () => {
    expect(
      choose(
        source("AAPL.csv", 1, 5),
        source("new/AAPL.csv", 3, 9),
        source("AAPL_1h.csv", 1, 8, "1h"),
        source("new/AAPL_1h.csv", 1, 7, "1h"),
      ).series,
    ).toEqual(["AAPL 1d: new/AAPL.csv", "AAPL 1h: AAPL_1h.csv"]);
  });

  it("never joins files of different folders, because their adjustment may differ", () => {
    expect(choose(source("raw/AAPL.csv", 5, 9), source("split/AAPL.csv", 1, 4))).toEqual({
      series: ["AAPL 1d: raw/AAPL.csv"],
      skipped: [
        "split/AAPL.csv: its 1d bars of AAPL end 1970-01-01 and are already taken from another folder: raw/AAPL.csv, which ends 1970-01-01, is used instead",
      ],
    });
  });
});
