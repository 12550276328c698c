import { binanceVendor } from "./binance.ts";
import { okxVendor } from "./okx.ts";
import type { Vendor } from "./vendor.ts";

/** Every vendor that can be replayed, one a line. */
export const VENDORS: readonly Vendor[] = [binanceVendor, okxVendor];
