import type { Clock } from "../../domain/ports.ts";
import type { Budget } from "../../domain/providers/price-provider.ts";
import type { Guardable } from "../../domain/providers/provider.ts";
import { type Guarded, guard, type ProviderDeps } from "../../market/failover/guard.ts";
import { createProviderAccount, type ProviderAccount } from "../../market/failover/provider-account.ts";
import type { ProviderSetup } from "../../providers/shared/http-client.ts";
import type { VendorCalls } from "../../store/market/vendor-calls.ts";
import { type Config, urlSettingOf } from "../config.ts";
import { PROVIDER_NAMES, PROVIDERS, type ProviderFacts, type ProviderName } from "../provider-table.ts";

/** Makes a source of what it is lent. */
export type ProviderBuilder<S> = (setup: ProviderSetup) => S;

/** Call options of a provider. */
export interface ProviderOptions<S> {
  /** What it tells, as an operator calls it: `news`. */
  readonly content: string;
  /** Longest wait for an answer, and for a place within the budget, ms. */
  readonly timeoutMs?: number;
  readonly maxWaitMs?: number;
  /** Requests data that the provider has on any day, to check whether it works. */
  readonly check?: (source: S, signal: AbortSignal) => Promise<unknown>;
}

/** A source that is on, with whom it is of. */
export interface ConnectedProvider {
  readonly name: string;
  readonly content: string;
  readonly guarded: Guarded<Guardable>;
  /** Null if it is not part of provider checks. */
  readonly check: ((signal: AbortSignal) => Promise<unknown>) | null;
}

/** Makes sources of the settings, each behind its guard; those of one vendor keep to its limit together. */
export interface ProviderFactory {
  readonly config: Config;
  readonly clock: Clock;
  /** Epoch ms. */
  readonly now: () => number;
  /** The source of a vendor; none where it is switched off, or where `make` is null for want of its key. */
  create<S extends Guardable>(
    name: ProviderName,
    make: ProviderBuilder<S> | null,
    options: ProviderOptions<S>,
  ): readonly Guarded<S>[];
  /** A source that is no vendor's. */
  createCustom<S extends Guardable>(
    build: (deps: ProviderDeps) => S,
    options: ProviderOptions<S>,
  ): Guarded<S>;
  connected(): readonly ConnectedProvider[];
  /** Rate limits of the enabled providers, across all kinds of data. */
  budgets(): readonly (Budget & { readonly name: string })[];
}

export interface ProviderFactoryOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Timeout and queue wait in ms of every provider, replacing its own, for callers that are not in a hurry. */
  readonly backgroundWaitMs?: number;
  /** Earlier calls to providers, which count against daily limits. */
  readonly calls?: Pick<VendorCalls, "before" | "record">;
}

/** A kit for the sources of these settings. */
export function createProviderFactory(
  config: Config,
  { fetch, clock, backgroundWaitMs, calls }: ProviderFactoryOptions,
): ProviderFactory {
  const accounts = new Map<ProviderName, ProviderAccount>();
  const connected: ConnectedProvider[] = [];
  const limitsOf = (name: string): readonly Budget[] => {
    const vendor = PROVIDER_NAMES.find((one) => one === name);
    const facts: ProviderFacts | null = vendor === undefined ? null : PROVIDERS[vendor];
    return facts?.limits ?? [];
  };
  const accountOf = (name: ProviderName): ProviderAccount => {
    const counted = calls && {
      before: calls.before.get(name) ?? [],
      record: (at: number) => calls.record(name, at),
    };
    const account = accounts.get(name) ?? createProviderAccount(limitsOf(name), clock, counted);
    accounts.set(name, account);
    return account;
  };
  function connect<S extends Guardable>(
    build: (deps: ProviderDeps) => S,
    { content, timeoutMs, maxWaitMs, check }: ProviderOptions<S>,
    account?: ProviderAccount,
  ): Guarded<S> {
    const interactive = {
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(maxWaitMs !== undefined && { maxWaitMs }),
    };
    const background =
      backgroundWaitMs === undefined ? {} : { timeoutMs: backgroundWaitMs, maxWaitMs: backgroundWaitMs };
    const guarded = guard(build, {
      fetch,
      clock,
      ...interactive,
      ...background,
      ...(account && { account }),
    });
    const { provider: source } = guarded;
    connected.push({
      name: source.name,
      content,
      guarded,
      check: check === undefined ? null : (signal) => guarded.call((stop) => check(source, stop), signal),
    });
    return guarded;
  }
  return {
    config,
    clock,
    now: () => clock.now().getTime(),
    create(name, make, options) {
      if (make === null || config.PROVIDERS_OFF.includes(name)) return [];
      const baseUrl = config[urlSettingOf(name)];
      const build = ({ fetch: counted, onResponse }: ProviderDeps) =>
        make({ fetch: counted, onResponse, baseUrl });
      return [connect(build, options, accountOf(name))];
    },
    createCustom: (build, options) => connect(build, options),
    connected: () => connected,
    budgets: () => {
      const names = new Map(connected.map(({ name, guarded }) => [name, guarded.provider.budget]));
      return [...names].flatMap(([name, budget]) => {
        const limits = limitsOf(name);
        return (limits.length === 0 ? [budget] : limits).map((limit) => ({ name, ...limit }));
      });
    },
  };
}

/** A maker that needs a setting; null where it is not made. */
export const withKey = <S>(
  key: string | undefined,
  make: (key: string, setup: ProviderSetup) => S,
): ProviderBuilder<S> | null => (key === undefined ? null : (setup) => make(key, setup));

/** A maker that needs two settings. */
export const withPair = <S>(
  [id, secret]: readonly [string | undefined, string | undefined],
  make: (id: string, secret: string, setup: ProviderSetup) => S,
): ProviderBuilder<S> | null =>
  id === undefined || secret === undefined ? null : (setup) => make(id, secret, setup);
