import { fixed, UNLISTED_STOCK } from "../support/fixed-world.ts";
import { plainSource, plainVendor } from "../support/plain-price-provider.ts";
import { describeSource } from "../support/price-provider-contract.ts";

describeSource("the plainest source", {
  make: (fetch) => plainSource({ fetch }),
  vendor: plainVendor,
  instruments: { good: fixed("AAPL"), unknown: UNLISTED_STOCK, other: fixed("SPY") },
});
