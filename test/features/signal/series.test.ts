import { describe, expect, it } from "vitest";
import { seriesOrNull } from "../../../src/features/signal/series.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { climbingBars, directoryOf, fixedBars } from "../../support/market.ts";

const spy = directoryOf(["SPY"]).members()[0]!;
const request = { timeframe: "1d", limit: 5 } as const;
const failing = (code: "NOT_ENOUGH_DATA" | "NO_PRICE" | "UPSTREAM_UNAVAILABLE" | "CANCELLED") => ({
  history: () => Promise.reject(new ToolError(code, "No")),
});

describe("seriesOrNull", () => {
  it("returns the bars of the market", async () => {
    const { bars } = fixedBars({ bars: { SPY: climbingBars() } });
    expect((await seriesOrNull(bars, spy, request))?.bars.time).toHaveLength(5);
  });

  it("returns null without an instrument, or when the market has no bars", async () => {
    const { bars, requests } = fixedBars({ bars: {} });
    expect(await seriesOrNull(bars, undefined, request)).toBeNull();
    expect(requests).toEqual([]);
    expect(await seriesOrNull(bars, spy, request)).toBeNull();
    expect(await seriesOrNull(failing("NOT_ENOUGH_DATA"), spy, request)).toBeNull();
    expect(await seriesOrNull(failing("NO_PRICE"), spy, request)).toBeNull();
  });

  it.each(["UPSTREAM_UNAVAILABLE", "CANCELLED"] as const)("rejects on %s", async (code) => {
    await expect(seriesOrNull(failing(code), spy, request)).rejects.toMatchObject({ code });
  });
});
