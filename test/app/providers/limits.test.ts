import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import { PROVIDER_NAMES, PROVIDERS, type ProviderFacts } from "../../../src/app/provider-table.ts";
import { nonPricePorts } from "../../../src/app/providers/non-price-ports.ts";
import { closeProviders, priceChains } from "../../../src/app/providers/prices.ts";
import { createProviderFactory } from "../../../src/app/providers/provider-factory.ts";
import { limitsOf } from "../../../src/app/providers/provider-plan.ts";
import { createDirectory } from "../../../src/market/symbols/directory.ts";
import { marketCache } from "../../../src/store/market/market-cache.ts";
import { collectingLog } from "../../support/context.ts";
import { settableClock } from "../../support/providers.ts";
import { testStore } from "../../support/store.ts";

/** Connects every provider, with all keys set and all terms accepted. */
async function connectAll() {
  const facts = PROVIDER_NAMES.map((name): ProviderFacts => PROVIDERS[name]);
  const keys = facts
    .flatMap(({ setting, secondSetting }) => [setting, secondSetting])
    .filter((name) => name != null);
  const env = {
    ...Object.fromEntries(keys.map((name) => [name, "key-of-a-vendor"])),
    KADOA_TERMS: "accepted",
    SEC_CONTACT: "Company name@example.com",
  };
  const clock = settableClock("2026-01-15T15:00:00Z");
  const factory = createProviderFactory(readConfig(env), { fetch, clock });
  const { db } = await testStore();
  const deps = {
    log: collectingLog().log,
    db,
    market: "live",
    symbols: createDirectory({ members: [] }),
  };
  priceChains(factory);
  closeProviders(factory);
  nonPricePorts(factory, { ...deps, memory: marketCache({ ...deps, clock }) });
  return factory.connected();
}

describe("rate limits of providers", () => {
  it("are in the table for every provider of several kinds of data", async () => {
    const all = await connectAll();
    for (const name of new Set(all.map((one) => one.name))) {
      const shares = all.filter((one) => one.name === name).map(({ guarded }) => guarded.provider.budget);
      const limits = limitsOf(PROVIDER_NAMES.find((one) => one === name)!, readConfig({}));
      if (shares.length > 1) expect(limits.length, name).toBeGreaterThan(0);
    }
  });

  it("cover every provider", async () => {
    const used = new Set((await connectAll()).map(({ name }) => name));
    expect(PROVIDER_NAMES.filter((name) => !used.has(name))).toEqual([]);
  });

  it("have a check for each kind of data, with four exceptions", async () => {
    const unchecked = (await connectAll()).filter(
      ({ content, check }) => content !== "prices" && check === null,
    );
    expect(unchecked.map(({ name, content }) => `${name} ${content}`)).toEqual([
      "unusualwhales prints of all",
      "fmp disclosures by ticker",
      "unusualwhales disclosures by ticker",
      "finnhub disclosures by ticker",
    ]);
  });
});
