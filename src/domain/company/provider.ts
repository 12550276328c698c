import type { Instrument } from "../market/market.ts";
import type { Provider } from "../providers/provider.ts";
import type { InsiderRequest } from "./company-port.ts";
import type { CompanyRecord } from "./facts.ts";
import type { InsiderFilings } from "./insiders.ts";

export type InsiderProvider = Provider<InsiderRequest & { readonly instrument: Instrument }, InsiderFilings>;
export type CompanyProvider = Provider<Instrument, CompanyRecord>;
