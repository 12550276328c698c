import type { App } from "../../src/app/installation.ts";
import type { Principal } from "../../src/domain/accounts/access.ts";
import type { AgentRun } from "../../src/domain/agents/automation.ts";
import { isUnresolved } from "../../src/domain/trading/trading.ts";
import { paperConnection } from "../../src/features/trading/connect.ts";
import { decimal } from "../../src/lib/decimal.ts";

const SYMBOLS = ["AAPL", "MSFT", "KO", "SPY"];
/** Reason of an order that was cut off before the broker received it; a later run may buy again. */
const NEVER_RECEIVED = "The broker never received it";
/** Shorter than any interval a caller may set. */
const EVERY_S = 4;
const MOST_RUNS = 100;

/** An account with one agent that buys one unit of each symbol once and holds it. */
export interface StoredOrder {
  readonly caller: Principal;
  readonly id: string;
}

export type AgentServer = ReturnType<typeof createAgentServer>;

/** Actions and checks of the proof on the data folder of its servers. */
export function createAgentServer({ access, ports, store }: App) {
  const { automation } = ports;
  const runsOf = ({ caller, id }: StoredOrder) => automation.runs(caller, { id, limit: MOST_RUNS });
  const isRunning = async ({ caller, id }: StoredOrder) =>
    (await automation.instances(caller)).some((one) => one.agent_id === id && one.state === "running");
  const ordersOf = ({ caller }: StoredOrder) => ports.tradeRepository.orders(caller.account, { limit: 200 });
  /** True while an order was cut off between its record and the response of the broker; it is resolved after a minute. */
  const hasUnresolved = async (one: StoredOrder) => (await ordersOf(one)).some(isUnresolved);
  const open = (runs: readonly AgentRun[]) => runs.filter(({ outcome }) => outcome === "running");
  const count = async (agents: readonly StoredOrder[], is: (one: StoredOrder) => Promise<boolean>) =>
    (await Promise.all(agents.map(is))).filter(Boolean).length;
  return {
    async start(account: string): Promise<StoredOrder> {
      const { id: keyId, scopes } = await access.create({ account, plan: "pro" });
      const caller: Principal = { account, plan: "pro", scopes, keyId };
      const { connection } = await paperConnection(caller, ports);
      await automation.save(caller, {
        name: "buyer",
        symbols: SYMBOLS,
        timeframe: "1d",
        every: "1m",
        dry_run: false,
        entry: { all: ["close > 0"] },
        exit: { any: ["close < 0"] },
        stop: "90 %",
        target: "900 %",
        sizing: { quantity: "1" },
      });
      const input = { connection_id: connection.connection_id, budget_usd: "100000" };
      const { agent_id: id } = await automation.start(caller, { agent: "buyer", input });
      await store.db.updateTable("agents").set({ every_s: EVERY_S }).where("id", "=", id).execute();
      return { caller, id };
    },

    /** Number of agents with a run that started and did not end. */
    cutOff: (agents: readonly StoredOrder[]) =>
      count(agents, async (one) => open(await runsOf(one)).length > 0),
    /** True if every agent has completed a run. */
    haveRun: async (agents: readonly StoredOrder[]) =>
      (await count(agents, async (one) => (await runsOf(one)).some(({ outcome }) => outcome === "done"))) ===
      agents.length,
    running: (agents: readonly StoredOrder[]) => count(agents, isRunning),

    /** Stops running agents that have completed a run and have neither a run in progress nor an unresolved order. */
    async stopIdle(agents: readonly StoredOrder[]): Promise<void> {
      for (const one of agents) {
        const runs = await runsOf(one);
        const idle = runs.some(({ outcome }) => outcome === "done") && open(runs).length === 0;
        if (idle && !(await hasUnresolved(one)) && (await isRunning(one)))
          await automation.stop(one.caller, { id: one.id });
      }
    },

    async judge({ caller, id }: StoredOrder) {
      const runs = (await automation.runs(caller, { id, limit: MOST_RUNS })).toReversed();
      const [agent] = (await automation.instances(caller)).filter((one) => one.agent_id === id);
      const orders = (await ordersOf({ caller, id })).filter(({ reason }) => reason !== NEVER_RECEIVED);
      const named = (fault: string) => `${caller.account}: ${fault}`;
      const broken = [
        ...gapsIn(runs, agent!.started_at).map(named),
        ...runs
          .filter(({ outcome, reason }) => outcome === "failed" && !/^CANCELLED/.test(reason ?? ""))
          .map(({ reason }) => named(`a run failed: ${reason}`)),
        ...SYMBOLS.flatMap((symbol) => {
          const bought = orders.filter(({ intent }) => intent.symbol === symbol);
          return bought.length === 1 ? [] : [named(`${bought.length} orders of ${symbol}`)];
        }),
        ...orders
          .filter(({ intent, filled_quantity }) => intent.side !== "buy" || filled_quantity !== "1")
          .map(({ order_id, intent, filled_quantity }) =>
            named(`${order_id} to ${intent.side} ${intent.quantity} was filled ${filled_quantity}`),
          ),
      ];
      const cost = orders.reduce(
        (sum, one) => sum.plus(decimal(one.filled_quantity).times(one.average_price ?? 0)).plus(one.fees),
        decimal(0),
      );
      if (!cost.minus(agent!.budget!.spent).abs().lt("0.0001"))
        broken.push(
          named(`${agent!.budget!.spent} USD reported as spent, and orders cost ${cost.toFixed()}`),
        );
      const sum = (of: (run: AgentRun) => number) => runs.reduce((all, run) => all + of(run), 0);
      return {
        broken,
        orders: orders.length,
        runs: runs.length,
        resumed: sum(({ resumed }) => (resumed ? 1 : 0)),
        missed: sum(({ missed }) => missed),
      };
    },
  };
}

/** Scheduled times that were neither run nor reported as missed, or that ran twice. */
function gapsIn(runs: readonly AgentRun[], start: string): readonly string[] {
  return runs.flatMap(({ due_at }, i) => {
    const before = runs[i - 1];
    const expected =
      before === undefined
        ? Date.parse(start)
        : Date.parse(before.due_at) + (before.missed + 1) * EVERY_S * 1_000;
    return Date.parse(due_at) === expected
      ? []
      : [`the run of ${new Date(expected).toISOString()} is that of ${due_at}`];
  });
}
