import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PROVIDER_NAMES } from "../../src/app/provider-table.ts";
import { VENDORS } from "./vendors.ts";

const folder = "test/replay";
const files = readdirSync(folder)
  .filter((file) => /^[a-z]+\.ts$/.test(file))
  .filter((file) => /export const \w+: Vendor\b/.test(readFileSync(`${folder}/${file}`, "utf8")))
  .map((file) => file.replace(".ts", ""));

describe("the replayed vendors", () => {
  it("have exactly the names of the vendor files", () => {
    expect(VENDORS.map(({ name }) => name).sort()).toEqual(files.sort());
  });

  it("are exactly the providers that the program can call", () => {
    expect(VENDORS.map(({ name }) => name).sort()).toEqual([...PROVIDER_NAMES].sort());
  });

  it.each(VENDORS)("$name has rate-limit responses and a latency above 0", (vendor) => {
    expect(vendor.limits.length).toBeGreaterThan(0);
    expect(vendor.latency.p50).toBeGreaterThan(0);
    expect(vendor.latency.p95).toBeGreaterThan(vendor.latency.p50);
  });

  it.each(VENDORS.filter(({ key }) => key !== null))("$name has responses to a wrong key", (vendor) => {
    expect(vendor.unauthorised.length).toBeGreaterThan(0);
  });
});
