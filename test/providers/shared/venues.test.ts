import { describe, expect, it } from "vitest";
import { binance } from "../../../src/providers/binance/prices.ts";
import { okx } from "../../../src/providers/okx/prices.ts";
import { binanceVendor } from "../../replay/binance.ts";
import { okxVendor } from "../../replay/okx.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld } from "../../support/fixed-world.ts";
import { barsIn, kindOf, recorded, signal } from "../requests.ts";

const BTC = fixed("BTC-USD");
const WEEK = { from: "2025-12-20", until: "2025-12-27" };

describe.each([
  {
    name: "binance",
    make: binance,
    vendor: binanceVendor,
    first: "data-api.binance.vision",
    other: "api.binance.us",
  },
  { name: "okx", make: okx, vendor: okxVendor, first: "www.okx.com", other: "us.okx.com" },
])("the exchange of $name for the United States", ({ name, make, vendor, first, other }) => {
  const honest = fetchFrom(vendor, fixedWorld());
  const refusing = (status: number) => {
    const hosts: string[] = [];
    const { fetch } = recorded(async (input, init) => {
      const { host } = new URL(String(input));
      hosts.push(host);
      return host === first ? new Response("", { status }) : honest(input, init);
    });
    return { provider: make({ fetch }), hosts };
  };
  const venue = name.toUpperCase();

  it.each([429, 451, 403, 503])(
    "has the quote if the first answers %i, all of it, and is named",
    async (status) => {
      const { provider, hosts } = refusing(status);
      const truth = await make({ fetch: honest }).latest!(BTC, { signal });
      expect(await provider.latest!(BTC, { signal })).toEqual({ ...truth, venue: `${venue}_US` });
      expect(truth.venue).toBe(venue);
      expect(hosts.filter((host) => host === other)).toHaveLength(2);
    },
  );

  it("has bars only where the country is refused, so that a series is of one exchange", async () => {
    const truth = await barsIn(make({ fetch: honest }), WEEK, BTC);
    const refused = refusing(451);
    expect(await barsIn(refused.provider, WEEK, BTC)).toEqual({ ...truth, venue: `${venue}_US` });
    const limited = refusing(429);
    expect(await kindOf(barsIn(limited.provider, WEEK, BTC))).toBe("rate_limited");
    expect(limited.hosts).not.toContain(other);
  });

  it("is not asked about a pair that the first does not list", async () => {
    const { fetch, requests } = recorded(honest);
    expect(await kindOf(make({ fetch }).latest!({ ...BTC, symbol: "NOSUCH-USD" }, { signal }))).toBe(
      "unknown_symbol",
    );
    expect(requests.every((url) => url.includes(first))).toBe(true);
  });
});
