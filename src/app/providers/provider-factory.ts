import type { Windows } from "../../domain/accounts/windows-port.ts";
import type { Clock } from "../../domain/ports.ts";
import type { Budget } from "../../domain/providers/price-provider.ts";
import type { Guardable } from "../../domain/providers/provider.ts";
import type { Tracer } from "../../domain/tracing-port.ts";
import { type Guarded, guard, type ProviderDeps } from "../../market/failover/guard.ts";
import {
  createProviderAccount,
  type ProviderAccount,
  sharedBudgets,
  shareOf,
} from "../../market/failover/meter.ts";
import type { ProviderSetup } from "../../providers/shared/http-client.ts";
import type { ProviderRequestLog } from "../../store/market/provider-calls.ts";
import type { Config } from "../config.ts";
import {
  type PlanOf,
  PROVIDER_NAMES,
  PROVIDERS,
  type ProviderFacts,
  type ProviderName,
} from "../provider-table.ts";
import { urlSettingOf } from "../setting-table.ts";
import { budgetOf, limitsOf, planOf } from "./provider-plan.ts";
import { offSettingOf } from "./switched-off.ts";
import { tracedFetch } from "./traced-fetch.ts";
import { createWireLog, type WireNote } from "./wire-log.ts";

/** Keys that the entry of a provider in PROVIDERS requires. */
type KeysOf<N extends ProviderName> = (typeof PROVIDERS)[N] extends { readonly secondSetting: string }
  ? { readonly key: string; readonly secret: string }
  : (typeof PROVIDERS)[N] extends { readonly setting: string }
    ? { readonly key: string }
    : unknown;
/** Plan of the account, for a provider with plans. */
type PlanFieldOf<N extends ProviderName> = PlanOf<N> extends never ? unknown : { readonly plan: PlanOf<N> };

/** Setup from which an adapter is built; `now` returns epoch ms. */
export type AdapterSetup<N extends ProviderName> = ProviderSetup & {
  readonly now: () => number;
} & KeysOf<N> &
  PlanFieldOf<N>;

export interface ProviderOptions<S> {
  /** Kind of data, as shown to the operator: `news`. */
  readonly content: string;
  /** Maximum wait for a response, and for a place within the rate limit, ms. */
  readonly timeoutMs?: number;
  readonly maxWaitMs?: number;
  /** Requests data that the provider has on any day, to check whether it works. */
  readonly check?: (provider: S, signal: AbortSignal) => Promise<unknown>;
}

/** An enabled provider of one kind of data. */
export interface ConnectedProvider {
  readonly name: string;
  readonly content: string;
  readonly guarded: Guarded<Guardable>;
  /** Null if it is not part of provider checks. */
  readonly check: ((signal: AbortSignal) => Promise<unknown>) | null;
}

/** Builds the enabled providers, each behind its guard; adapters of the same provider share its rate limit. */
export interface ProviderFactory {
  readonly config: Config;
  readonly clock: Clock;
  /** Epoch ms. */
  readonly now: () => number;
  /** Returns the provider, or none if it is switched off or lacks a key or the consent to its terms. */
  create<N extends ProviderName, S extends Guardable>(
    name: N,
    build: (setup: AdapterSetup<N>) => S,
    options: ProviderOptions<S>,
  ): readonly Guarded<S>[];
  /** Builds a provider that is not in PROVIDERS. */
  createCustom<S extends Guardable>(
    build: (deps: ProviderDeps) => S,
    options: ProviderOptions<S>,
  ): Guarded<S>;
  connected(): readonly ConnectedProvider[];
  /** Returns a number that grows whenever the data of a provider may have changed. */
  changes(): number;
  /** Rate limits of the enabled providers, across all kinds of data. */
  budgets(): readonly (Budget & { readonly name: string })[];
  /** Redirects and unreadable rows of the responses so far. */
  wireNotes(): readonly WireNote[];
}

export interface ProviderFactoryOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Timeout and maximum wait in ms that replace those of every provider, for work that is not urgent. */
  readonly backgroundWaitMs?: number;
  /** Earlier calls to providers, which count against daily limits. */
  readonly calls?: Pick<ProviderRequestLog, "before" | "record">;
  /** Number of processes of this server that share the rate limits. Default: 1. */
  readonly processes?: number;
  /** Records each request to a provider. Default: none is recorded. */
  readonly tracer?: Tracer | undefined;
  /** Windows in which all servers on one database count the calls. Default: each process has its share of the limits. */
  readonly windows?: Windows | undefined;
}

/** Account of a provider in PROVIDERS, and the fetch function of its adapters. */
interface ConnectOptions {
  readonly name?: ProviderName;
  readonly watched?: typeof globalThis.fetch;
}

export function createProviderFactory(
  config: Config,
  { fetch, clock, backgroundWaitMs, calls, processes = 1, windows, tracer }: ProviderFactoryOptions,
): ProviderFactory {
  const now = () => clock.now().getTime();
  const accounts = new Map<ProviderName, ProviderAccount>();
  const connected: ConnectedProvider[] = [];
  const wireLog = createWireLog();
  let changes = 0;
  const accountOf = (name: ProviderName): ProviderAccount => {
    const counted = calls && {
      before: calls.before.get(name) ?? [],
      record: (at: number) => calls.record(name, at),
    };
    const account =
      accounts.get(name) ??
      createProviderAccount(
        limitsOf(name, config).map((limit) => shareOf(limit, processes, { isShared: windows !== undefined })),
        clock,
        counted,
      );
    accounts.set(name, account);
    return account;
  };
  function connect<S extends Guardable>(
    build: (deps: ProviderDeps) => S,
    { content, timeoutMs, maxWaitMs, check }: ProviderOptions<S>,
    { name, watched = fetch }: ConnectOptions = {},
  ): Guarded<S> {
    const limits = name === undefined ? [] : limitsOf(name, config);
    const timeout = backgroundWaitMs ?? timeoutMs;
    const maxWait = backgroundWaitMs ?? maxWaitMs;
    const guarded: Guarded<S> = guard(build, {
      fetch: tracedFetch(() => guarded.provider.name, watched, tracer),
      clock,
      processes,
      ...(timeout !== undefined && { timeoutMs: timeout }),
      ...(maxWait !== undefined && { maxWaitMs: maxWait }),
      ...(name !== undefined && { account: accountOf(name) }),
      ...(windows && {
        sharedOf: (provider) =>
          limits.length > 0
            ? sharedBudgets(windows, provider.name, limits)
            : sharedBudgets(windows, `${provider.name} ${content}`, [provider.budget]),
      }),
      onSettled: () => {
        changes++;
        // the response is stored after the call has settled
        setImmediate(() => changes++);
      },
    });
    connected.push({
      name: guarded.provider.name,
      content,
      guarded,
      check:
        check === undefined
          ? null
          : (signal) => guarded.call((stop) => check(guarded.provider, stop), signal),
    });
    return guarded;
  }
  return {
    config,
    clock,
    now,
    create(name, build, options) {
      const { setting, secondSetting, consent }: ProviderFacts = PROVIDERS[name];
      const [key, secret, accepted] = [setting, secondSetting, consent].map(
        (one) => config[one as keyof Config],
      );
      const isMissing = (required: string | null | undefined, value: unknown) =>
        required != null && value === undefined;
      if (isMissing(setting, key) || isMissing(secondSetting, secret) || isMissing(consent, accepted))
        return [];
      if (offSettingOf(name, config) !== null) return [];
      const baseUrl = config[urlSettingOf(name)];
      const adapter = ({ fetch: counted, onResponse }: ProviderDeps) => {
        const onUnreadable = (rows: number) => wireLog.unreadable(name, rows);
        const plan = planOf(name, config);
        const setup = { fetch: counted, onResponse, onUnreadable, baseUrl, now, key, secret, plan };
        const provider = build(setup as unknown as AdapterSetup<typeof name>);
        return { ...provider, budget: budgetOf(name, provider.budget, config) };
      };
      return [connect(adapter, options, { name, watched: wireLog.watch(name, fetch) })];
    },
    createCustom: (build, options) => connect(build, options),
    connected: () => connected,
    changes: () => changes,
    wireNotes: () => wireLog.notes(),
    budgets: () => {
      const names = new Map(connected.map(({ name, guarded }) => [name, guarded.provider.budget]));
      return [...names].flatMap(([name, budget]) => {
        const known = PROVIDER_NAMES.find((one) => one === name);
        const limits = known === undefined ? [] : limitsOf(known, config);
        return (limits.length === 0 ? [budget] : limits).map((limit) => ({ name, ...limit }));
      });
    },
  };
}
