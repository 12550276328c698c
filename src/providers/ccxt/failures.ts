import { type FailureKind, ProviderFailure } from "../../domain/providers/price-provider.ts";

/** Failures by ccxt's error class; other classes count as their nearest superclass. */
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

/** Converts an error of ccxt. Classes are matched by name, because the package is optional. */
export function failureOf(cause: unknown): ProviderFailure {
  if (cause instanceof ProviderFailure) return cause;
  for (let above = cause; above !== null && typeof above === "object"; above = Object.getPrototypeOf(above)) {
    const name = above.constructor?.name ?? "";
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
    if (kind !== undefined) return new ProviderFailure(kind, `ccxt error ${name}`, { cause });
  }
  return new ProviderFailure("malformed", "response that ccxt could not read", { cause });
}
