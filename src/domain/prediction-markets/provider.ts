import type { Provider } from "../providers/provider.ts";
import type { Contract } from "./contracts.ts";

/** A contract as an adapter tells it; who told it and when is not for the adapter to say. */
export type VenueContract = Omit<Contract, "venue" | "real_money" | "as_of">;

/** What a venue finds for words. */
export interface ContractProviderAnswer {
  /** Open ones; truly none where it is empty. */
  readonly contracts: readonly VenueContract[];
  /** Settled, closed and unreadable ones that came with them. */
  readonly dropped: number;
}

export type ContractProvider = Provider<string, ContractProviderAnswer>;
