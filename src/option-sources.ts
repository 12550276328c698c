import { setTimeout as sleep } from "node:timers/promises";
import type { Kysely } from "kysely";
import { type Config, urlSettingOf } from "./config.ts";
import { newYorkDay } from "./lib/newyork.ts";
import { marketStateAt } from "./market/calendar.ts";
import { liveChains } from "./market/live/chains.ts";
import { liveFlowTape } from "./market/live/flow-tape.ts";
import { type Guardable, type Guarded, guard, type Lent } from "./market/live/guard.ts";
import { type LivePutCalls, livePutCalls } from "./market/live/put-calls.ts";
import { NO_CHAINS, NO_PUT_CALLS, NO_TAPE } from "./market/no-options.ts";
import type { Chains, Clock, FlowDays, FlowTape, Log, PutCalls, Symbols } from "./ports/index.ts";
import { cboeChains } from "./providers/cboe/chains.ts";
import { cboePutCalls } from "./providers/cboe/put-calls.ts";
import { optionTapeFile } from "./providers/files/option-tape.ts";
import { unusualWhalesFlow, unusualWhalesTide } from "./providers/unusualwhales/flow.ts";
import type { SourceSetup } from "./providers/wire.ts";
import { yahooChains } from "./providers/yahoo/chains.ts";
import { keepFlow } from "./signals/flow/keep.ts";
import { flowDays } from "./store/flow-days.ts";
import { putCallDays } from "./store/put-call-days.ts";
import type { Schema } from "./store/schema.ts";
import type { VendorName } from "./vendors.ts";

/** A chain takes several megabytes, and several calls where each is of one expiry. */
const TIMEOUT_MS = 10_000;
/** How long a question waits for a place within the budget, and how long upkeep does. */
const PATIENCE_MS = 5_000;
const UNHURRIED_MS = 90_000;
/** Symbols kept every quarter of an hour: what stands for the market, and what was asked for most recently. */
const KEPT = ["SPY", "QQQ", "IWM"] as const;
const MOST_KEPT = 25;
/** Chains asked for at once, and the pause before each further one, so that callers find places in the budget. */
const AT_A_TIME = 5;
const PAUSE_MS = 15_000;

export interface OptionLent {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly symbols: Symbols;
  readonly log: Log;
  readonly db: Kysely<Schema>;
  /** Names the market; what is kept of one is never told in another. */
  readonly market: string;
}

/** What options tell. */
export interface OptionPorts {
  readonly chains: Chains;
  readonly flowTape: FlowTape;
  readonly flowDays: FlowDays;
  readonly putCalls: PutCalls;
  /** Keeps what chains come to, of symbols asked for recently, while options trade; every quarter of an hour. */
  keepChains(recent: readonly string[], signal: AbortSignal): Promise<void>;
  /** Fetches put/call ratios of the past year. */
  keepPutCalls(signal: AbortSignal): Promise<void>;
}

/** What options tell, from the sources that the settings switch on; Cboe's chains have greeks and every expiry in one call. */
export function optionPorts(config: Config, lent: OptionLent): OptionPorts {
  const { fetch, clock, symbols, log, db, market } = lent;
  const { UNUSUAL_WHALES_TOKEN: token, OPTION_TAPE: path } = config;
  const now = () => clock.now().getTime();
  /** One source behind its guard; none where it is switched off or lacks its key. */
  function on<S extends Guardable>(
    name: VendorName,
    make: ((setup: SourceSetup) => S) | null,
    patienceMs = PATIENCE_MS,
  ): readonly Guarded<S>[] {
    if (make === null || config.PROVIDERS_OFF.includes(name)) return [];
    const baseUrl = config[urlSettingOf(name)];
    const build = (given: Lent) => make({ fetch: given.fetch, heard: given.heard, baseUrl });
    return [guard(build, { fetch, clock, timeoutMs: TIMEOUT_MS + patienceMs, patienceMs })];
  }
  const whales =
    token === undefined
      ? { flow: null, tide: null }
      : {
          flow: (setup: SourceSetup) => unusualWhalesFlow({ ...setup, token }),
          tide: (setup: SourceSetup) => unusualWhalesTide({ ...setup, token }),
        };
  const own = path === undefined ? [] : [guard(() => optionTapeFile(path), { fetch, clock })];
  const days = flowDays({ db, market, log });
  const chains = liveChains({
    providers: [...on("cboe", cboeChains), ...on("yahoo", (setup) => yahooChains({ ...setup, now }))],
    clock,
    missing: NO_CHAINS,
  });
  const putCalls: LivePutCalls = livePutCalls({
    providers: on("cboe", cboePutCalls, UNHURRIED_MS),
    book: putCallDays({ db, market, log, clock }),
    clock,
    missing: NO_PUT_CALLS,
  });
  return {
    chains,
    flowTape: liveFlowTape({
      trades: [...own, ...on("unusualwhales", whales.flow)],
      tide: on("unusualwhales", whales.tide),
      clock,
      missing: NO_TAPE,
    }),
    flowDays: days,
    putCalls,
    async keepChains(recent, signal) {
      // options trade in the regular session; their figures come a quarter of an hour later
      const traded = marketStateAt(now() - 15 * 60_000, "equity") === "regular";
      if (!traded || newYorkDay(now()) !== newYorkDay(now() - 15 * 60_000)) return;
      const kept = [...new Set([...KEPT, ...recent])].flatMap((name) => {
        const found = symbols.find(name);
        return found === null || found.instrument.asset_class === "crypto" ? [] : [found];
      });
      for (const [i, found] of kept.slice(0, MOST_KEPT).entries()) {
        if (i >= AT_A_TIME) await sleep(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
        if (signal.aborted) return;
        await keepFlow(found.instrument, { chains, flowDays: days, clock }, { signal }).catch(
          (cause: unknown) => log.warn("flow_not_kept", { symbol: found.instrument.symbol, cause }),
        );
      }
    },
    async keepPutCalls(signal) {
      const got = await putCalls.backfill(signal);
      if (got > 0) log.info("put_call_days_kept", { days: got });
    },
  };
}
