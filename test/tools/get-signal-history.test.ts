import { describe, expect, it } from "vitest";
import type { Ports } from "../../src/domain/ports.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { getSignalHistory } from "../../tools/get-signal-history.ts";
import { simulatedMarket, smallMarket } from "../support/market.ts";
import { callerOf, invalidAmongOthers, invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports } = smallMarket();
const call = callerOf(getSignalHistory, ports);
const simulated = simulatedMarket("2026-01-15T15:00:00.000Z") as unknown as Ports;
const sample = callerOf(getSignalHistory, simulated);

describe("get_signal_history", () => {
  it("returns what happened in the 20 bars after a signal, computed by hand", async () => {
    // closes climb by .125 a bar; high and low are half a dollar from the close; the stop is 1.5 below
    const { rows } = await call({ symbol: "AAPL", from: "2025-12-01", to: "2025-12-01" });
    expect(rows).toEqual([
      {
        datetime: "2025-12-01",
        as_of: "2025-12-01T21:00:00.000Z",
        direction: "LONG",
        grade: "A+",
        score: 86.74,
        close: 133.375,
        plan: {
          side: "LONG",
          basis: "signal",
          entry_zone: { low: 133.13, high: 133.63 },
          stop_loss: 131.87,
          targets: [137.63, 139.38, 141.13],
          reward_to_risk: 2.27,
          target_r: {
            edge: "high",
            entry: 133.63,
            risk: 1.76, // 133.63 - 131.87
            targets: [
              { price: 137.63, r: 2.27 },
              { price: 139.38, r: 3.26 },
              { price: 141.13, r: 4.26 },
            ],
          },
        },
        outcome: {
          bars: 20,
          over: true,
          entry_reached: true,
          entry_at: "2025-12-02",
          stop_reached: false,
          stop_at: null,
          target_reached: false, // the highest high is 133.375 + 20 x .125 + .5 = 136.375
          target_at: null,
          first: "neither",
          change_percent: 1.87, // 250 / 133.375
          r: 1.66, // (135.875 - 133.375) / (133.375 - 131.87)
          right: true,
          reason: null,
        },
      },
    ]);
  });

  it("knows of an unfinished horizon only what has traded", async () => {
    const { rows, data_as_of } = await call({ symbol: "AAPL", limit: 3 });
    expect(data_as_of).toBe("2026-01-14T21:00:00.000Z");
    expect(rows.map(({ datetime }) => datetime)).toEqual(["2026-01-14", "2026-01-13", "2026-01-12"]);
    expect(rows.map(({ outcome }) => outcome)).toEqual(
      [0, 1, 2].map((bars) => ({
        bars,
        over: false,
        entry_reached: bars > 0 ? true : null,
        entry_at: bars > 0 ? rows[bars - 1]!.datetime : null,
        stop_reached: null,
        stop_at: null,
        target_reached: null,
        target_at: null,
        first: null,
        change_percent: null,
        r: null,
        right: null,
        reason: `${bars} of 20 bars after it have closed`,
      })),
    );
  });

  it.each([
    ["AAPL", "1d", ["2025-11-14", "2026-01-02"]],
    ["BTC-USD", "1d", ["2025-12-24", "2026-01-10"]],
    ["NVDA", "4h", ["2026-01-12T16:00:00.000Z", "2026-01-14T08:00:00.000Z"]],
  ])(
    "returns the signal that get_signal returns of %s on %s bars as of each date",
    async (symbol, timeframe, dates) => {
      const { rows } = await sample({ symbol, timeframe, detail: "full", limit: 75 });
      for (const as_of of dates) {
        const { data, data_as_of } = await callerOf(getSignal, simulated)({ symbol, timeframe, as_of });
        const row = rows.find((one) => one.as_of === data_as_of)!;
        const { signal } = data;
        expect(row, `${symbol} ${as_of}`).toMatchObject({
          direction: signal.direction,
          grade: signal.grade,
          score: signal.score,
          close: data.price,
          plan: {
            basis: signal.levels_basis,
            entry_zone: signal.entry_zone,
            stop_loss: signal.stop_loss,
            targets: signal.targets,
            reward_to_risk: signal.reward_to_risk,
          },
        });
      }
    },
  );

  it("returns 60 bars by default, and the next ones by cursor", async () => {
    const first = await sample({ symbol: "AAPL" });
    expect(first.rows.length).toBe(60);
    const next = await sample({ symbol: "AAPL", cursor: first.next_cursor });
    expect(next.rows[0]!.datetime < first.rows.at(-1)!.datetime).toBe(true);
    expect(first.notes).toEqual([]);
  });

  it("has with detail concise 15 bars by default, without multiples of R and the days of what happened", async () => {
    const concise = await sample({ symbol: "AAPL", detail: "concise" });
    const full = await sample({ symbol: "AAPL", limit: 15 });
    expect(concise.rows).toEqual(
      full.rows.map(({ plan, outcome, ...row }) => {
        const { bars, entry_at, stop_at, target_at, ...short } = outcome!;
        const { target_r, ...levels } = plan!;
        return { ...row, plan: levels, outcome: short };
      }),
    );
    expect(concise.summary).toEqual(full.summary);
    expect(JSON.stringify(concise).length).toBeLessThan(8_000);
  });

  it("counts the signals of a page whose 20 bars are over", async () => {
    const { summary } = await call({ symbol: "AAPL", limit: 30 });
    expect(summary).toEqual({
      bars: 30,
      signals: 30,
      over: 10,
      target_first: 0,
      stop_first: 0,
      neither: 10,
      right: 10,
    });
  });

  it("returns only the bars on which direction or grade changed, the oldest included", async () => {
    const all = await sample({ symbol: "AAPL", limit: 60 });
    const changed = await sample({ symbol: "AAPL", limit: 60, changes: true });
    const expected = all.rows.filter((row, i) => {
      const before = all.rows[i + 1];
      return before === undefined || before.direction !== row.direction || before.grade !== row.grade;
    });
    expect(expected.length).toBeLessThan(60);
    expect(changed.rows).toEqual(expected);
    expect(changed.summary).toEqual(all.summary);
  });

  it("computes the signal of a past bar once", async () => {
    let tasks = 0;
    const market = simulatedMarket("2026-01-15T15:00:00.000Z") as unknown as Ports;
    const compute: Ports["compute"] = {
      ...simulated.compute,
      run: (task, input, context) => {
        tasks++;
        return simulated.compute.run(task, input, context);
      },
      of: () => compute,
    };
    const counted = callerOf(getSignalHistory, { ...market, compute });
    await counted({ symbol: "MSFT", limit: 10 });
    expect(tasks).toBe(10);
    await counted({ symbol: "MSFT", limit: 12 });
    // 2 more, and the 2 newest, whose inputs may still arrive
    expect(tasks).toBe(14);
  });

  it("computes at most 30 signals for one answer of a live market, and says so", async () => {
    const fresh = smallMarket().ports;
    const live = { ...fresh, market: { ...fresh.market, mode: "live" } } as unknown as Ports;
    const history = callerOf(getSignalHistory, live);
    const answer = await history({ symbol: "AAPL" });
    expect(answer.count).toBe(30);
    expect(answer.notes[0]).toMatch(/^30 of 60 bars: at most 30 signals are computed for one answer/);
    const next = await history({ symbol: "AAPL", cursor: answer.next_cursor });
    expect(next.count).toBe(30);
    expect((await history({ symbol: "AAPL" })).count).toBeGreaterThan(50);
  });

  it("shows nothing that was later than as_of", async () => {
    const { rows, data_as_of } = await call({ symbol: "AAPL", as_of: "2025-12-31", limit: 3 });
    expect(data_as_of).toBe("2025-12-31T21:00:00.000Z");
    expect(rows[0]).toMatchObject({ datetime: "2025-12-31", outcome: { bars: 0, over: false } });
  });

  it("says why there are no rows", async () => {
    const answer = await call({ symbol: "AAPL", from: "2025-12-06", to: "2025-12-07" });
    expect(answer).toMatchObject({ rows: [], reason: expect.stringMatching(/^No 1d bar of AAPL starts/) });
  });

  it("rejects invalid input and unknown symbols", async () => {
    await expect(call({})).rejects.toMatchObject(invalidAmongOthers("/symbol"));
    await expect(call({ symbol: "APPL" })).rejects.toMatchObject({ code: "UNKNOWN_SYMBOL" });
    await expect(call({ symbol: "AAPL", limit: 251 })).rejects.toMatchObject(invalidField("/limit"));
    await expect(call({ symbol: "AAPL", from: "2030-01-01" })).rejects.toMatchObject(invalidField("/from"));
  });
});

toolContract(getSignalHistory, { ports });
