import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashOf, isWellFormed, newKey } from "../../../src/access/keys/key-format.ts";

/** CRC-32 of "ms_live_" and 32 zeros is 0x79a04df4, computed with Python's zlib.crc32, in base 62. */
const ZEROS = "ms_live_000000000000000000000000000000002E5vyG";

describe("a key", () => {
  it("consists of a prefix, 32 characters and their checksum", () => {
    expect(newKey("live", (size) => new Uint8Array(size))).toBe(ZEROS);
    expect(newKey("test")).toMatch(/^ms_test_[0-9A-Za-z]{38}$/);
  });

  it("uses every character equally: bytes from the last multiple of 62 on are discarded", () => {
    const bytes = [[255, 248, 0, 61, 62, 247], Array<number>(40).fill(10)];
    let draw = 0;
    const key = newKey("live", () => Uint8Array.from(bytes[draw++] ?? []));
    expect(key.slice(8, 40)).toBe(`0z0z${"A".repeat(28)}`);
  });

  it("is unique", () => {
    expect(new Set(Array.from({ length: 1_000 }, () => newKey("live"))).size).toBe(1_000);
  });

  it("is hashed with SHA-256", () => {
    // printf abc | sha256sum
    expect(hashOf("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});

describe("isWellFormed", () => {
  it("accepts every created key", () => {
    fc.assert(
      fc.property(fc.constantFrom("live" as const, "test" as const), (kind) => isWellFormed(newKey(kind))),
    );
  });

  it("rejects a key with any one character changed", () => {
    const key = newKey("live");
    fc.assert(
      fc.property(fc.nat({ max: key.length - 1 }), fc.string({ minLength: 1, maxLength: 1 }), (at, other) => {
        fc.pre(key[at] !== other);
        return !isWellFormed(key.slice(0, at) + other + key.slice(at + 1));
      }),
    );
  });

  it.each([
    "",
    "ms_live_",
    `${ZEROS}0`,
    ` ${ZEROS}`,
    `${ZEROS}\n`,
    ZEROS.toLowerCase(),
    ZEROS.replace("live", "paper"),
  ])("rejects %j", (text) => {
    expect(isWellFormed(text)).toBe(false);
  });
});
