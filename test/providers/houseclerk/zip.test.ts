import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { extractZipFile } from "../../../src/providers/houseclerk/zip.ts";
import { zipOf } from "../../support/zip.ts";

const text = "<a/>".repeat(500);
const malformed = (zip: Uint8Array, name = "FD.xml") => {
  try {
    extractZipFile(zip, name);
  } catch (failure) {
    expect(failure).toBeInstanceOf(ProviderFailure);
    return (failure as ProviderFailure).kind;
  }
  return "read";
};

describe("a file of an archive", () => {
  it.each([true, false])("is read, stored or deflated (%s)", (stored) => {
    const zip = zipOf("2026FD.xml", text, { stored });
    expect(Buffer.from(extractZipFile(zip, "FD.xml")).toString()).toBe(text);
    const behind = Buffer.concat([zip, Buffer.from("a comment")]);
    expect(Buffer.from(extractZipFile(behind, "FD.xml")).toString()).toBe(text);
  });

  it("is malformed for a missing name or a damaged archive", () => {
    const zip = zipOf("2026FD.txt", text);
    expect(malformed(zip)).toBe("malformed");
    for (const end of [0, 10, 40, zip.length - 30, zip.length - 1])
      expect(malformed(zip.subarray(0, end), "FD.txt")).toBe("malformed");
    expect(malformed(Buffer.from("<html>"))).toBe("malformed");
  });

  it("never grows beyond what it says, nor fails with anything else", () => {
    const zip = zipOf("FD.xml", text);
    fc.assert(
      fc.property(fc.nat(zip.length - 1), fc.nat(255), (at, byte) => {
        const spoiled = Buffer.from(zip);
        spoiled[at] = byte;
        expect(["read", "malformed"]).toContain(malformed(spoiled));
      }),
    );
  });
});
