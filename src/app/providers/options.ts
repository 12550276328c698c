import type { Kysely } from "kysely";
import type { ChainProvider, TradeProvider } from "../../domain/options-flow/provider.ts";
import type { Chains, FlowDays, FlowTape, Log, PutCalls, Symbols } from "../../domain/ports.ts";
import { saveFlowDay } from "../../features/options-flow/flow-day.ts";
import { createChainCollector } from "../../features/options-flow/live/chain-collector.ts";
import { liveChains } from "../../features/options-flow/live/chains.ts";
import { liveFlowTape } from "../../features/options-flow/live/flow-tape.ts";
import { type LivePutCalls, livePutCalls } from "../../features/options-flow/live/put-calls.ts";
import { cboeChains } from "../../providers/cboe/chains.ts";
import { cboePutCalls } from "../../providers/cboe/put-calls.ts";
import { optionTapeFile } from "../../providers/files/option-tape.ts";
import { tradierChains } from "../../providers/tradier/chains.ts";
import { unusualWhalesFlow, unusualWhalesTide } from "../../providers/unusualwhales/flow.ts";
import { yahooChains } from "../../providers/yahoo/chains.ts";
import { flowDays } from "../../store/options-flow/flow-days.ts";
import { putCallRepository } from "../../store/options-flow/put-call-repository.ts";
import type { Schema } from "../../store/schema.ts";
import { NO_CHAINS, NO_PUT_CALLS, NO_TAPE, NO_TIDE } from "./absent/no-options.ts";
import { KEY_SETTINGS } from "./key-settings.ts";
import { lastSession, PROBE_STOCK } from "./probe-stock.ts";
import { type ProviderFactory, type ProviderOptions, withKey } from "./provider-factory.ts";

/** A chain takes several megabytes, and several calls where each is of one expiry. */
const TIMEOUT_MS = 10_000;
/** How long a question waits for a place within the budget, and how long upkeep does. */
const MAX_WAIT_MS = 5_000;
const BACKGROUND_WAIT_MS = 90_000;
const WEEK_MS = 7 * 86_400_000;
export interface OptionsDeps {
  readonly symbols: Symbols;
  readonly log: Log;
  readonly db: Kysely<Schema>;
  /** Names the market; what is kept of one is never told in another. */
  readonly market: string;
}

/** Options data. */
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

/** Options data from the enabled providers; Cboe's chains have greeks and every expiry in one call. */
export function optionPorts(kit: ProviderFactory, { symbols, log, db, market }: OptionsDeps): OptionPorts {
  const { config, create: on, createCustom: own, now, clock } = kit;
  const { UNUSUAL_WHALES_TOKEN, TRADIER_TOKEN, OPTION_TAPE } = config;
  const pace = { timeoutMs: TIMEOUT_MS + MAX_WAIT_MS, maxWaitMs: MAX_WAIT_MS };
  const listed: ProviderOptions<ChainProvider> = {
    content: "option chains",
    ...pace,
    check: (source, signal) => source.call(PROBE_STOCK, { signal }),
  };
  const traded: ProviderOptions<TradeProvider> = {
    content: "option trades",
    ...pace,
    check: (source, signal) => source.call({ instrument: PROBE_STOCK, from: now() - WEEK_MS }, { signal }),
  };
  const file = OPTION_TAPE === undefined ? [] : [own(() => optionTapeFile(OPTION_TAPE, { now }), traded)];
  const days = flowDays({ db, market, log });
  const chains = liveChains({
    providers: [
      ...on("cboe", cboeChains, listed),
      ...on(
        "tradier",
        withKey(TRADIER_TOKEN, (token, setup) => tradierChains({ ...setup, token, now })),
        listed,
      ),
      ...on("yahoo", (setup) => yahooChains({ ...setup, now }), listed),
    ],
    clock,
    missing: NO_CHAINS,
  });
  const putCalls: LivePutCalls = livePutCalls({
    providers: on("cboe", cboePutCalls, {
      content: "put/call ratios",
      timeoutMs: TIMEOUT_MS + BACKGROUND_WAIT_MS,
      maxWaitMs: BACKGROUND_WAIT_MS,
      check: (source, signal) => source.call({ date: lastSession(now()) }, { signal }),
    }),
    book: putCallRepository({ db, market, log, clock }),
    clock,
    missing: NO_PUT_CALLS,
  });
  return {
    chains,
    flowTape: liveFlowTape({
      trades: [
        ...file,
        ...on(
          "unusualwhales",
          withKey(UNUSUAL_WHALES_TOKEN, (token, setup) => unusualWhalesFlow({ ...setup, token })),
          traded,
        ),
      ],
      tide: on(
        "unusualwhales",
        withKey(UNUSUAL_WHALES_TOKEN, (token, setup) => unusualWhalesTide({ ...setup, token })),
        { content: "tide of options", ...pace, check: (source, signal) => source.call(null, { signal }) },
      ),
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
      const got = await putCalls.backfill(signal);
      if (got > 0) log.info("put_call_days_kept", { days: got });
    },
  };
}
