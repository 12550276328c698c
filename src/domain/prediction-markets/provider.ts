import type { Provider } from "../providers/provider.ts";
import type { Contract } from "./contracts.ts";

/** A contract as returned by an adapter, which does not set venue and time. */
export type VenueContract = Omit<Contract, "venue" | "real_money" | "as_of">;

/** A venue's results for a text search. */
export interface ContractProviderAnswer {
  /** Open ones; truly none where it is empty. */
  readonly contracts: readonly VenueContract[];
  /** Settled, closed and unreadable ones that came with them. */
  readonly dropped: number;
}

export type ContractProvider = Provider<string, ContractProviderAnswer>;
