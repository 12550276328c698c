import type { Symbols } from "../../domain/ports.ts";
import { disclosureShelf } from "../../store/congress/disclosures.ts";
import { congressPorts } from "./congress.ts";
import { contractsPort } from "./contracts.ts";
import { type EarningsLent, earningsPort } from "./earnings.ts";
import type { SourceKit } from "./kit.ts";
import { newsPort } from "./news.ts";
import { offExchangePorts } from "./off-exchange.ts";
import { type OptionLent, optionPorts } from "./options.ts";

export interface Lent extends EarningsLent, OptionLent {
  readonly symbols: Symbols;
}

/** All that the live market tells besides prices, from the sources that the settings switch on. None is called before somebody asks. */
export function besidePrices(kit: SourceKit, lent: Lent) {
  const { log, db, market, symbols } = lent;
  return {
    news: newsPort(kit),
    contracts: contractsPort(kit),
    options: optionPorts(kit, lent),
    offExchange: offExchangePorts(kit, { symbols }),
    dated: earningsPort(kit, lent),
    ...congressPorts(kit, { log, symbols, shelf: disclosureShelf(db, market) }),
  };
}
