import { describe, expect, it } from "vitest";
import type { Adjustment } from "../../../src/domain/market/bars.ts";
import type { CorporateActions } from "../../../src/domain/market/corporate-actions.ts";
import { dividendColumn, readDividends } from "../../../src/features/backtest/dividends.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

const DIVIDENDS = [{ date: "2020-01-03", amount: 0.5 }];
const read = (
  adjustment: Adjustment,
  actions: CorporateActions | undefined,
  asset_class: "equity" | "crypto" = "equity",
) => {
  const instrument = { symbol: "AAPL", name: "Apple", asset_class };
  const bars = barsAround([1, 2, 3, 4]); // from 2020-01-01 on
  const series = {
    bars,
    adjustment,
    source: "x",
    venue: "x",
    forming: null,
    as_of: "2020-01-05T00:00:00.000Z",
  };
  const history = async () => ({ ...series, ...(actions && { actions }) });
  return readDividends(
    { instrument, series } as never,
    { bars: { history } as never },
    new AbortController().signal,
  );
};

describe("dividends of a backtest", () => {
  const plain = { splits: [], dividends: DIVIDENDS };
  const split = (date: string) => ({ splits: [{ date, ratio: 4 }], dividends: DIVIDENDS });

  it("are read for prices adjusted for splits, and for raw prices without a split", async () => {
    expect(await read("split", split("2020-01-02"))).toEqual(DIVIDENDS);
    expect(await read("raw", plain)).toEqual(DIVIDENDS);
    expect(await read("raw", split("2020-01-01"))).toEqual(DIVIDENDS);
    expect(await read("raw", split("2020-01-02"))).toBeNull();
  });

  it("are left out where prices include them, where the adjustment is unknown, and for crypto", async () => {
    expect(await read("total_return", plain)).toBeNull();
    expect(await read("unknown", plain)).toBeNull();
    expect(await read("split", plain, "crypto")).toBeNull();
    expect(await read("split", { splits: [], dividends: null })).toBeNull();
    expect(await read("split", undefined)).toBeNull();
  });

  it("are paid at the first bar from their ex-date on, not at the first bar of all", () => {
    const { time } = barsAround([1, 2, 3, 4]);
    const at = (date: string) => [...dividendColumn(time, [{ date, amount: 2 }])];
    expect(at("2020-01-03")).toEqual([0, 0, 2, 0]);
    expect(at("2020-01-01")).toEqual([0, 0, 0, 0]);
    expect(at("2019-12-01")).toEqual([0, 0, 0, 0]);
    expect(at("2020-01-09")).toEqual([0, 0, 0, 0]);
  });
});
