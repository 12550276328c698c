import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routeRequest } from "../../agents/route-request.ts";
import { runAgentOperation } from "../../agents/run-agent-operation.ts";
import { explainSignal } from "../../tools/explain-signal.ts";
import { getAnalysis } from "../../tools/get-analysis.ts";
import { getEnhancedSignal } from "../../tools/get-enhanced-signal.ts";
import { getHealth } from "../../tools/get-health.ts";
import { getMovers } from "../../tools/get-movers.ts";
import { getOdds } from "../../tools/get-odds.ts";
import { getSectors } from "../../tools/get-sectors.ts";
import { getServiceIndex } from "../../tools/get-service-index.ts";
import { getSignal } from "../../tools/get-signal.ts";
import { getSignalCard } from "../../tools/get-signal-card.ts";
import { issueReceipt } from "../../tools/issue-receipt.ts";
import { proposeTrade } from "../../tools/propose-trade.ts";
import { renderChart } from "../../tools/render-chart.ts";
import { scanSymbols } from "../../tools/scan-symbols.ts";
import { screenUniverse } from "../../tools/screen-universe.ts";
import { verifyReceipt } from "../../tools/verify-receipt.ts";
import { stoppedClock } from "../support/context.ts";
import { type Installation, install, writeBars } from "../support/installation.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { openTransportClients, type TransportClient } from "../support/transport-clients.ts";

/** Bars end on Monday, June 29th; the clock is on Thursday, July 9th. */
const suite = suiteDir();
let installation: Installation;
let clients: readonly TransportClient[];

beforeAll(async () => {
  const folder = await writeBars(suite.dir, [
    ["AAPL", "1d"],
    ["MSFT", "1d"],
    ["SPY", "1d"],
  ]);
  const clock = stoppedClock(new Date("2026-07-09T12:00:00.000Z"));
  installation = await install(suite.dir, `files:${folder}`, {}, { clock });
  await installation.app.engine.run({ universe: { name: "all" } });
  clients = await openTransportClients(installation);
}, 60_000);
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await installation.stop();
  suite.remove();
});

const plain = (_style: unknown, text: string) => text;
const dataOf = async (client: TransportClient, ...[tool, input]: Parameters<TransportClient["call"]>) => {
  const answer = await client.call(tool, input);
  if ("code" in answer) throw new Error(`${client.name}: ${answer.code}`);
  return answer.data;
};
const NOTE = "Stale: the newest closed 1d bar is 9 days old: it closed 2026-06-29T20:00:00.000Z.";

describe("a signal on stale bars", () => {
  it("has entry_state stale, tier NEUTRAL and says so first over every transport", async () => {
    for (const client of clients) {
      const answer = (await dataOf(client, getSignal, { symbol: "AAPL" })) as { data: { notes: string[] } };
      expect(answer, client.name).toMatchObject({
        data: { signal: { entry_state: "stale", rr_now: null, tier: "NEUTRAL" } },
      });
      expect(answer.data.notes[0], client.name).toBe(NOTE);
      expect(getSignal.terminal!(answer as never, plain).split("\n")[0], client.name).toBe(NOTE);
    }
  }, 60_000);

  it("is current as of a time at which its bars were", async () => {
    const past = { symbol: "AAPL", as_of: "2026-07-02T13:00:00Z" };
    const { data } = (await dataOf(clients[0]!, getSignal, past)) as {
      data: { signal: { entry_state: string }; notes: string[] };
    };
    expect(data.signal.entry_state).not.toBe("stale");
    expect(data.notes.some((note) => note.startsWith("Stale"))).toBe(false);
    const later = { symbol: "AAPL", as_of: "2026-07-08T13:00:00Z" };
    expect(await dataOf(clients[0]!, getSignal, later)).toMatchObject({
      data: { signal: { entry_state: "stale" } },
    });
  });

  it("is marked alike in lists, gets no ticket, and is said once in health", async () => {
    const [client] = clients as [TransportClient];
    const scan = await dataOf(client, scanSymbols, { symbols: ["AAPL", "MSFT"] });
    const screen = await dataOf(client, screenUniverse, {});
    for (const list of [scan, screen])
      for (const row of list.results as { entry_state: string; tier: string }[])
        expect([row.entry_state, row.tier]).toEqual(["stale", "NEUTRAL"]);
    expect(scanSymbols.terminal!(scan as never, plain)).toMatch(
      /^Stale: more than 3 later 1d bars are missing: AAPL \(closed 2026-06-29\), MSFT \(closed 2026-06-29\)|^Stale: more than 3 later 1d bars are missing: MSFT/,
    );
    expect(screenUniverse.terminal!(screen as never, plain)).toMatch(
      /^Stale: the newest bars of the run over all/,
    );
    expect((await dataOf(client, screenUniverse, { tier: "HOT" })).total).toBe(0);
    const { proposals } = (await dataOf(client, proposeTrade, { symbols: ["AAPL", "MSFT"] })) as {
      proposals: { direction: string; reason: string; ticket: null }[];
    };
    for (const { direction, reason, ticket } of proposals) {
      expect(ticket).toBeNull();
      if (direction !== "WAIT") expect(reason).toBe(NOTE);
    }
    expect((await dataOf(client, getHealth, {})).notes).toEqual([
      "All bars of the files end by 2026-06-29: signals without an earlier as_of are stale, with tier NEUTRAL",
    ]);
  });

  it("is said in the first line of every text", async () => {
    const [client] = clients as [TransportClient];
    const ofSymbol = { symbol: "AAPL" };
    const ofList = /^Stale: more than 3 later 1d bars are missing: (AAPL|MSFT) \(closed 2026-06-29\)/;
    const ofRun = /^Stale: the newest bars of (stocks and funds in )?the run over all closed at 2026-06-29T/;
    for (const [tool, input, note] of [
      [getOdds, ofSymbol, NOTE],
      [getAnalysis, ofSymbol, NOTE],
      [explainSignal, ofSymbol, NOTE],
      [getEnhancedSignal, ofSymbol, NOTE],
      [getSignalCard, ofSymbol, NOTE],
      [renderChart, ofSymbol, NOTE],
      [runAgentOperation, { operation: "signal", ...ofSymbol }, NOTE],
      [runAgentOperation, { operation: "batch", symbols: ["AAPL", "MSFT"] }, `AAPL, MSFT: ${NOTE}`],
      [runAgentOperation, { operation: "top" }, ofRun],
      [routeRequest, { task: "signal_analysis", symbols: ["AAPL"] }, ofList],
      [scanSymbols, { symbols: ["AAPL", "MSFT"] }, ofList],
      [screenUniverse, {}, ofRun],
      [getMovers, {}, ofRun],
      [getSectors, {}, ofRun],
      [getServiceIndex, {}, ofRun],
    ] as const) {
      const answer = await dataOf(client, tool as never, input);
      const [first, ...rest] = tool.terminal!(answer as never, plain).split("\n");
      expect(first, tool.name).toEqual(typeof note === "string" ? note : expect.stringMatching(note));
      expect(rest.join("\n"), tool.name).not.toContain(first);
    }
  }, 60_000);

  it("has tier NEUTRAL in the report of a run too, which names the bars", async () => {
    const report = await installation.app.engine.run({ universe: { name: "all" } });
    expect(report.rows.map(({ tier }) => tier)).toEqual(["NEUTRAL", "NEUTRAL", "NEUTRAL"]);
    expect(report.stale_notes).toEqual([
      "Stale: the newest bars of the run over all closed at 2026-06-29T20:00:00.000Z: the run describes that day",
    ]);
  });

  it("leaves receipts as they are", async () => {
    const [client] = clients as [TransportClient];
    const now = (await dataOf(client, issueReceipt, { symbol: "AAPL" })) as {
      receipt: { result: object; receipt_id: string };
    };
    const then = (await dataOf(client, issueReceipt, { symbol: "AAPL", as_of: "2026-06-30" })) as typeof now;
    expect(now.receipt.result).toEqual(then.receipt.result);
    expect(await dataOf(client, verifyReceipt, { receipt_id: now.receipt.receipt_id })).toMatchObject({
      valid: true,
    });
  });
});
