import type { Kysely } from "kysely";
import type { ChainProvider, KeyedChainProvider, TradeProvider } from "../../domain/options-flow/provider.ts";
import type { Chains, FlowDays, FlowTape, Log, PutCalls, Symbols } from "../../domain/ports.ts";
import { saveFlowDay } from "../../features/options-flow/flow-day.ts";
import { createChainCollector } from "../../features/options-flow/live/chain-collector.ts";
import { liveChains } from "../../features/options-flow/live/chains.ts";
import { liveFlowTape } from "../../features/options-flow/live/flow-tape.ts";
import { livePutCalls } from "../../features/options-flow/live/put-calls.ts";
import type { Guarded } from "../../market/failover/guard.ts";
import { alpacaChains } from "../../providers/alpaca/chains.ts";
import { cboeChains } from "../../providers/cboe/chains.ts";
import { cboePutCalls } from "../../providers/cboe/put-calls.ts";
import { optionTapeFile } from "../../providers/files/option-tape.ts";
import { massiveChains } from "../../providers/massive/chains.ts";
import { tradierChains } from "../../providers/tradier/chains.ts";
import { unusualWhalesFlow, unusualWhalesTide } from "../../providers/unusualwhales/flow.ts";
import { yahooChains } from "../../providers/yahoo/chains.ts";
import { flowDays } from "../../store/options-flow/flow-days.ts";
import { putCallRepository } from "../../store/options-flow/put-call-repository.ts";
import type { Schema } from "../../store/schema.ts";
import { NO_CHAINS, NO_PUT_CALLS, NO_TAPE, NO_TIDE } from "./not-connected.ts";
import { lastSession, PROBE_STOCK } from "./probe-stock.ts";
import type { ProviderFactory, ProviderOptions } from "./provider-factory.ts";
import { planOf } from "./provider-plan.ts";
import { KEY_SETTINGS } from "./provider-terms.ts";

/** A chain takes several megabytes, and several calls with providers that return one expiry per call. */
const TIMEOUT_MS = 10_000;
/** Maximum wait for a place within the rate limit: for a request, and for a background task. */
const MAX_WAIT_MS = 5_000;
const BACKGROUND_WAIT_MS = 90_000;
const LIMITS = { timeoutMs: TIMEOUT_MS + MAX_WAIT_MS, maxWaitMs: MAX_WAIT_MS } as const;
const WEEK_MS = 7 * 86_400_000;

export interface OptionsDeps {
  readonly symbols: Symbols;
  readonly log: Log;
  readonly db: Kysely<Schema>;
  /** Id of the market; what is stored for one market is not read in another. */
  readonly market: string;
}

export interface OptionPorts {
  readonly chains: Chains;
  readonly flowTape: FlowTape;
  readonly flowDays: FlowDays;
  readonly putCalls: PutCalls;
  /** Stores summaries of the chains of recently requested symbols every 15 minutes while options trade. */
  saveChains(recent: readonly string[], signal: AbortSignal): Promise<void>;
  /** Fetches put/call ratios of the past year. */
  savePutCalls(signal: AbortSignal): Promise<void>;
}

/**
 * Options data from the enabled providers. Chains in real time come first; they need a key. Of those that are 15 minutes
 * late, Cboe's is first, with greeks, open interest and every expiry in one call, then those of a key, and Yahoo's last,
 * with few expiries and without greeks.
 */
export function optionPorts(
  { config, create, createCustom, now, clock }: ProviderFactory,
  { symbols, log, db, market }: OptionsDeps,
): OptionPorts {
  const chainOptions: ProviderOptions<ChainProvider> = {
    content: "option chains",
    ...LIMITS,
    check: (provider, signal) => provider.call(PROBE_STOCK, { signal }),
  };
  const tradeOptions: ProviderOptions<TradeProvider> = {
    content: "option trades",
    ...LIMITS,
    check: (provider, signal) =>
      provider.call({ instrument: PROBE_STOCK, from: now() - WEEK_MS }, { signal }),
  };
  const { OPTION_TAPE, PROVIDER_URL_ALPACA_TRADING: tradingUrl } = config;
  const days = flowDays({ db, market, log });
  const keyed = [
    ...create("tradier", tradierChains, chainOptions),
    // a chain takes more calls than a free key has in a minute
    ...(planOf("massive", config) === "free" ? [] : create("massive", massiveChains, chainOptions)),
    ...create("alpaca", (setup) => alpacaChains({ ...setup, tradingUrl }), chainOptions),
  ];
  const isRealTime = ({ provider }: Guarded<KeyedChainProvider>) => provider.delayMinutes === 0;
  const chains = liveChains({
    providers: [
      ...keyed.filter(isRealTime),
      ...create("cboe", cboeChains, chainOptions),
      ...keyed.filter((guarded) => !isRealTime(guarded)),
      ...create("yahoo", yahooChains, chainOptions),
    ],
    clock,
    missing: NO_CHAINS,
    settings: KEY_SETTINGS,
  });
  const putCalls = livePutCalls({
    providers: create("cboe", cboePutCalls, {
      content: "put/call ratios",
      timeoutMs: TIMEOUT_MS + BACKGROUND_WAIT_MS,
      maxWaitMs: BACKGROUND_WAIT_MS,
      check: (provider, signal) => provider.call({ date: lastSession(now()) }, { signal }),
    }),
    repository: putCallRepository({ db, market, log, clock }),
    clock,
    missing: NO_PUT_CALLS,
  });
  const file =
    OPTION_TAPE === undefined ? [] : [createCustom(() => optionTapeFile(OPTION_TAPE, { now }), tradeOptions)];
  return {
    chains,
    flowTape: liveFlowTape({
      trades: [...file, ...create("unusualwhales", unusualWhalesFlow, tradeOptions)],
      tide: create("unusualwhales", unusualWhalesTide, {
        content: "tide of options",
        ...LIMITS,
        check: (provider, signal) => provider.call(null, { signal }),
      }),
      clock,
      missing: NO_TAPE,
      noTide: NO_TIDE,
      settings: KEY_SETTINGS,
    }),
    flowDays: days,
    putCalls,
    saveChains: createChainCollector({
      save: (instrument, options) => saveFlowDay(instrument, { chains, flowDays: days, clock }, options),
      symbols,
      clock,
      log,
    }),
    async savePutCalls(signal) {
      const saved = await putCalls.backfill(signal);
      if (saved > 0) log.info("put_call_days_kept", { days: saved });
    },
  };
}
