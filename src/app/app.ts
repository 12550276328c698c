import type { TaskStore } from "@a2a-js/sdk/server";
import { auditOf } from "../access/audit/audit.ts";
import { createAuditVerifier } from "../access/audit/audit-check.ts";
import { createAuthenticator } from "../access/authenticator.ts";
import { ownerPrincipal } from "../access/callers.ts";
import { agentSlots, PLAN_SCHEDULES } from "../access/plans.ts";
import { hashKey } from "../access/vault/master-key.ts";
import { signerOf } from "../access/vault/signing-key.ts";
import { DEFAULT_LIMITS } from "../analytics/risk/limits.ts";
import type { Principal } from "../domain/accounts/access.ts";
import type { Idempotency } from "../domain/accounts/idempotency-port.ts";
import type { AgentScheduler } from "../domain/agents/automation-port.ts";
import { ALERTS_PLAN } from "../domain/alerts/alerts.ts";
import type { Ports } from "../domain/ports.ts";
import type { TrackRecordBuilder } from "../domain/track-record/track-port.ts";
import { createAgents } from "../features/agents/agents.ts";
import { createEngine, type NightlyEngine } from "../features/nightly/engine.ts";
import { modelVersion } from "../features/nightly/engine-row.ts";
import { computeMarketIndex } from "../features/nightly/market-index.ts";
import { createTrack } from "../features/nightly/track.ts";
import { membersOf } from "../features/nightly/universe.ts";
import { createContractRepository } from "../features/prediction-markets/save-contracts.ts";
import { withFacts } from "../features/signal/with-facts.ts";
import { paperConnection } from "../features/trading/paper-connection.ts";
import { invoke } from "../kernel/invoke.ts";
import { createRegistry, type Registry } from "../kernel/registry.ts";
import { tasksOf } from "../kernel/tasks.ts";
import { createCache } from "../market/cache.ts";
import { marketDays } from "../market/calendar/market-days.ts";
import type { FilesReport } from "../providers/files/open.ts";
import { idempotency } from "../store/accounts/idempotency.ts";
import { automationStore } from "../store/agents/automation.ts";
import { backtests } from "../store/backtest/backtests.ts";
import { engineRuns } from "../store/nightly/engine-runs.ts";
import { runRepository } from "../store/nightly/run-repository.ts";
import { flowDays } from "../store/options-flow/flow-days.ts";
import { contractSnapshotRepository } from "../store/prediction-markets/contract-snapshots.ts";
import { receiptRepository } from "../store/receipts/receipts.ts";
import { signalLog } from "../store/track-record/signal-log.ts";
import { trackRecord } from "../store/track-record/track-record.ts";
import { trackRepository } from "../store/track-record/track-repository.ts";
import { connections } from "../store/trading/connections.ts";
import { paperRepository } from "../store/trading/paper-repository.ts";
import { positionRepository } from "../store/trading/positions.ts";
import { tradeNotes } from "../store/trading/trade-notes.ts";
import { tradeRepository } from "../store/trading/trade-repository.ts";
import { tradeRules } from "../store/trading/trade-rules.ts";
import { sealedSecrets } from "../store/vault/secrets.ts";
import type { A2aPushDeps } from "../transports/a2a/push.ts";
import { openAlerts } from "./alerts.ts";
import { catalogue } from "./catalogue.ts";
import type { Config } from "./config.ts";
import { type AppOverrides, type Installation, openInstallation } from "./installation.ts";
import { demoOf, openMarket } from "./market.ts";
import { noPrints } from "./providers/absent/no-off-exchange-trades.ts";
import { brokersOf } from "./providers/brokers.ts";
import type { LiveMarket } from "./providers/live.ts";
import { queryHelpOf } from "./providers/query-help.ts";

/** One running installation: the outside world connected, the catalogue sorted, the callers known. */
export interface App extends Omit<Installation, "meters"> {
  readonly config: Config;
  readonly ports: Ports;
  readonly registry: Registry;
  /** Calls over REST that may be sent again. */
  readonly idempotency: Idempotency;
  /** What other agents asked and were told. */
  readonly a2aTasks: () => Promise<TaskStore>;
  /** Whom they want told of it; null where nothing is sent to addresses of clients. */
  readonly a2aPush: () => Promise<A2aPushDeps | null>;
  /** Whoever runs commands on this machine. */
  readonly owner: Principal;
  /** Who stands at a network door with this key and address. */
  readonly authenticate: (key: string | null, address: string) => Promise<Principal>;
  /** Status of the folder of CSV files; null in other markets. */
  readonly files: (() => FilesReport) | null;
  /** Sources of real prices and what an operator may ask of them; null in other markets. */
  readonly live: LiveMarket | null;
  /** Runs over whole universes. */
  readonly engine: NightlyEngine;
  /** Outcomes of signals. */
  readonly track: TrackRecordBuilder;
  /** Scheduler that runs agents when they are due. */
  readonly scheduler: AgentScheduler;
  /** The owner's account at the embedded exchange, made where there is none. */
  paper(): ReturnType<typeof paperConnection>;
  /** From now on keeps current what a server keeps: listings, comparisons, the demo, the results of nightly runs. */
  start(): void;
}

/** Composition root: settings become ports, ports and catalogue a registry. Vendors are named here and in what only live prices load. */
export async function createApp(config: Config, outside: AppOverrides = {}): Promise<App> {
  const { meters, ...desk } = await openInstallation(config, outside);
  const { clock, ids, log, access, store } = desk;
  try {
    await desk.secretStore.verify();
    const open = await openMarket(config, { clock, log, store, fetch: outside.fetch });
    const { symbols } = open;
    const market = { ...open.market, ...demoOf(config, open.market, symbols) };
    const here = { db: store.db, market: market.id };
    const secrets = sealedSecrets({ db: store.db, vault: desk.secretStore.vault });
    const alerts = openAlerts({
      ...here,
      config,
      secrets,
      clock,
      ids,
      log,
      hasActiveEntitlement: (account) => desk.hasActiveEntitlement(account, ALERTS_PLAN),
    });
    const signals = trackRepository({ ...here, clock });
    const served = signalLog({ book: signals, market: market.id, log });
    const contractHistory = createContractRepository({
      ...open,
      clock,
      log,
      kept: contractSnapshotRepository({ ...here, log }),
    });
    const connected = connections({ ...here, vault: desk.secretStore.vault });
    const agents = createAgents({
      store: automationStore(here),
      resolvePrincipal: desk.resolvePrincipal,
      connections: connected,
      symbols,
      market,
      clock,
      ids,
      log,
      slotsOf: (caller) => agentSlots(PLAN_SCHEDULES[config.PLAN_SCHEDULE], caller),
      tools: () => registry.tools,
      runtimePorts: () => ports,
    });
    const ports: Ports = {
      market,
      symbols,
      quotes: open.quotes,
      bars: open.bars,
      prints: open.prints,
      news: open.news,
      earnings: open.earnings,
      marketDays,
      offExchange: open.offExchange,
      contracts: open.contracts,
      contractHistory: contractHistory,
      congress: open.congress,
      chains: open.chains,
      flowTape: open.flowTape,
      flowDays: open.flowDays ?? flowDays({ ...here, log }),
      putCalls: open.putCalls,
      providerHealth: open.providerHealth,
      clock,
      ids,
      log,
      meters,
      cache: createCache(clock),
      engineRuns: engineRuns({ ...here, clock }),
      signalLog: served,
      trackRecord: trackRecord({ ...here, model: modelVersion() }),
      backtests: backtests(here),
      tasks: tasksOf(
        () => registry.tools,
        () => ports,
      ),
      queryHelp: queryHelpOf(config),
      brokers: brokersOf({
        ...open,
        clock,
        log,
        config,
        liveMarket: open.live,
        book: paperRepository(here),
        live: config.TRADING_LIVE,
      }),
      connections: connected,
      automation: agents.service,
      tradeRepository: tradeRepository(here),
      audit: auditOf({
        repository: desk.auditRepository,
        vault: desk.secretStore.vault,
        clock,
        market: market.id,
      }),
      auditVerifier: createAuditVerifier({ repository: desk.auditRepository, vault: desk.secretStore.vault }),
      tradeRules: tradeRules({ db: store.db, defaults: DEFAULT_LIMITS }),
      positionRepository: positionRepository(here),
      tradeNotes: tradeNotes(here),
      ...alerts.ports,
      receipts: receiptRepository(here),
      signer: signerOf(secrets),
    };
    const book = runRepository(here);
    const unhurried = open.live?.bars.background ?? open.bars;
    const track = createTrack({ ...ports, bars: unhurried, repository: signals });
    const engine = createEngine({
      ...ports,
      bars: unhurried,
      // a night of all symbols would use up the calls that people wait for
      prints: open.live === null ? open.prints : noPrints,
      repository: book,
      // coins have a run of their own where stocks do
      index: ({ head, ...inputs }) =>
        computeMarketIndex({
          ...inputs,
          putCalls: ports.putCalls,
          members: [...head.members, ...membersOf({ name: "crypto" }, ports)],
        }),
      onFound: track.afterRun,
      // only the simulated market tells it without a call to anybody
      ...(ports.market.mode === "sample" && {
        withFacts: (instrument, gathered, signal) => withFacts(instrument, gathered, signal, ports),
      }),
    });
    const watching = alerts.watch({ ...ports, bars: unhurried });
    const registry = createRegistry(outside.tools ?? catalogue, ports);
    const owner = ownerPrincipal();
    const showcase = registry.tools.find((tool) => tool.role === "demo");
    return {
      ...desk,
      config,
      ports,
      registry,
      idempotency: idempotency({ ...here, clock, ids, secret: hashKey(config) }),
      // loaded when a server needs it: no command uses the library behind it
      a2aTasks: async () => (await import("../store/a2a-tasks.ts")).a2aTasks({ db: store.db, market, clock }),
      a2aPush: alerts.a2aPush,
      owner,
      authenticate: createAuthenticator({ access, countInvalidKey: meters.countInvalidKey }),
      files: open.report,
      live: open.live,
      engine,
      track,
      scheduler: agents.scheduler,
      paper: () => paperConnection(owner, ports),
      start() {
        engine.start();
        agents.scheduler.start();
        watching.start();
        open.live?.start({
          wanted: contractHistory.wanted,
          demo: async () => {
            if (showcase !== undefined)
              await invoke(showcase, {}, { ports, principal: owner, transport: "upkeep", nested: true });
          },
        });
      },
      async close() {
        await agents.scheduler.close();
        await watching.close();
        await engine.close();
        await contractHistory.close();
        await served.close();
        await open.live?.close();
        await desk.close();
      },
    };
  } catch (cause) {
    await desk.close();
    throw cause;
  }
}
