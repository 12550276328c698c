import type { Budget } from "../domain/providers/price-provider.ts";

/** One plan of a provider. */
export interface ProviderPlan {
  /** Its published limits and feeds. */
  readonly about: string;
  /** Rate limits across all kinds of data, slightly below the published ones. */
  readonly limits: readonly Budget[];
}

/** What an operator needs to know of a provider before enabling it. */
export interface ProviderFacts {
  readonly title: string;
  readonly gives: string;
  /** What does not work at present, and since when; absent for a provider that works. */
  readonly outage?: string;
  /**
   * Providers with the same family share exchanges, rates or upstreams, so that one does not confirm a price of
   * another. Default: its own name.
   */
  readonly family?: string;
  /** Required setting, usually a key; null if it needs none. */
  readonly setting: string | null;
  /** Second required setting. */
  readonly secondSetting?: string;
  /** Setting that accepts its terms; without it the provider is off. */
  readonly consent?: string;
  /** True if its data is public domain although a setting connects it. */
  readonly publicDomain?: boolean;
  /**
   * Rate limits across all its kinds of data, slightly below the published ones; each kind also has its own limit.
   * Absent if they depend on the plan.
   */
  readonly limits?: readonly Budget[];
  /** Setting that names the plan of the account. */
  readonly planSetting?: string;
  /** Plans that it sells, by the value of `planSetting`. The first one is the default. */
  readonly plans?: Readonly<Record<string, ProviderPlan>>;
  /** True if its terms restrict automated use. */
  readonly forbidsAutomation?: boolean;
  /** True if its terms, or those of its smallest plan, allow no commercial use. */
  readonly nonCommercial?: boolean;
  /** True if its terms do not allow its data to be shown to others. */
  readonly noRedistribution?: boolean;
  /** Further terms in a few words, for the operator to accept. */
  readonly terms: string;
  /** Date of the recorded responses from which its adapter was built. */
  readonly recorded: string;
}
