import { z } from "zod";
import { agentSlots, PLAN_SCHEDULES } from "../../src/access/plans.ts";
import { createPrincipalResolver } from "../../src/access/principal-resolver.ts";
import { catalogue } from "../../src/app/catalogue.ts";
import type { Principal } from "../../src/domain/accounts/access.ts";
import type { KeyRecord } from "../../src/domain/accounts/keyring-port.ts";
import type { CustomAgent } from "../../src/domain/agents/automation.ts";
import type { Ids } from "../../src/domain/ports.ts";
import { createAgentService } from "../../src/features/agents/agent-service.ts";
import { createScheduler } from "../../src/features/agents/scheduler.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import type { RuntimePorts } from "../../src/kernel/invoke.ts";
import { defineTool, type Tool } from "../../src/kernel/tool.ts";
import { appRepository } from "../../src/store/accounts/connected-apps.ts";
import { openKeyring } from "../../src/store/accounts/keyring.ts";
import { automationStore } from "../../src/store/agents/automation.ts";
import { collectingLog, countingIds } from "./context.ts";
import { tradeMarket, trader } from "./trades.ts";

/** A call of a test agent: input and caller. */
export interface AgentCall {
  readonly principal: Principal;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** A tool that is scheduled as `momentum` and behaves as the test defines. */
export const agentTool = (act: (call: AgentCall) => Promise<object> | object): Tool => ({
  schedulable: "momentum",
  ...defineTool({
    name: "run_test_agent",
    title: "Test agent",
    description: "Runs once.",
    toolset: "agents",
    plan: "pro",
    effect: "trade",
    route: "POST /api/v1/agents/test",
    needs: [],
    input: z.object({
      symbols: z.array(z.string()).min(1).describe("Symbols"),
      dry_run: z.boolean().default(true).describe("Places nothing"),
      budget_usd: z.string().optional().describe("USD"),
      connection_id: z.string().optional().describe("Where"),
      run_id: z.string().optional().describe("Its name"),
    }),
    output: z.looseObject({ decisions: z.array(z.looseObject({})) }),
    examples: [{ ask: "Run", input: { symbols: ["AAPL"] } }],
    handler: async (input, { principal, signal }) =>
      (await act({ principal, input, signal })) as { decisions: Record<string, unknown>[] },
  }),
});

/** Response of a run that buys one symbol for `cost` US dollars; `held`: units held before. */
export const buyDecision = (cost: string, held = "0") => ({
  decisions: [
    {
      symbol: "AAPL",
      action: "buy",
      why: "It rose.",
      held,
      trade: { cost },
      refused: null,
      order: { order_id: `or_${"1".repeat(20)}` },
    },
  ],
  budget: { limit: null, spent: cost, left: null },
  notes: ["one note"],
});

/**
 * A market with a paper account whose agents run on their schedule; `process` opens another process on the same store.
 */
export async function agentMarket(tools: readonly Tool[] = Object.values<Tool>(catalogue)) {
  const market = await tradeMarket();
  const { store, clock } = market;
  const keyring = openKeyring(store.db);
  const { log, lines } = collectingLog();
  const process = (ids: Ids, own: readonly Tool[] = tools) => {
    const agentPorts = {
      ...market.ports,
      clock,
      ids,
      log,
      tools: () => own,
      runtimePorts: (): RuntimePorts => ports,
      ...automationStore({ db: store.db, market: market.ports.market.id }),
      resolvePrincipal: createPrincipalResolver({ keyring, apps: appRepository(store.db), clock }),
      slotsOf: (caller: Principal) => agentSlots(PLAN_SCHEDULES.A, caller),
    };
    const service = createAgentService(agentPorts);
    const ports = { ...market.ports, clock, automation: service };
    return { service, scheduler: createScheduler(agentPorts), ports };
  };
  /** Creates an account with a key and returns its principal. Default plan: pro. */
  const caller = async (
    account: string,
    plan: "pro" | "individual" | "member" = "pro",
  ): Promise<Principal> => {
    const at = clock.now().toISOString();
    const scopes = ["read", "write", "trade:paper"] as const;
    const key: KeyRecord = {
      id: `key-${account}`,
      account,
      name: "k",
      kind: "live",
      hash: account,
      last4: "0000",
      scopes,
      created_at: at,
      expires_at: null,
      revoked_at: null,
      replaced_by: null,
      grace_until: null,
      last_used_at: null,
    };
    await keyring.openAccount({ id: account, plan, terms: null, created_at: at, suspended_at: null }, key);
    return { account, plan, scopes, keyId: key.id };
  };
  const opened_at = clock.now().toISOString();
  const ownerAccount = { id: trader.account, plan: "enterprise", terms: null, suspended_at: null } as const;
  await keyring.openAccount({ ...ownerAccount, created_at: opened_at });
  return { ...market, ...process(countingIds()), process, keyring, caller, lines };
}

/** Rejects like a tool, with the given error code. */
export const refuse = (code: "UPSTREAM_UNAVAILABLE" | "PLAN_REQUIRED" | "NOT_FOUND"): never => {
  throw new ToolError(code, "not now");
};

/** A custom agent as a user might save it. */
export const DIP_BUYER: CustomAgent = {
  name: "dip-buyer",
  symbols: ["AAPL"],
  timeframe: "1d",
  every: "1d",
  dry_run: true,
  sizing: { quantity: "2" },
  entry: { all: ["close > 50"] },
  exit: { any: ["close < 50"] },
};
