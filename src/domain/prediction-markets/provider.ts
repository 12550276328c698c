import type { Provider } from "../providers/provider.ts";
import type { Contract } from "./contracts.ts";

/** A contract as returned by an adapter, which does not set venue and time. */
export type VenueContract = Omit<Contract, "venue" | "real_money" | "as_of">;

export interface ContractProviderAnswer {
  /** Open contracts; empty means that the venue has none. */
  readonly contracts: readonly VenueContract[];
  /** Number of settled, closed and unreadable contracts in the same response, which were dropped. */
  readonly dropped: number;
}

export type ContractProvider = Provider<string, ContractProviderAnswer>;
