import { fixed, UNLISTED_STOCK } from "../support/fixed-world.ts";
import { plainPriceProvider, plainVendor } from "../support/plain-price-provider.ts";
import { describePriceProvider } from "../support/price-provider-contract.ts";

describePriceProvider("the plainest source", {
  make: (fetch) => plainPriceProvider({ fetch }),
  vendor: plainVendor,
  instruments: { good: fixed("AAPL"), unknown: UNLISTED_STOCK, other: fixed("SPY") },
});
