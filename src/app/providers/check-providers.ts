import type { Instrument } from "../../domain/market/market.ts";
import type { Clock } from "../../domain/ports.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { type CheckResult, checkProvider } from "../../providers/shared/check.ts";
import type { ProviderRequestLog } from "../../store/market/provider-calls.ts";
import type { Config } from "../config.ts";
import { type NonPriceDeps, nonPricePorts } from "./non-price-ports.ts";
import { closeProviders, priceChains } from "./prices.ts";
import { type ConnectedProvider, createProviderFactory } from "./provider-factory.ts";
import { recordingInto } from "./provider-status.ts";

/** Maximum wait of a checked provider for a place within its rate limit, ms. */
const MAX_WAIT_MS = 90_000;
const CHECKED_SYMBOLS = { us: ["AAPL", "SPY", "BRK.B"], crypto: ["BTC-USD", "ETH-USD"] } as const;

export interface ProviderCheckOptions {
  /** Folder for the recorded responses; null for none. */
  readonly record: string | null;
  readonly signal: AbortSignal;
  /** Called with the name of the provider that is requested next. */
  readonly onProgress?: (label: string) => void;
}

export interface ProviderCheckDeps extends NonPriceDeps {
  readonly config: Config;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly calls: ProviderRequestLog;
  readonly known: (symbol: string) => Instrument;
}

/**
 * Sends test requests to every enabled provider except symbol directories, and records the responses if a folder is given. Returns the findings,
 * the number of recorded responses, and what was noticed in the responses.
 */
export async function checkProviders(
  { record, signal, onProgress = () => {} }: ProviderCheckOptions,
  { config, fetch, clock, calls, known, ...deps }: ProviderCheckDeps,
) {
  const now = () => clock.now().getTime();
  const findings: CheckResult[] = [];
  let written = 0;
  const recording =
    record === null ? null : recordingInto(record, { fetch, config, wrote: () => (written += 1) });
  const responses = new Set<Promise<unknown>>();
  let ended = false;
  const recorded: typeof fetch = async (...call) => {
    if (recording === null) return fetch(...call);
    // the second request of a failed pair may still wait for its place within the rate limit
    if (ended) throw new Error("the check has ended");
    const response = recording(...call);
    responses.add(response);
    return response;
  };
  const factory = createProviderFactory(config, {
    fetch: recorded,
    clock,
    backgroundWaitMs: MAX_WAIT_MS,
    calls,
  });
  const priced = priceChains(factory).all;
  closeProviders(factory);
  nonPricePorts(factory, deps);
  const others = factory.connected().filter(({ check }) => check !== null);
  const count = priced.length + others.length;
  for (const [index, { provider }] of priced.entries()) {
    onProgress(`${provider.name} prices (${index + 1} of ${count})`);
    const symbols = [
      ...(provider.serves.has("equity") ? CHECKED_SYMBOLS.us : []),
      ...(provider.serves.has("crypto") ? CHECKED_SYMBOLS.crypto : []),
    ];
    findings.push(...(await checkProvider(provider, { instruments: symbols.map(known), signal, now })));
    if (signal.aborted) break;
  }
  for (const [index, provider] of others.entries()) {
    if (signal.aborted) break;
    onProgress(`${provider.name} ${provider.content} (${priced.length + index + 1} of ${count})`);
    const finding = await checkConnected(provider, { signal, now });
    if (!signal.aborted) findings.push(finding);
  }
  ended = true;
  await Promise.allSettled(responses); // a timed-out response is recorded when it arrives
  return { findings, written, notes: factory.wireNotes() };
}

/** Requests data that a non-price provider has on any day. A failure is a finding, not a rejection. */
async function checkConnected(
  { name, content, check }: ConnectedProvider,
  { signal, now }: { readonly signal: AbortSignal; readonly now: () => number },
): Promise<CheckResult> {
  const started = now();
  const label = `${name} ${content}`;
  try {
    await check?.(signal);
    return { name: label, state: "ok", detail: `answers in ${now() - started} ms` };
  } catch (cause) {
    if (!(cause instanceof ProviderFailure))
      return { name: label, state: "fail", detail: "unexpected error in the adapter of this provider" };
    const state = cause.kind === "unsupported" ? "note" : "fail";
    return { name: label, state, detail: `${cause.kind}: ${cause.message}` };
  }
}
