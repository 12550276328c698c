import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createApp } from "../src/app/app.ts";
import { catalogue } from "../src/app/catalogue.ts";
import { readConfig } from "../src/app/config.ts";
import type { AgentRun, DecisionShown } from "../src/domain/agents/automation.ts";
import { SAMPLE_LABEL } from "../src/domain/market/market.ts";
import { invoke } from "../src/kernel/invoke.ts";
import { collectingLog } from "./support/context.ts";
import { movedClock } from "./support/sources.ts";
import { tempDir } from "./support/temp-dir.ts";

const DAY = 86_400_000;
const DAYS = 14;
const SYMBOLS = ["NVDA", "PG", "BAC", "DIS"];

type Traded = {
  readonly symbol: string;
  readonly quantity: string;
  readonly r_multiple: number | null;
  readonly exits: readonly { readonly kind: string; readonly at: string }[];
};
type Graded = { readonly figures?: { readonly grade?: string | null } | null };
const day = (iso: string) => iso.slice(0, 10);
const orderOf = ({ order }: DecisionShown): string =>
  order == null ? "" : ` Ordered ${order.order_id.slice(0, 3)}...`;

/** One row for each run: what was bought or sold and why, or that nothing was. */
function rowOf({ due_at, decisions }: AgentRun): string {
  const acted = decisions.filter(({ action }) => action !== "hold");
  const told = acted.map(
    (one) =>
      `**${one.action} ${one.symbol}.** ${one.why}${orderOf(one)}${one.refused == null ? "" : ` Not placed: ${one.refused.message}`}`,
  );
  const graded = decisions.map((one) => `${one.symbol} ${(one as Graded).figures?.grade ?? "no grade"}`);
  return `| ${day(due_at)} | ${told.join("<br>") || `no trade: ${graded.join(", ")}`} |`;
}

it("shows the fortnight of an agent on the simulated market as it runs, and the receipt of what it acted on", {
  timeout: 120_000,
}, async () => {
  const clock = movedClock("2026-11-04T12:00:00Z");
  const settings = { DATA_DIR: tempDir(), MARKET_DATA: "sample", LOG_LEVEL: "silent" };
  const app = await createApp(readConfig(settings), { clock, log: collectingLog().log });
  try {
    const { owner, ports, scheduler } = app;
    const ask = <T extends (typeof catalogue)[keyof typeof catalogue]>(tool: T, input: never) =>
      invoke(tool, input, { ports, principal: owner, transport: "test" }) as Promise<any>;
    await app.paper();
    const { agent_id } = await ports.automation.start(owner, {
      agent: "momentum",
      every: "1d",
      input: { symbols: SYMBOLS, dry_run: false, budget_usd: "50000", risk_pct: "0.25" },
    });
    for (let passed = 0; passed < DAYS; passed++) {
      clock.move(DAY);
      expect(await scheduler.look()).toBe(1);
    }
    const runs = (await ports.automation.runs(owner, { id: agent_id, limit: DAYS })).toReversed();
    expect(runs).toHaveLength(DAYS);
    const first = runs.flatMap(({ decisions, due_at }) =>
      decisions.filter(({ action }) => action === "buy").map(({ symbol }) => ({ symbol, due_at })),
    )[0]!;
    const { receipt } = await ask(catalogue.issueReceipt, {
      symbol: first.symbol,
      as_of: first.due_at,
    } as never);
    const verified = await ask(catalogue.verifyReceipt, { receipt_id: receipt.receipt_id } as never);
    const agent = (await ports.automation.instances(owner)).find((one) => one.agent_id === agent_id)!;
    const { trades } = await ask(catalogue.getTradeJournal, {} as never);
    const closed = (trades as readonly Traded[]).filter(({ exits }) => exits.length > 0).toReversed();
    const held = (trades as readonly Traded[]).filter(({ exits }) => exits.length === 0).toReversed();
    const content = [
      `${SAMPLE_LABEL}: \`${SYMBOLS.join(",")}\`, a quarter of a percent of equity at risk in each purchase, a budget of 50,000 USD.`,
      "",
      "| Run of | What it did |",
      "| --- | --- |",
      ...runs.map(rowOf),
      "",
      `${closed.map(({ symbol, exits, r_multiple }) => `${symbol} left by its ${exits[0]!.kind.replace("_", " ")} on ${day(exits[0]!.at)} (${r_multiple?.toFixed(2) ?? "unknown"} R).`).join(" ")} ${held.map(({ symbol, quantity }) => `${quantity} ${symbol}`).join(", ")} are held in the end, and ${Number(agent.budget?.left).toFixed(2)} USD of the budget are left. The receipt of the signal on which it bought ${first.symbol} says: grade ${receipt.result.grade}, score ${receipt.result.score.toFixed(1)}, decided at ${receipt.decided_at} from ${receipt.inputs.length} inputs whose hash is \`${receipt.inputs_hash}\`. \`verify\` answers: ${verified.reason}`,
    ].join("\n");
    const path = new URL("../README.md", import.meta.url);
    const readme = readFileSync(path, "utf8");
    expect(readme).toContain("<!-- fortnight -->");
    const expected = readme.replace(
      /<!-- fortnight -->[\s\S]*<!-- \/fortnight -->/,
      () => `<!-- fortnight -->\n${content}\n<!-- /fortnight -->`,
    );
    await expect(expected).toMatchFileSnapshot("../README.md");
  } finally {
    await app.close();
  }
});
