import { expect, it } from "vitest";
import { createLiveDirectory } from "../../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../../src/market/symbols/listings.ts";
import { mergeListings } from "../../../src/market/symbols/merge-listings.ts";
import { longLists } from "../../support/long-lists.ts";

const embedded = embeddedListings();
const row = { ticker: "ZZQA", name: "Zed Alpha", asset_class: "equity", exchange: "NYSE" } as const;

it("lists what it was given until it is given something else, behind the same port", () => {
  const { symbols, replace } = createLiveDirectory({ listings: embedded });
  const { find, members, search } = symbols;
  const before = members();
  expect(find("ZZQA")).toBeNull();
  replace(mergeListings(embedded, { us: [row], tokens: [] }));
  expect(find("ZZQA")?.instrument.name).toBe("Zed Alpha");
  expect(search("zed alpha", 1).map(({ symbol }) => symbol)).toEqual(["ZZQA"]);
  expect(members().length).toBe(before.length + 1);
  expect(before.map(({ symbol }) => symbol)).not.toContain("ZZQA");
  replace(embedded);
  expect(find("ZZQA")).toBeNull();
});

it("has everything listed as a member, takes ranks over none and names few peers", async () => {
  const { listings } = await longLists();
  const { symbols } = createLiveDirectory({ listings });
  expect(symbols.members()).toHaveLength(listings.us.size + listings.tokens.size);
  expect(new Set(symbols.members().map(({ symbol }) => symbol)).size).toBe(symbols.members().length);
  expect(symbols.members()[0]?.symbol).toBe([...embedded.us.keys()][0]);
  expect(symbols.universe()).toEqual([]);
  expect(symbols.peers(symbols.resolve("AAPL").instrument)).toHaveLength(5);
});

it("reads back every canonical name of the long lists as itself", async () => {
  const { listings } = await longLists();
  const { symbols } = createLiveDirectory({ listings });
  const wrong = symbols.members().filter((member) => symbols.resolve(member.symbol).instrument !== member);
  expect(wrong).toEqual([]);
});
