import { expect, it } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { catalogue } from "../../src/app/catalogue.ts";
import { readConfig } from "../../src/app/config.ts";
import type { AgentRun, DecisionShown } from "../../src/domain/agents/automation.ts";
import { SAMPLE_LABEL } from "../../src/domain/market/market.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { collectingLog } from "../support/context.ts";
import { settableClock } from "../support/providers.ts";
import { tempDir } from "../support/temp-dir.ts";
import { documentText, withSection } from "./documents.ts";

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

const closedText = ({ symbol, exits, r_multiple }: Traded): string =>
  `The position in ${symbol} was closed by its ${exits[0]!.kind.replace("_", " ")} on ${day(exits[0]!.at)} (${r_multiple?.toFixed(2) ?? "unknown"} R).`;
const heldText = (held: readonly Traded[], budgetLeft: string | undefined): string =>
  `At the end it holds ${held.map(({ symbol, quantity }) => `${quantity} ${symbol}`).join(", ")}, and ${Number(budgetLeft).toFixed(2)} USD of the budget are left.`;
const receiptText = (symbol: string, { result, decided_at, inputs, inputs_hash }: any): string =>
  `The receipt of the signal that bought ${symbol}: grade ${result.grade}, score ${result.score.toFixed(1)}, decided at ${decided_at} from ${inputs.length} inputs with the hash \`${inputs_hash}\`.`;

/** One row per run: what was bought or sold and why, or that nothing was traded. */
function rowOf({ due_at, decisions }: AgentRun): string {
  const acted = decisions.filter(({ action }) => action !== "hold");
  const trades = acted.map(
    (one) =>
      `**${one.action} ${one.symbol}.** ${one.why}${orderOf(one)}${one.refused == null ? "" : ` Not placed: ${one.refused.message}`}`,
  );
  const graded = decisions.map((one) => `${one.symbol} ${(one as Graded).figures?.grade ?? "no grade"}`);
  return `| ${day(due_at)} | ${trades.join("<br>") || `no trade: ${graded.join(", ")}`} |`;
}

it("shows two weeks of an agent on the simulated market as it runs, and the receipt of its last decision", {
  timeout: 120_000,
}, async () => {
  const clock = settableClock("2026-11-04T12:00:00Z");
  const settings = { DATA_DIR: tempDir(), MARKET_DATA: "sample", LOG_LEVEL: "silent" };
  const app = await createApp(readConfig({ CACHE_MB: "2048", ...settings }), {
    clock,
    log: collectingLog().log,
  });
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
      expect(await scheduler.runDue()).toBe(1);
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
      [
        ...closed.map(closedText),
        heldText(held, agent.budget?.left),
        receiptText(first.symbol, receipt),
        `\`verify\` answers: ${verified.reason}`,
      ].join(" "),
    ].join("\n");
    const path = "docs/agents.md";
    const expected = withSection(documentText(path), "fortnight", content);
    await expect(expected).toMatchFileSnapshot(`../../${path}`);
  } finally {
    await app.close();
  }
});
