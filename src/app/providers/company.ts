import type { Company } from "../../domain/company/company-port.ts";
import type { CompanyProvider, InsiderProvider } from "../../domain/company/provider.ts";
import { liveCompany } from "../../features/company/live/company.ts";
import { secCompany } from "../../providers/sec/company.ts";
import { secInsiders } from "../../providers/sec/insiders.ts";
import { NO_COMPANY } from "./not-connected.ts";
import { PROBE_STOCK } from "./probe-stock.ts";
import type { ProviderFactory, ProviderOptions } from "./provider-factory.ts";
import { KEY_SETTINGS } from "./provider-terms.ts";

/** Filings of a large company are ten megabytes or more. */
const TIMEOUT_MS = 10_000;

/** Creates what companies file, from the SEC if SEC_CONTACT is set. */
export function companyPort({ create, clock }: ProviderFactory): Company {
  const options: ProviderOptions<CompanyProvider> = {
    content: "company facts",
    timeoutMs: TIMEOUT_MS,
    check: (provider, signal) => provider.call(PROBE_STOCK, { signal }),
  };
  const ofInsiders: ProviderOptions<InsiderProvider> = {
    content: "insider trades",
    timeoutMs: TIMEOUT_MS,
    maxWaitMs: TIMEOUT_MS,
    check: (provider, signal) =>
      provider.call({ instrument: PROBE_STOCK, openMarket: false, count: 1 }, { signal }),
  };
  return liveCompany({
    providers: create("sec", ({ key: contact, ...setup }) => secCompany({ ...setup, contact }), options),
    insiders: create("sec", ({ key: contact, ...setup }) => secInsiders({ ...setup, contact }), ofInsiders),
    clock,
    missing: NO_COMPANY,
    settings: KEY_SETTINGS,
  });
}
