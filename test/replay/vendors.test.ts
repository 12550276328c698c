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
  it("are every vendor there is a file of, under its name", () => {
    expect(VENDORS.map(({ name }) => name).sort()).toEqual(files.sort());
  });

  it("are every vendor that may be called", () => {
    expect(VENDORS.map(({ name }) => name).sort()).toEqual([...PROVIDER_NAMES].sort());
  });

  it.each(VENDORS)("$name has a way to say that it is called too often, and takes some time", (vendor) => {
    expect(vendor.limits.length).toBeGreaterThan(0);
    expect(vendor.latency.p50).toBeGreaterThan(0);
    expect(vendor.latency.p95).toBeGreaterThan(vendor.latency.p50);
  });

  it.each(VENDORS.filter(({ key }) => key !== null))("$name has a way to refuse a wrong key", (vendor) => {
    expect(vendor.unauthorised.length).toBeGreaterThan(0);
  });
});
