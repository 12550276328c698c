import { it } from "vitest";
import { describeWithData } from "../../support/test-data.ts";
import { SEC_CASES, type VendorFile } from "../../support/vendor-cases/sec.ts";
import { readJson } from "../requests.ts";

describeWithData("responses of the SEC that were read wrongly", ["vendors"], (folder) => {
  for (const [name, check] of Object.entries(SEC_CASES))
    it(`are read right: ${name}`, () => check(readJson<VendorFile>(folder, `${name}.json`)));
});
