import { expect, it } from "vitest";
import { describeWithData } from "../support/test-data.ts";
import { PREVIOUS_CLOSE_CASES } from "./previous-close-cases.ts";
import { SEC_CASES } from "./sec-cases.ts";
import { readVendorFile, VENDOR_CASES, vendorFiles } from "./vendor-cases.ts";

const CASES = { ...VENDOR_CASES, ...PREVIOUS_CLOSE_CASES, ...SEC_CASES };

describeWithData("the answers of vendors that were read wrongly", ["vendors"], (folder) => {
  const names = vendorFiles(folder);

  it("have a case for every file, and a file for every case", () => {
    expect(Object.keys(CASES).sort()).toEqual([...names].sort());
  });

  for (const [name, check] of Object.entries(CASES)) {
    const file = readVendorFile(folder, name);
    it(`are read rightly: ${name}: ${file.what}`, () => check(file));
  }
});
