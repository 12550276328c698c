import { VENDOR_NAMES, VENDORS, type VendorFacts } from "../vendors.ts";

/** The setting that each vendor's key is in, by the vendor's name. */
export const KEY_SETTINGS: Readonly<Record<string, string>> = Object.fromEntries(
  VENDOR_NAMES.flatMap((name) => {
    const { setting, and }: VendorFacts = VENDORS[name];
    return setting === null ? [] : [[name, and === undefined ? setting : `${setting} and ${and}`]];
  }),
);
