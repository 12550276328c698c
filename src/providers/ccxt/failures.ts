import { type FailureKind, ProviderFailure } from "../../domain/providers/price-provider.ts";

/** ccxt's errors by the name of their class; one that is not here is what the nearest class above it is. */
const KINDS: Readonly<Record<string, FailureKind>> = {
  BadSymbol: "unknown_symbol",
  NotSupported: "unsupported",
  RateLimitExceeded: "rate_limited",
  DDoSProtection: "rate_limited",
  AuthenticationError: "auth",
  PermissionDenied: "auth",
  RestrictedLocation: "blocked",
  RequestTimeout: "timeout",
  ExchangeNotAvailable: "down",
  NetworkError: "down",
};

/** Whatever ccxt threw, as a failure in our words. Its classes are known by name: the package may not be there. */
export function failureOf(cause: unknown): ProviderFailure {
  if (cause instanceof ProviderFailure) return cause;
  for (let above = cause; above !== null && typeof above === "object"; above = Object.getPrototypeOf(above)) {
    const name = above.constructor?.name ?? "";
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
    if (kind !== undefined) return new ProviderFailure(kind, `ccxt says ${name}`, { cause });
  }
  return new ProviderFailure("malformed", "an answer that ccxt could not read", { cause });
}
