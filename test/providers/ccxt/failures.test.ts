import { describe, expect, it } from "vitest";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { failureOf } from "../../../src/providers/ccxt/failures.ts";
import { ERRORS } from "./fake-ccxt.ts";

describe("what ccxt throws", () => {
  it.each([
    ["BadSymbol", "unknown_symbol"],
    ["NotSupported", "unsupported"],
    ["RateLimitExceeded", "rate_limited"],
    ["DDoSProtection", "rate_limited"],
    ["AuthenticationError", "auth"],
    ["PermissionDenied", "auth"],
    ["AccountNotEnabled", "auth"],
    ["RestrictedLocation", "blocked"],
    ["RequestTimeout", "timeout"],
    ["NetworkError", "down"],
    ["ExchangeNotAvailable", "down"],
    ["OnMaintenance", "down"],
    ["InvalidNonce", "down"],
    ["BadRequest", "malformed"],
    ["BadResponse", "malformed"],
    ["ExchangeError", "malformed"],
    ["BaseError", "malformed"],
  ] as const)("is %s, so the failure is %s", (name, kind) => {
    const cause = new ERRORS[name]("testex words of the vendor");
    const failure = failureOf(cause);
    expect(failure).toMatchObject({ kind, cause });
    expect(failure.message).not.toContain("words");
  });

  it("may be a failure of ours, which stays what it is", () => {
    const ours = new ProviderFailure("rate_limited", "our own limit", { retryAfterMs: 7 });
    expect(failureOf(ours)).toBe(ours);
  });

  it.each([[new TypeError("x")], ["text"], [null], [undefined], [{}], [Object.create(null)]])(
    "may be anything: %s",
    (thrown) => {
      expect(failureOf(thrown).kind).toBe("malformed");
    },
  );
});
