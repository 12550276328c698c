import type { Instrument } from "../market/market.ts";
import type { Provider } from "../providers/provider.ts";
import type { CompanyRecord } from "./facts.ts";

export type CompanyProvider = Provider<Instrument, CompanyRecord>;
