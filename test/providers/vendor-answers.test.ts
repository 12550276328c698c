import { expect, it } from "vitest";
import { describeWithData } from "../support/test-data.ts";
import { readVendorFile, VENDOR_CASES, vendorFiles } from "./vendor-cases.ts";

const CASES = VENDOR_CASES;
/** Files whose adapters are mended, and whose cases are added, apart from these. */
const ADDED_LATER = [
  "alpaca-iex-previous",
  "cboe-premarket-previous",
  "nasdaq-saturday",
  "sec-changed-registrant",
  "sec-heavy-filer",
  "sec-jpm-shifted-twice",
];

describeWithData("the answers of vendors that were read wrongly", ["vendors"], (folder) => {
  const names = vendorFiles(folder);

  it("have a case for every file, and a file for every case", () => {
    expect([...Object.keys(CASES), ...ADDED_LATER].sort()).toEqual([...names].sort());
  });

  for (const name of names.filter((one) => CASES[one] !== undefined)) {
    const file = readVendorFile(folder, name);
    it(`are read rightly: ${name}: ${file.what}`, () => CASES[name]!(file));
  }
});
