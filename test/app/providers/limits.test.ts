import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import { PROVIDER_NAMES, PROVIDERS, type ProviderFacts } from "../../../src/app/provider-table.ts";
import { nonPricePorts } from "../../../src/app/providers/non-price-ports.ts";
import { priceChains } from "../../../src/app/providers/prices.ts";
import { createProviderFactory } from "../../../src/app/providers/provider-factory.ts";
import { createDirectory } from "../../../src/market/symbols/directory.ts";
import { marketCache } from "../../../src/store/market/market-cache.ts";
import { collectingLog } from "../../support/context.ts";
import { settableClock } from "../../support/providers.ts";
import { testStore } from "../../support/store.ts";

/** Everything that is asked where every key is set, and every data set accepted. */
async function everything() {
  const facts = PROVIDER_NAMES.map((name): ProviderFacts => PROVIDERS[name]);
  const keys = facts.flatMap(({ setting, and }) => [setting, and]).filter((name) => name != null);
  const env = {
    ...Object.fromEntries(keys.map((name) => [name, "key-of-a-vendor"])),
    KADOA_TERMS: "accepted",
    SEC_CONTACT: "Company name@example.com",
  };
  const clock = settableClock("2026-01-15T15:00:00Z");
  const kit = createProviderFactory(readConfig(env), { fetch, clock });
  const { db } = await testStore();
  const lent = {
    log: collectingLog().log,
    db,
    market: "live",
    symbols: createDirectory({ members: [] }),
  };
  priceChains(kit);
  nonPricePorts(kit, { ...lent, memory: marketCache({ ...lent, clock }) });
  return kit.connected();
}

describe("limits of vendors", () => {
  it("are known wherever more than one thing is asked of a vendor", async () => {
    const all = await everything();
    for (const name of new Set(all.map((one) => one.name))) {
      const shares = all.filter((one) => one.name === name).map(({ guarded }) => guarded.provider.budget);
      const { limits }: ProviderFacts = PROVIDERS[PROVIDER_NAMES.find((one) => one === name)!];
      if (shares.length > 1) expect(limits, name).toBeDefined();
    }
  });

  it("cover every vendor but those who only list what there is", async () => {
    const asked = new Set((await everything()).map(({ name }) => name));
    expect(PROVIDER_NAMES.filter((name) => !asked.has(name))).toEqual(["nasdaqtrader"]);
  });

  it("can be seen to be kept: whoever answers can be asked whether it does", async () => {
    const silent = (await everything()).filter(({ content: of, check }) => of !== "prices" && check === null);
    expect(silent.map(({ name, content: of }) => `${name} ${of}`)).toEqual([
      "unusualwhales prints of all",
      "fmp disclosures by ticker",
      "unusualwhales disclosures by ticker",
      "finnhub disclosures by ticker",
    ]);
  });
});
