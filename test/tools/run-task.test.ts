import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/app/catalogue.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { taskBindings } from "../../src/kernel/task-bindings.ts";
import { tasksOf } from "../../src/kernel/tasks.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { sampleMarket } from "../../src/providers/sample/market.ts";
import { detectEdge } from "../../tools/detect-edge.ts";
import { getEarnings } from "../../tools/get-earnings.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { runTask } from "../../tools/run-task.ts";
import { scanSymbols } from "../../tools/scan-symbols.ts";
import { brokerMarket } from "../support/brokers.ts";
import { countingIds, member, NOW, pro, stoppedClock, testPorts } from "../support/context.ts";
import { quote } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";

const { earnings } = sampleMarket({ clock: stoppedClock() });
const timestamp = NOW.toISOString();
const { ports: market } = await brokerMarket({
  quotes: { AAPL: quote({ price: 138 }), MSFT: quote({ price: 162, timestamp }) },
});
const taskPorts = testPorts({ ...market, earnings, clock: stoppedClock(), ids: countingIds() });
const answering: readonly Tool[] = Object.values<Tool>(catalogue).filter(
  (tool) => taskBindings(tool).length > 0,
);
const ports = {
  ...taskPorts,
  tasks: tasksOf(
    () => answering,
    () => taskPorts,
  ),
};
const NAMES = "earnings, edge_detection, portfolio_review, scan, signal_analysis, trade_proposal";
const steps: unknown[] = [];
const call = (over = {}) => ({
  ports,
  principal: pro,
  transport: "test",
  ...over,
  progress: (step: unknown) => void steps.push(step),
});
const ask = (input: unknown, over = {}) => invoke(runTask, input, call(over));

describe("run_task", () => {
  it("returns each symbol's action card with levels, conviction and Wyckoff block, like get_signal", async () => {
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
    const alone = await invoke(getSignal, { symbol: "AAPL" }, { ports, principal: pro, transport: "test" });
    expect(results[0]!.data).toMatchObject({ data: { ...alone.data } });
    expect(results[0]!.data).toMatchObject({
      data: {
        signal: { entry_zone: {}, ics: { source: "none" } },
        wyckoff: { phase: "Undetermined" },
      },
    });
  });

  it("lists a failed symbol with the others", async () => {
    const { results, failed } = await ask({ task: "signal_analysis", symbols: ["AAPL", "ZZZZQ"] });
    expect(failed).toBe(1);
    expect(results[1]).toMatchObject({ symbol: "ZZZZQ", data: null, error: { code: "UNKNOWN_SYMBOL" } });
  });

  it("passes the detail to the called tool", async () => {
    const drivers = async (detail: string) =>
      (await ask({ task: "signal_analysis", symbols: ["AAPL"], detail })).results[0]!.data as {
        data: { drivers?: unknown[] };
      };
    expect((await drivers("full")).data.drivers).toHaveLength(29);
    expect((await drivers("concise")).data.drivers).toBeUndefined();
  });

  it.each([
    [{ task: "guess", symbols: ["AAPL"] }, `Tasks: ${NAMES}.`],
    [{ task: "signal_analysis", symbols: [] }, 'Pass symbols, such as ["AAPL", "BTC-USD"].'],
    [{ task: "scan" }, 'Pass symbols, such as ["AAPL", "BTC-USD"].'],
    [{ task: "portfolio_review", symbols: ["AAPL"] }, "Omit symbols."],
    [{ task: "earnings", symbols: ["AAPL"], context: { timeframe: "1d" } }, "Omit it."],
    [{ task: "scan", symbols: ["AAPL"], context: { risk_pct: "1" } }, "Omit it."],
    [{ task: "signal_analysis", symbols: Array(21).fill("AAPL") }, "Fields: task, symbols, context, detail."],
    [
      { task: "signal_analysis", symbols: ["AAPL"], context: { timeframe: "2d" } },
      "Fields: task, symbols, context, detail.",
    ],
    [
      { task: "signal_analysis", symbols: ["AAPL"], context: { horizon: 1 } },
      "Fields: task, symbols, context, detail.",
    ],
  ])("rejects %j", async (input, hint) => {
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT", hint });
  });

  it("names exactly the declared tasks in its description and its field", () => {
    const declared = answering.flatMap((tool) => taskBindings(tool).map(({ name }) => name)).sort();
    expect(declared.join(", ")).toBe(NAMES);
    const field = runTask.input.shape.task.description!.split(";")[0]!;
    expect(field.split(/, | or /).sort()).toEqual(declared);
    for (const name of declared) expect(runTask.description).toContain(name);
  });

  it("scans all symbols in one call, like scan_symbols, and reports progress", async () => {
    steps.length = 0;
    const symbols = ["MSFT", "AAPL", "NVDA"];
    const { results } = await ask({ task: "scan", symbols });
    expect(steps).toHaveLength(3);
    expect(steps.at(-1)).toMatchObject({ done: 3, total: 3 });
    const alone = await invoke(scanSymbols, { symbols }, call());
    expect(results).toEqual([{ symbol: null, skill: "scan_symbols", data: alone, error: null }]);
    expect(alone.results.map(({ symbol }) => symbol)).toEqual(["AAPL", "NVDA", "MSFT"]);
  });

  it("runs edges and earnings for each symbol, in the field that each tool has for it", async () => {
    const edges = await ask({ task: "edge_detection", symbols: ["BTC-USD", "AAPL"] });
    expect(edges.results.map(({ symbol, skill }) => [symbol, skill])).toEqual([
      ["BTC-USD", "detect_edge"],
      ["AAPL", "detect_edge"],
    ]);
    expect(edges.results[0]!.data).toEqual(await invoke(detectEdge, { symbol: "BTC-USD" }, call()));
    const reports = await ask({ task: "earnings", symbols: ["AAPL", "ZZZZQ"] });
    expect(reports.results[0]!.data).toEqual(await invoke(getEarnings, { symbol: "AAPL" }, call()));
    expect(reports).toMatchObject({ failed: 1, results: [{ error: null }, { symbol: "ZZZZQ", data: null }] });
  });

  it("reviews a portfolio without symbols", async () => {
    const { results, failed } = await ask({ task: "portfolio_review" });
    expect(failed).toBe(0);
    expect(results).toMatchObject([
      { symbol: null, skill: "review_portfolio", data: { ok: true, count: 0, summary: "No positions." } },
    ]);
  });

  it("proposes trades in one call with the context", async () => {
    const { results } = await ask({
      task: "trade_proposal",
      symbols: ["AAPL", "MSFT"],
      context: { timeframe: "1d", risk_pct: "0.5" },
    });
    expect(results).toMatchObject([
      {
        symbol: null,
        skill: "propose_trade",
        data: { count: 2, tickets: 1, connection: { broker: "paper" }, proposals: [{ symbol: "AAPL" }, {}] },
      },
    ]);
  });

  it("requires the write scope only for the task that stores tickets", async () => {
    const reader = { principal: { ...pro, scopes: ["read"] as const } };
    await expect(ask({ task: "trade_proposal", symbols: ["AAPL"] }, reader)).rejects.toMatchObject({
      code: "SCOPE_REQUIRED",
      data: { required_scope: "write" },
    });
    expect((await ask({ task: "scan", symbols: ["AAPL"] }, reader)).failed).toBe(0);
    await expect(ask({ task: "scan", symbols: ["AAPL"] }, { principal: member })).rejects.toMatchObject({
      code: "PLAN_REQUIRED",
    });
  });

  it("prints each kind of task in its own format", async () => {
    const shown = async (input: object) => runTask.terminal!(await ask(input), (_, text) => text);
    expect(await shown({ task: "scan", symbols: ["AAPL", "MSFT"] })).toMatch(
      /^symbol .*\nAAPL .*\nMSFT .*\nodds in 100 cases: .*\nexp\. R: .*\ngrade and score rate .*\n2 of 2 scanned/,
    );
    expect(await shown({ task: "earnings", symbols: ["AAPL"] })).toMatch(
      /^AAPL {2}[A-Z_]+ {2}score [\d.]+ {2}Q\d \d{4} of \d{4}-/,
    );
    expect(await shown({ task: "edge_detection", symbols: ["BTC-USD"] })).toMatch(/^BTC-USD {2}\S/);
    expect(await shown({ task: "portfolio_review" })).toMatch(/^No positions\.$/);
    expect(await shown({ task: "trade_proposal", symbols: ["AAPL"] })).toMatch(
      /^0 of 1 symbol has a ticket\..* No order was sent\.\nAAPL {2}LONG {2}grade A\+[\s\S]*no ticket: Refused by max_quote_age_seconds/,
    );
  });

  it("prints a few lines for each symbol", async () => {
    const answer = await ask({ task: "signal_analysis", symbols: ["AAPL", "ZZZZQ"] });
    const lines = runTask.terminal!(answer, (_, text) => text).split("\n");
    expect(lines[0]).toBe("AAPL  LONG  grade A+  score 86.4  HOT  1d");
    expect(lines[1]).toBe("  price 138.00  live_quote of 2026-01-15T14:50:00.000Z");
    expect(lines[2]).toBe("  entry 137.13 - 137.63, stop 135.87, targets 141.63, 143.38, 145.13");
    expect(lines.at(-1)).toBe('ZZZZQ  UNKNOWN_SYMBOL  No instrument is known as "ZZZZQ"');
  });
});

toolContract(runTask, { ports });
