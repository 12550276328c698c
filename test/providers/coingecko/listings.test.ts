import { describe, expect, it } from "vitest";
import { coingeckoListings } from "../../../src/providers/coingecko/listings.ts";
import { coingeckoVendor } from "../../replay/coingecko.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, readJson, respondAs, respondWith, signal } from "../requests.ts";

const listing = (body: unknown, status = 200) =>
  coingeckoListings({ fetch: respondWith({ "": body }, { status }).fetch }).list({ signal });
const coin = (symbol: string, id: string, market_cap_rank: number | null, name = id) => ({
  id,
  symbol,
  name,
  market_cap_rank,
});

describeWithData("coingecko's list as recorded", ["universe", "coingecko_top50_2026.json"], (file) => {
  it("is read in order of market value, without invalid tickers", async () => {
    const rows = await listing(readJson(file));
    // Of fifty, FIGR_HELOC is not a valid ticker.
    expect(rows).toHaveLength(49);
    expect(rows[0]).toEqual({ base: "BTC", name: "Bitcoin", id: "bitcoin", rank: 1 });
    expect(rows.at(-1)).toEqual({ base: "DOT", name: "Polkadot", id: "polkadot", rank: 50 });
    expect(rows.find(({ base }) => base === "BUIDL")?.name).toBe(
      "BlackRock USD Institutional Digital Liquidity Fund",
    );
  });
});

describe("coingeckoListings", () => {
  it("requests the 250 largest tokens in one call", async () => {
    const { fetch, requests } = respondAs(coingeckoVendor);
    const { name, list } = coingeckoListings({ fetch, demoKey: coingeckoVendor.key! });
    expect(name).toBe("coingecko");
    expect(await list({ signal })).toEqual([
      { base: "BTC", name: "Bitcoin", id: "bitcoin", rank: 1 },
      { base: "ETH", name: "Ethereum", id: "ethereum", rank: 2 },
      { base: "LINK", name: "Chainlink", id: "chainlink", rank: 3 },
    ]);
    expect(requests).toEqual([
      "https://api.coingecko.com/api/v3/coins/markets?vs_currency=usd&order=market_cap_desc&per_page=250&page=1",
    ]);
  });

  it("gives a duplicate ticker to the larger coin, in any order", async () => {
    const rows = await listing([
      coin("abc", "lesser", 90),
      coin("ABC", "greater", 12),
      coin("abc", "unranked", null),
    ]);
    expect(rows).toEqual([{ base: "ABC", name: "greater", id: "greater", rank: 12 }]);
  });

  it("appends coins without a rank in the order of the list", async () => {
    const rows = await listing([
      coin("one", "one", null),
      coin("two", "two", null),
      coin("last", "last", 250),
    ]);
    expect(rows.map(({ base, rank }) => [base, rank])).toEqual([
      ["LAST", 250],
      ["ONE", 251],
      ["TWO", 252],
    ]);
  });

  it("cleans names for display, and omits coins without a name or plain ticker", async () => {
    const rows = await listing([
      coin("aaa", "aaa", 1, `Two\nlines \u202eturned ${"x".repeat(100)}`),
      coin("bbb", "bbb", 2, " \u200b "),
      coin("币安人生", "bianrensheng", 3),
      coin("ccc", "../ccc", 4),
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0]!.name).toMatch(/^Two lines turned x+…$/u);
    expect([...rows[0]!.name]).toHaveLength(79);
  });

  it.each([
    [200, [], "malformed"],
    [200, [{ id: "bitcoin" }], "malformed"],
    [200, {}, "malformed"],
    [200, { status: { error_code: 429 } }, "rate_limited"],
    [429, {}, "rate_limited"],
    [503, {}, "down"],
  ])("fails at status %i with %j as %s", async (status, body, kind) => {
    expect(await kindOf(listing(body, status))).toBe(kind);
  });
});
