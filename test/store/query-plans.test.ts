import type { KyselyPlugin, RootOperationNode } from "kysely";
import { expect, it } from "vitest";
import { agentRunQueue } from "../../src/store/agents/agent-run-queue.ts";
import { agentRepository } from "../../src/store/agents/automation.ts";
import { changeRepository } from "../../src/store/alerts/changes.ts";
import { addAlerts } from "../../src/store/alerts/deliveries.ts";
import { deliveryQueue } from "../../src/store/alerts/delivery-queue.ts";
import { subscriptionRepository } from "../../src/store/alerts/subscriptions.ts";
import { engineRuns } from "../../src/store/nightly/engine-runs.ts";
import { jobCounts, queueStates } from "../../src/store/queue-states.ts";
import { dueOutcomes, dueOutcomesOf } from "../../src/store/track-record/due-outcomes.ts";
import { observedForecasts } from "../../src/store/track-record/observed-forecasts.ts";
import { alertOf } from "../support/alerts.ts";
import { NOW } from "../support/context.ts";
import { planOf } from "../support/query-plan.ts";
import { testStore } from "../support/store.ts";

type Here = { readonly db: Awaited<ReturnType<typeof testStore>>["db"]; readonly market: string };

/** Returns the steps of the plans for every query of `work`. */
async function plansOf(work: (here: Here) => Promise<unknown>): Promise<readonly string[]> {
  const { db } = await testStore();
  const requested: { readonly node: RootOperationNode; readonly queryId: any }[] = [];
  const listening: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      requested.push({ node, queryId });
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await work({ db: db.withPlugin(listening), market: "test" });
  const plans = requested.map(async ({ node, queryId }) => {
    const { sql, parameters } = db.getExecutor().compileQuery(node, queryId);
    return planOf(db, sql, parameters);
  });
  return (await Promise.all(plans)).flat();
}

/**
 * Steps of both databases that read or sort a whole table. Sorting by the last columns only is none of them, nor is
 * sorting a page of each table.
 */
const WITHOUT_INDEX =
  /^SCAN|TEMP B-TREE FOR ORDER BY|Seq Scan|-> {2}Sort .*\n.*Sort Key.*\n(?! *-> {2}Append .*\n *-> {2}Limit ).*/m;

const at = NOW.getTime();
const alerts = [{ account: "ada", alert: alertOf("sb_1") }];
it.each<readonly [string, (here: Here) => Promise<unknown>]>([
  ["the newest change", (here) => changeRepository(here).now()],
  ["changes that others wrote", (here) => changeRepository(here).after(1, 9)],
  ["the delivery that is due", (here) => deliveryQueue(here).take(at, 1, 1)],
  ["what is due", (here) => queueStates(here, at)],
  ["how many jobs there are", (here) => jobCounts(here)],
  ["when the next delivery is due", (here) => deliveryQueue(here).nextAt()],
  ["what an alert needs", ({ db, market }) => addAlerts(db, { market, at, alerts })],
  ["what is watched", (here) => subscriptionRepository(here).activeSubscriptions()],
  ["whether any agent runs", (here) => agentRunQueue(here).hasRunningAgents()],
  ["the outcomes that are due", (here) => dueOutcomes(here, at)],
  [
    "those of a series",
    (here) => dueOutcomesOf(here, { symbol: "AAPL", timeframe: "1d", since: "2025-01-02" }, at),
  ],
  ["the ranks of a bar", (here) => engineRuns({ ...here, clock: { now: () => NOW } }).ranks("stocks", at)],
  ["forecasts in the order of decision", (here) => observedForecasts(here, "1d").next()],
  ["the newest runs of an account", (here) => agentRepository(here).runs("ada", { limit: 9 })],
])("finds %s without scanning or sorting a table", async (_, work) => {
  const plans = await plansOf(work);
  expect(plans).not.toEqual([]);
  expect(plans.join("\n").match(WITHOUT_INDEX)).toBeNull();
});
