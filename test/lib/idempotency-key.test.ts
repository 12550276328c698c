import { describe, expect, it } from "vitest";
import { IDEMPOTENCY_KEY, idempotencyUuid } from "../../src/lib/idempotency-key.ts";

describe("the UUID of a key", () => {
  it("is the key itself in lower case if the key is a UUID", () => {
    expect(idempotencyUuid("7B1DE4B8-6C5C-4F5A-9E0D-3F1F3A1F0A01")).toBe(
      "7b1de4b8-6c5c-4f5a-9e0d-3f1f3a1f0a01",
    );
  });

  it("is otherwise of version 8, made of the key's SHA-256", () => {
    // SHA-256("abc") is ba7816bf 8f01cfea 414140de 5dae2223 ... (FIPS 180-2, B.1)
    expect(idempotencyUuid("abc")).toBe("ba7816bf-8f01-8fea-8141-40de5dae2223");
    expect(idempotencyUuid("ABC")).not.toBe(idempotencyUuid("abc"));
  });
});

describe("a key", () => {
  it("is 1 to 255 printable ASCII characters", () => {
    for (const key of [" ", "~", "order 7", "x".repeat(255)])
      expect(IDEMPOTENCY_KEY.test(key), key).toBe(true);
    for (const key of ["", "x".repeat(256), "caf\u00e9", "a\nb", "a\n"])
      expect(IDEMPOTENCY_KEY.test(key)).toBe(false);
  });
});
