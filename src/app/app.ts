import { createAuthenticator } from "../access/access.ts";
import { auditOf } from "../access/audit/audit.ts";
import { createAuditVerifier } from "../access/audit/audit-check.ts";
import { ownerPrincipal } from "../access/callers.ts";
import { agentSlots, PLAN_SCHEDULES } from "../access/plans.ts";
import { createStreamTokens } from "../access/stream-tokens.ts";
import { signerOf } from "../access/vault/signing-key.ts";
import { DEFAULT_LIMITS } from "../analytics/risk/limits.ts";
import { createCompute, defaultThreads } from "../compute/compute.ts";
import type { Principal } from "../domain/accounts/access.ts";
import { ALERTS_PLAN } from "../domain/alerts/alerts.ts";
import type { Ports } from "../domain/ports.ts";
import { createAgentService } from "../features/agents/agent-service.ts";
import { createScheduler } from "../features/agents/scheduler.ts";
import { runsOnRequest } from "../features/nightly/runs-on-request.ts";
import { createContractRepository } from "../features/prediction-markets/save-contracts.ts";
import { withRealMoves } from "../features/signal/real-moves.ts";
import { withPaperAccount } from "../features/trading/built-in-paper.ts";
import { paperConnection } from "../features/trading/connect.ts";
import type { RuntimePorts } from "../kernel/invoke.ts";
import { createRegistry } from "../kernel/registry.ts";
import { tasksOf } from "../kernel/tasks.ts";
import { createAnswers } from "../market/answers.ts";
import { createCache } from "../market/cache.ts";
import { marketDays } from "../market/calendar/market-days.ts";
import { accountNumber } from "../providers/paper/order.ts";
import { clientSessions } from "../store/accounts/client-sessions.ts";
import { idempotency } from "../store/accounts/idempotency.ts";
import { automationStore } from "../store/agents/automation.ts";
import { backtests } from "../store/backtest/backtests.ts";
import { drawnLevels } from "../store/drawn-levels/drawn-levels.ts";
import { noSplits } from "../store/market/no-splits.ts";
import { engineRuns } from "../store/nightly/engine-runs.ts";
import { flowDays } from "../store/options-flow/flow-days.ts";
import { contractSnapshotRepository } from "../store/prediction-markets/contract-snapshots.ts";
import { receiptRepository } from "../store/receipts/receipts.ts";
import { connections } from "../store/trading/connections.ts";
import { paperRepository } from "../store/trading/paper-repository.ts";
import { positionRepository } from "../store/trading/positions.ts";
import { tradeNotes } from "../store/trading/trade-notes.ts";
import { tradeRepository } from "../store/trading/trade-repository.ts";
import { tradeRules } from "../store/trading/trade-rules.ts";
import { openAlerts } from "./alerts.ts";
import { auditThread } from "./audit-thread.ts";
import { backgroundWork } from "./background.ts";
import { catalogue } from "./catalogue.ts";
import { watchClock } from "./clock-watch.ts";
import { type Config, tokenIssuerOf } from "./config.ts";
import { openConfirmations } from "./confirmations.ts";
import { createDashboardFiles } from "./dashboard-files.ts";
import { type App, type AppOverrides, openInstallation } from "./installation.ts";
import { openMarket, withDemo } from "./market.ts";
import { openNightly } from "./nightly.ts";
import { openOperation } from "./operation.ts";
import { createSharedRun } from "./processes/shared-run.ts";
import { brokersOf } from "./providers/brokers.ts";
import { noQuoteStreams } from "./providers/not-connected.ts";
import { queryHelpOf } from "./providers/query-help.ts";
import { openRecord } from "./record.ts";
import { toolSearchOver } from "./request-model.ts";
import { signInOf } from "./sign-in.ts";
import { createSkills } from "./skills.ts";

/** Composition root: builds the ports from the settings, and the registry from ports and catalogue. */
export async function createApp(settings: Config, overrides: AppOverrides = {}): Promise<App> {
  const { meters, windows, ...installation } = await openInstallation(settings, overrides);
  const { clock, ids, log, access, store, secretStore, secrets, keyedHash, auditRepository } = installation;
  const { vault } = secretStore;
  const { processes = 1, tracer, recordings } = overrides;
  const { peers } = installation;
  try {
    const config = (await installation.verifySecrets()) ? await installation.openSettings() : settings;
    const {
      ports: marketPorts,
      report,
      live,
      replayedRecords,
    } = await openMarket(config, {
      clock,
      log,
      store,
      fetch: overrides.fetch ?? globalThis.fetch,
      processes,
      peers,
      windows,
      tracer,
      recordings,
    });
    const { symbols } = marketPorts;
    const clockWatch = watchClock({ log });
    const answers = createAnswers(
      () => `${Math.floor(clock.now().getTime() / 1_000)} ${store.version()} ${live?.changes() ?? ""}`,
    );
    const compute = createCompute({ threads: config.COMPUTE_THREADS ?? defaultThreads(processes), log });
    const market = withDemo(config, marketPorts.market, symbols);
    const { db, backgroundDb } = store;
    const scope = { db, backgroundDb, market: market.id };
    const splitPorts = { noSplits: noSplits(scope), symbols, market };
    const runs = engineRuns({ ...scope, clock });
    const operation = openOperation({ store, clock, dataDir: config.DATA_DIR });
    const auditDeps = { repository: auditRepository, vault };
    const alerts = openAlerts({
      ...scope,
      peers,
      mode: market.mode,
      config,
      secrets,
      clock,
      ids,
      log,
      tracer,
      hasActiveEntitlement: (account) => installation.hasActiveEntitlement(account, ALERTS_PLAN),
    });
    const confirming = openConfirmations({ ...scope, config, ports: () => ports, notify: alerts.notify });
    const record = openRecord({ ...scope, config, keyedHash, clock, ids, log, compute, replayedRecords });
    const contractHistory = createContractRepository({
      ...marketPorts,
      clock,
      log,
      repository: contractSnapshotRepository({ ...scope, log }),
    });
    const audit = auditOf({ repository: auditRepository, vault, clock, market: market.id });
    const paperBook = paperRepository(scope);
    const paper = { paperBook, market: market.id, audit, clock, numberOf: accountNumber };
    const connected = withPaperAccount({ ...paper, connections: connections({ ...scope, vault }) });
    const agentPorts = {
      ...automationStore(scope),
      resolvePrincipal: installation.resolvePrincipal,
      connections: connected,
      symbols,
      market,
      clock,
      ids,
      log,
      tracer,
      slotsOf: (caller: Principal) => agentSlots(PLAN_SCHEDULES[config.PLAN_SCHEDULE], caller),
      tools: () => registry.tools,
      runtimePorts: () => ports,
    };
    const scheduler = createScheduler(agentPorts);
    const sharedRun = createSharedRun(() => engine.ongoing, peers);
    let stopBackground = async () => {};
    const requestedRuns = runsOnRequest({ engineRuns: runs, engine: () => engine, market, clock, log });
    const ports: Ports & Pick<RuntimePorts, "tracer"> = {
      ...(tracer && { tracer }),
      ...marketPorts,
      bars: withRealMoves(marketPorts.bars, splitPorts),
      noSplits: splitPorts.noSplits,
      market,
      quoteStreams: marketPorts.quoteStreams ?? noQuoteStreams,
      marketDays,
      contractHistory,
      flowDays: marketPorts.flowDays ?? flowDays({ ...scope, log }),
      clock,
      clockWatch,
      compute,
      answers,
      storage: store.health,
      ids,
      log,
      meters,
      usage: installation.usage,
      connectedApps: installation.peopleAdmin,
      cache: createCache(clock),
      engineRuns: overrides.runsOnRequest === true ? requestedRuns : { ...runs, ongoing: sharedRun.watch },
      runProgress: runs,
      ...record.ports,
      backtests: backtests(scope),
      tasks: tasksOf(
        () => registry.tools,
        () => ports,
      ),
      toolSearch: toolSearchOver(() => registry),
      queryHelp: queryHelpOf(config),
      brokers: brokersOf({
        ...marketPorts,
        clock,
        log,
        config,
        liveMarket: live,
        book: paperBook,
        live: config.TRADING_LIVE,
        paperEquity: config.PAPER_EQUITY,
        riskPct: Number(config.TRADING_RISK_PCT) === 0 ? null : config.TRADING_RISK_PCT,
      }),
      connections: connected,
      automation: createAgentService(agentPorts),
      tradeRepository: tradeRepository({
        ...scope,
        tokenIssuer: tokenIssuerOf(config),
        confirmAudited: audit.confirmTicket,
      }),
      audit,
      auditVerifier: operation.observed(
        createAuditVerifier(
          auditDeps,
          auditThread({ ...auditDeps, file: store.file, dataDir: config.DATA_DIR, log }),
        ),
      ),
      tradeRules: tradeRules({ db: store.db, defaults: DEFAULT_LIMITS }),
      failedJobs: {
        counts: () => nightly.failedJobs.counts(),
        list: (limit) => nightly.failedJobs.list(limit),
        retry: (id) => nightly.failedJobs.retry(id),
      },
      get confirmations() {
        return confirming.confirmations();
      },
      positionRepository: positionRepository({ ...scope, clock }),
      tradeNotes: tradeNotes(scope),
      drawnLevels: drawnLevels(scope),
      ...alerts.ports,
      receipts: receiptRepository(scope),
      signer: signerOf(secrets),
      skills: createSkills(),
      dashboard: createDashboardFiles(),
    };
    const backgroundBars = live === null ? ports.bars : withRealMoves(live.bars.background, splitPorts);
    const { repositories } = record;
    const nightly = openNightly({ ports, live, peers, scope, bars: backgroundBars, repositories });
    const { track, engine } = nightly;
    const watching = alerts.watch({ ...ports, bars: backgroundBars });
    const registry = createRegistry(overrides.tools ?? catalogue, ports);
    const owner = ownerPrincipal();
    const startBackground = backgroundWork({
      ports,
      live,
      owner,
      engine,
      watching,
      sendProgress: sharedRun.send,
      demoTool: registry.tools.find((tool) => tool.role === "demo"),
    });
    const startProcess = ({ checks, replays }: { readonly checks: boolean; readonly replays: boolean }) => {
      clockWatch.start();
      compute.start();
      store.upkeep.start({ checks });
      nightly.takeJobs({ replays });
      scheduler.start();
      alerts.startDeliveries();
    };
    return {
      ...installation,
      config,
      ports,
      registry,
      idempotency: idempotency({ ...scope, clock, ids, keyedHash }),
      streamTokens: createStreamTokens({ ...installation, keyedHash }),
      clientSessions: clientSessions(db, clock),
      // loaded when a server needs it: no command uses the A2A library
      a2aTasks: async () =>
        (await import("../store/a2a-tasks.ts")).a2aTasks({ db: store.db, market, clock, ids }),
      a2aPush: alerts.a2aPush,
      owner,
      authenticate: createAuthenticator({ access, countInvalidKey: meters.countInvalidKey }),
      confirmations: confirming.confirmations(),
      openSignIn: signInOf({
        ...installation,
        windows,
        config,
        confirming,
        countInvalidKey: meters.countInvalidKey,
      }),
      files: report,
      live,
      engine,
      track,
      scheduler,
      paper: () => paperConnection(owner, ports),
      operation: (isLeader) => operation.of(ports, isLeader),
      startWorker: () => startProcess({ checks: false, replays: true }),
      start({ backgroundWork: isFirst = true } = {}) {
        startProcess({ checks: isFirst, replays: false });
        void sharedRun.ask();
        if (store.replicas !== null) stopBackground = store.replicas.lead(startBackground);
        else if (isFirst) stopBackground = startBackground();
      },
      async close() {
        clockWatch.close();
        const stopped = stopBackground();
        await scheduler.close();
        await watching.close();
        await alerts.close();
        await nightly.close();
        await stopped;
        await contractHistory.close();
        await record.close();
        await compute.close();
        await live?.close();
        await installation.close();
      },
    };
  } catch (cause) {
    await installation.close();
    throw cause;
  }
}
