import { describe, expect, it } from "vitest";
import { idDigits } from "../../src/lib/id-digits.ts";

describe("the digits of an id", () => {
  it("are the first 20 of SHA-256", () => {
    // printf 00000000-0000-4000-8000-000000000000 | sha256sum
    expect(idDigits("00000000-0000-4000-8000-000000000000")).toBe("db8055e0e0307d5a016b");
  });

  it("differ for consecutive UUIDs of one machine, and ignore case", () => {
    const first = "c232ab00-9414-11ec-b3c8-9f6bdeced846";
    expect(idDigits("d9428888-9414-11ec-b3c8-9f6bdeced846")).not.toBe(idDigits(first));
    expect(idDigits(first.toUpperCase())).toBe(idDigits(first));
    expect(idDigits(first.toUpperCase())).toMatch(/^[0-9a-f]{20}$/);
  });
});
