import { describe, expect, it } from "vitest";
import type { ProviderBar } from "../../../src/domain/providers/price-provider.ts";
import { sessionOf } from "../../../src/market/calendar/calendar.ts";
import { liveHistory } from "../../../src/market/prices/history.ts";
import { testEngine } from "../../support/engine.ts";
import { climbingBars } from "../../support/market.ts";
import { fakeProvider, shortMemory } from "../../support/providers.ts";

const NAMES = ["AAPL", "AMZN", "GOOGL", "JPM", "MSFT", "NVDA", "SPY", "TSLA", "XOM"] as const;
const WINDOW_MS = 300;
const held = climbingBars({ count: 600 });
const rows = Array.from(held.time, (time, i): ProviderBar => {
  const { open, high, low, close, volume } = held;
  return { time, open: open[i]!, high: high[i]!, low: low[i]!, close: close[i]!, volume: volume[i]! };
}).filter(({ time }) => sessionOf(new Date(time).toISOString().slice(0, 10)) !== null);

/** An engine over a provider with a request budget per window, on a running clock. */
async function limitedProvider({ calls, perMs }: { readonly calls: number; readonly perMs: number }) {
  const begun = performance.now();
  const at = () => Date.parse("2026-01-14T23:00:00Z") + Math.floor(performance.now() - begun);
  // a request is admitted at the time that is read last before it; a busy machine may send it later
  let admitted = at();
  const clock = {
    now: () => {
      admitted = at();
      return new Date(admitted);
    },
  };
  const requests: number[] = [];
  const guarded = fakeProvider("one", {
    clock,
    budget: { calls, perMs, atOnce: 2 },
    history: async () => {
      requests.push(admitted);
      return { bars: rows, adjustment: "split", hours: "regular", volumeScope: "all_venues", venue: "US" };
    },
  });
  const live = liveHistory({ chain: () => [guarded], memory: shortMemory().memory, clock });
  const bars = Object.fromEntries(NAMES.map((name) => [name, held]));
  const ports = { clock, market: { mode: "live", id: "test" } } as const;
  return {
    requests,
    live,
    engineOver: (from: typeof live.background) => testEngine({ bars }, { ...ports, bars: from }),
  };
}
const universe = { name: "file:mine", symbols: NAMES } as const;

describe("a run over a provider with a small request budget", () => {
  it("computes every member with one request each, never exceeding the budget of a window", async () => {
    const { requests, live, engineOver } = await limitedProvider({ calls: 4, perMs: WINDOW_MS });
    const { engine } = await engineOver(live.background);
    const steps: string[] = [];
    const { rows, failures } = await engine.run({
      universe,
      progress: ({ done, total, message }) => void steps.push(`${done}/${total} ${message}`),
    });
    expect(failures).toEqual([]);
    expect(rows.map(({ symbol }) => symbol)).toEqual(NAMES);
    expect(requests).toHaveLength(NAMES.length);
    for (const [i, first] of requests.entries())
      expect((requests[i + 4] ?? Number.POSITIVE_INFINITY) - first).toBeGreaterThanOrEqual(WINDOW_MS - 50);
    expect([steps[0], steps.at(-1)]).toEqual(["1/18 bars read", "18/18 computed"]);
  });

  it("is not finished when requests beyond the budget fail", async () => {
    const { live, engineOver } = await limitedProvider({ calls: 2, perMs: 60_000 });
    const { engine, repository } = await engineOver(live);
    await expect(engine.run({ universe })).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    expect(await repository.status(9)).toMatchObject([{ runAt: null }]);
  });
});
