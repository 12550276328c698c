import type { Budget } from "../../domain/providers/price-provider.ts";
import type { Config } from "../config.ts";
import { type PlanOf, PROVIDERS, type ProviderFacts, type ProviderName } from "../provider-table.ts";

/** Returns the plan of a provider's account; undefined if the provider has no plans. */
export function planOf<N extends ProviderName>(name: N, config: Config): PlanOf<N> | undefined {
  const { planSetting }: ProviderFacts = PROVIDERS[name];
  return planSetting === undefined ? undefined : (config[planSetting as keyof Config] as PlanOf<N>);
}

/** Returns the rate limits of a provider across all kinds of data; empty if each kind has only its own limit. */
export function limitsOf(name: ProviderName, config: Config): readonly Budget[] {
  const { limits = [], plans }: ProviderFacts = PROVIDERS[name];
  const plan = planOf(name, config);
  return plan === undefined ? limits : plans![plan]!.limits;
}

/**
 * Returns the limit of one kind of data. The plan that an account begins with leaves each kind its own share of the
 * calls; a larger plan has more calls than this server makes, so each kind may use all of them.
 */
export function budgetOf(name: ProviderName, own: Budget, config: Config): Budget {
  const { plans }: ProviderFacts = PROVIDERS[name];
  const plan = planOf(name, config);
  const isLarger = plans !== undefined && plan !== Object.keys(plans)[0];
  return isLarger ? plans[plan!]!.limits[0]! : own;
}
