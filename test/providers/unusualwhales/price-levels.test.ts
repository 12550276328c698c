import { expect, it } from "vitest";
import type { PriceVolumes } from "../../../src/domain/off-exchange/provider.ts";
import { unusualWhalesPrices } from "../../../src/providers/unusualwhales/price-levels.ts";
import { unusualwhalesVendor } from "../../replay/unusualwhales.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeProvider } from "../../support/provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, readJson, respondWith, signal } from "../requests.ts";

const token = unusualwhalesVendor.key!;
const about = (symbol: string) => ({ instrument: fixed(symbol), date: "2025-12-02" });

describeProvider("unusual whales, volume by price", {
  make: (fetch) => unusualWhalesPrices({ fetch, key: token }),
  honest: fetchFrom(unusualwhalesVendor, fixedWorld()),
  vendor: unusualwhalesVendor,
  good: about("AAPL"),
  unsupported: about("BTC-USD"),
  unknown: { question: { instrument: UNLISTED_STOCK, date: "2025-12-02" }, outcome: "none" },
  plausible({ prices }: PriceVolumes) {
    for (const { price, offExchange, onExchange } of prices)
      expect(
        price > 0 && offExchange >= 0 && onExchange >= 0 && Number.isFinite(price + offExchange + onExchange),
      ).toBe(true);
  },
  filled: ({ prices }) => expect(prices.length).toBeGreaterThan(5),
});

describeWithData("unusual whales' price levels as documented", ["fixtures", "unusualwhales"], (folder) => {
  const examples = readJson<Record<string, unknown>>(folder, "openapi_examples_2026-08.json");
  const { fetch } = respondWith({ "": examples["Darkpool Price Levels"] });
  const pricesOn = (date: string) =>
    unusualWhalesPrices({ fetch, key: token }).call({ instrument: fixed("AAPL"), date }, { signal });

  it("are volumes off and on exchange at a price", async () => {
    expect(await pricesOn("2026-08-03")).toEqual({
      prices: [{ price: 123.25, offExchange: 12000, onExchange: 35000 }],
    });
  });

  it("are rejected if they are of another day", async () => {
    expect(await kindOf(pricesOn("2026-08-04"))).toBe("malformed");
  });
});
