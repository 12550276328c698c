import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { runTask } from "../../tools/run-task.ts";
import { pro } from "../support/context.ts";
import { taskMarket } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";

const ports = taskMarket([getSignal]);
const ask = (input: unknown) => invoke(runTask, input, { ports, principal: pro, door: "test" });

describe("run_task", () => {
  it("gives each symbol's action card with levels, conviction and Wyckoff block, as get_signal does", async () => {
    const { results, failed, task, market } = await ask({
      task: "signal_analysis",
      symbols: ["aapl", "BTC/USD"],
      context: { timeframe: "1d" },
    });
    expect({ failed, task, market }).toEqual({ failed: 0, task: "signal_analysis", market: "sample" });
    expect(results.map(({ symbol, skill }) => [symbol, skill])).toEqual([
      ["aapl", "get_signal"],
      ["BTC/USD", "get_signal"],
    ]);
    const alone = await invoke(getSignal, { symbol: "AAPL" }, { ports, principal: pro, door: "test" });
    expect(results[0]!.data).toMatchObject({ data: { ...alone.data } });
    expect(results[0]!.data).toMatchObject({
      data: {
        signal: { entry_zone: {}, ics: { source: "volume_proxy" } },
        wyckoff: { phase: "Undetermined" },
      },
    });
  });

  it("says what one symbol lacks beside the others", async () => {
    const { results, failed } = await ask({ task: "signal_analysis", symbols: ["AAPL", "ZZZZQ"] });
    expect(failed).toBe(1);
    expect(results[1]).toMatchObject({ symbol: "ZZZZQ", data: null, error: { code: "UNKNOWN_SYMBOL" } });
  });

  it("passes the detail on to the tool that answers", async () => {
    const drivers = async (detail: string) =>
      (await ask({ task: "signal_analysis", symbols: ["AAPL"], detail })).results[0]!.data as {
        data: { drivers?: unknown[] };
      };
    expect((await drivers("full")).data.drivers).toHaveLength(29);
    expect((await drivers("concise")).data.drivers).toBeUndefined();
  });

  it.each([
    [{ task: "guess", symbols: ["AAPL"] }, "Tasks: signal_analysis."],
    [{ task: "signal_analysis", symbols: [] }, "Fields: task, symbols, context, detail."],
    [{ task: "signal_analysis", symbols: Array(21).fill("AAPL") }, "Fields: task, symbols, context, detail."],
    [
      { task: "signal_analysis", symbols: ["AAPL"], context: { timeframe: "2d" } },
      "Fields: task, symbols, context, detail.",
    ],
    [
      { task: "signal_analysis", symbols: ["AAPL"], context: { horizon: 1 } },
      "Fields: task, symbols, context, detail.",
    ],
  ])("refuses %j", async (input, hint) => {
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT", hint });
  });

  it("shows a person a few lines for each symbol", async () => {
    const answer = await ask({ task: "signal_analysis", symbols: ["AAPL", "ZZZZQ"] });
    const lines = runTask.terminal!(answer, (_, text) => text).split("\n");
    expect(lines[0]).toBe("AAPL  LONG  grade A+  score 86.4  HOT  1d");
    expect(lines[1]).toBe("  price 138.00  live_quote of 2026-01-15T14:50:00.000Z");
    expect(lines[2]).toBe("  entry 137.13 - 137.63, stop 135.88, targets 141.63, 143.38, 145.13");
    expect(lines.at(-1)).toBe('ZZZZQ  UNKNOWN_SYMBOL  No instrument is known as "ZZZZQ"');
  });
});

toolContract(runTask, { ports });
