import type { Instrument } from "../../domain/market/market.ts";
import type { Clock } from "../../domain/ports.ts";
import { type CheckResult, checkProvider } from "../../providers/shared/check.ts";
import type { VendorCalls } from "../../store/market/vendor-calls.ts";
import type { Config } from "../config.ts";
import { checkAnswer } from "./check-answer.ts";
import { type NonPriceDeps, nonPricePorts } from "./non-price-ports.ts";
import { priceChains } from "./prices.ts";
import { createProviderFactory } from "./provider-factory.ts";
import { recordingInto } from "./provider-status.ts";

/** How long a source may keep us waiting for a place when it is checked. */
const MAX_WAIT_MS = 90_000;
const CHECKED_SYMBOLS = { us: ["AAPL", "SPY", "BRK.B"], crypto: ["BTC-USD", "ETH-USD"] } as const;

export interface ProviderCheckOptions {
  /** The folder that answers are written into; null for none. */
  readonly record: string | null;
  readonly signal: AbortSignal;
  /** Hears whom it asks next. */
  readonly onProgress?: (what: string) => void;
}

export interface ProviderCheckDeps extends NonPriceDeps {
  readonly config: Config;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly calls: VendorCalls;
  readonly known: (symbol: string) => Instrument;
}

/** Asks every source that is on for what it promises, and writes down what it answers where a folder is given. */
export async function checkProviders(
  { record, signal, onProgress = () => {} }: ProviderCheckOptions,
  { config, fetch, clock, calls, known, ...lent }: ProviderCheckDeps,
): Promise<{ readonly findings: readonly CheckResult[]; readonly written: number }> {
  const now = () => clock.now().getTime();
  const findings: CheckResult[] = [];
  let written = 0;
  const recording =
    record === null ? null : recordingInto(record, { fetch, config, wrote: () => (written += 1) });
  const asked = new Set<Promise<unknown>>();
  let ended = false;
  const writing: typeof fetch = async (...call) => {
    if (recording === null) return fetch(...call);
    // half of a question whose other half was refused may still have waited for its turn
    if (ended) throw new Error("the check has ended");
    const answer = recording(...call);
    asked.add(answer);
    return answer;
  };
  const checked = createProviderFactory(config, {
    fetch: writing,
    clock,
    backgroundWaitMs: MAX_WAIT_MS,
    calls,
  });
  const priced = priceChains(checked).all;
  nonPricePorts(checked, lent);
  const others = checked.connected().filter(({ check }) => check !== null);
  const count = priced.length + others.length;
  for (const [nth, { provider: source }] of priced.entries()) {
    onProgress(`${source.name} prices (${nth + 1} of ${count})`);
    const names = [
      ...(source.serves.has("equity") ? CHECKED_SYMBOLS.us : []),
      ...(source.serves.has("crypto") ? CHECKED_SYMBOLS.crypto : []),
    ];
    findings.push(...(await checkProvider(source, { instruments: names.map(known), signal, now })));
    if (signal.aborted) break;
  }
  for (const [nth, one] of others.entries()) {
    if (signal.aborted) break;
    onProgress(`${one.name} ${one.content} (${priced.length + nth + 1} of ${count})`);
    findings.push(await checkAnswer(one, { signal, now }));
  }
  ended = true;
  await Promise.allSettled(asked); // one that was given up is written down as it ends
  return { findings, written };
}
