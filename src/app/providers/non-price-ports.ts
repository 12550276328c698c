import type { Symbols } from "../../domain/ports.ts";
import { disclosureRepository } from "../../store/congress/disclosures.ts";
import { printDays } from "../../store/off-exchange/print-days.ts";
import { companyPort } from "./company.ts";
import { congressPorts } from "./congress.ts";
import { contractsPort } from "./contracts.ts";
import { type EarningsDeps, earningsPort } from "./earnings.ts";
import { marketEventsPort } from "./market-events.ts";
import { newsPort } from "./news.ts";
import { offExchangePorts } from "./off-exchange.ts";
import { type OptionsDeps, optionPorts } from "./options.ts";
import type { ProviderFactory } from "./provider-factory.ts";
import { shortInterestPort } from "./short-interest.ts";

export interface NonPriceDeps extends EarningsDeps, OptionsDeps {
  readonly symbols: Symbols;
}

/**
 * Creates the ports of non-price data of the live market from the enabled providers. No provider is called before the
 * first request.
 */
export function nonPricePorts(factory: ProviderFactory, deps: NonPriceDeps) {
  const { log, db, market, symbols } = deps;
  return {
    news: newsPort(factory),
    contracts: contractsPort(factory),
    options: optionPorts(factory, deps),
    offExchange: offExchangePorts(factory, { symbols, prints: printDays({ db, market }) }),
    shortInterest: shortInterestPort(factory),
    marketEvents: marketEventsPort(factory),
    earnings: earningsPort(factory, deps),
    company: companyPort(factory),
    congress: congressPorts(factory, { log, symbols, repository: disclosureRepository(db, market) }),
  };
}
