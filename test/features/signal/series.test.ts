import { describe, expect, it } from "vitest";
import { seriesOrNull } from "../../../src/features/signal/series.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { climbingBars, directoryOf, fixedBars } from "../../support/market.ts";

const spy = directoryOf(["SPY"]).members()[0]!;
const request = { timeframe: "1d", limit: 5 } as const;
const failing = (code: "NOT_ENOUGH_DATA" | "NO_PRICE" | "UPSTREAM_UNAVAILABLE" | "CANCELLED") => ({
  history: () => Promise.reject(new ToolError(code, "No")),
});

describe("a companion's bars", () => {
  it("are what the market has", async () => {
    const { bars } = fixedBars({ bars: { SPY: climbingBars() } });
    expect((await seriesOrNull(bars, spy, request))?.bars.time).toHaveLength(5);
  });

  it("are none where there is no companion, or the market has none", async () => {
    const { bars, requests } = fixedBars({ bars: {} });
    expect(await seriesOrNull(bars, undefined, request)).toBeNull();
    expect(requests).toEqual([]);
    expect(await seriesOrNull(bars, spy, request)).toBeNull();
    expect(await seriesOrNull(failing("NOT_ENOUGH_DATA"), spy, request)).toBeNull();
    expect(await seriesOrNull(failing("NO_PRICE"), spy, request)).toBeNull();
  });

  it.each(["UPSTREAM_UNAVAILABLE", "CANCELLED"] as const)("are not taken for missing on %s", async (code) => {
    await expect(seriesOrNull(failing(code), spy, request)).rejects.toMatchObject({ code });
  });
});
