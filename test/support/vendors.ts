import { ORDER } from "../../src/app/providers/prices.ts";
import { VENDOR_NAMES, VENDORS, type VendorFacts, type VendorName } from "../../src/app/vendors.ts";

/** Whether a vendor is asked with no setting made: it wants neither a key nor that its terms are accepted. */
export function isKeyless(name: VendorName): boolean {
  const { setting, consent }: VendorFacts = VENDORS[name];
  return setting === null && consent === undefined;
}

/** Vendors that are asked with no setting made, in their order. */
export const KEYLESS: readonly VendorName[] = VENDOR_NAMES.filter(isKeyless);

/** Those of them that tell prices, by name. */
export const KEYLESS_PRICES: readonly VendorName[] = [...new Set<VendorName>([...ORDER.us, ...ORDER.crypto])]
  .filter(isKeyless)
  .sort();

/** What an operator may set for vendors that want a key, as the program names it, in their order. */
export const KEY_SETTINGS: readonly string[] = VENDOR_NAMES.flatMap((name) => {
  const { setting, and }: VendorFacts = VENDORS[name];
  return setting === null ? [] : [and === undefined ? setting : `${setting} and ${and}`];
});
