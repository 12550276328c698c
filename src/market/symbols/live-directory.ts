import type { Symbols } from "../../domain/ports.ts";
import { createDirectory } from "./directory.ts";
import type { Listings } from "./listings.ts";

/** A directory whose listings can be replaced while in use. */
export interface LiveDirectory {
  readonly symbols: Symbols;
  /** Replaces the listings at once. */
  replace(listings: Listings): void;
}

/** Returns the directory of a market whose members are all listings and whose bars are read one call at a time. */
export function createLiveDirectory({ listings }: { readonly listings: Listings }): LiveDirectory {
  let current = built(listings);
  return {
    symbols: {
      resolve: (text) => current.resolve(text),
      find: (text) => current.find(text),
      search: (text, limit) => current.search(text, limit),
      named: (text) => current.named(text),
      misspelt: (text) => current.misspelt(text),
      familiar: (instrument) => current.familiar(instrument),
      members: () => current.members(),
      universe: () => current.universe(),
      peers: (instrument) => current.peers(instrument),
    },
    replace(listings) {
      current = built(listings);
    },
  };
}

const built = (listings: Listings): Symbols =>
  createDirectory({
    members: [...listings.us.values(), ...listings.tokens.values()].map(({ instrument }) => instrument),
    listings,
    bulk: false,
  });
