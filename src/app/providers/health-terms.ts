import type { ProviderHealth, ProviderReport } from "../../domain/ports.ts";
import { PROVIDERS, type ProviderFacts, type ProviderName } from "../provider-table.ts";

/** Adds the terms of each provider to the reports of its health. */
export function withTerms(health: ProviderHealth): ProviderHealth {
  const addTerms = (report: ProviderReport): ProviderReport => {
    const name = report.name.split(" ")[0]!;
    if (!(name in PROVIDERS)) return report;
    const facts: ProviderFacts = PROVIDERS[name as ProviderName];
    return {
      ...report,
      terms: {
        forbids_automation: facts.forbidsAutomation ?? false,
        non_commercial: facts.nonCommercial ?? false,
        no_redistribution: facts.noRedistribution ?? false,
      },
    };
  };
  return {
    current: () => health.current().map(addTerms),
    report: async () => (await health.report()).map(addTerms),
  };
}
