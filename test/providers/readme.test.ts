import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const readme = readFileSync("src/providers/README.md", "utf8");

describe("the guide for new providers", () => {
  it("names only files that exist", () => {
    const named = [...readme.matchAll(/`((?:src|test)\/[^`<]+\.ts)`/g)].map(([, path]) => path!);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  it("names only exports and options that exist", () => {
    const words: Readonly<Record<string, readonly string[]>> = {
      "test/support/price-provider-contract.ts": [
        "describePriceProvider",
        "echoless",
        "unknownHistory",
        "noBars",
      ],
      "test/support/fixed-world.ts": ["fixed", "UNLISTED_STOCK"],
      "test/support/test-data.ts": ["describeWithData"],
      "test/replay/vendor.ts": ["limits", "unauthorised", "blocks"],
      "src/providers/shared/http-client.ts": ["createHttpClient"],
      "src/domain/providers/price-provider.ts": ["ProviderFailure", "reaches", "tradedAt"],
      "src/market/failover/meter.ts": ["meteredFetch"],
      "src/domain/trading/trading-port.ts": ["Broker", "submit", "find", "orders", "refusal", "leg"],
      "src/domain/trading/trading.ts": ["BROKERS"],
      "src/domain/outside-text.ts": ["quoted"],
      "test/providers/broker-contract.ts": ["describeBroker"],
    };
    for (const [file, names] of Object.entries(words))
      for (const name of names) {
        expect(readme).toMatch(new RegExp(`\\b${name}\\b`));
        expect(readFileSync(file, "utf8")).toMatch(new RegExp(`\\b${name}\\b`));
      }
  });
});
