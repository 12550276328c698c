import type { Principal } from "../../domain/accounts/access.ts";
import type { Meters } from "../../domain/ports.ts";

/** Returns the RateLimit headers for the caller's quota windows; empty if the usage is unknown. */
export async function rateLimitHeaders(
  meters: Meters,
  principal: Principal,
): Promise<Readonly<Record<string, string>>> {
  const windows = await meters.usage(principal).catch(() => []);
  if (windows.length === 0) return {};
  return {
    "RateLimit-Policy": windows.map((w) => `"${w.name}";q=${w.quota};w=${w.window}`).join(","),
    RateLimit: windows
      .map((w) => `"${w.name}";r=${Math.max(0, w.remaining)};t=${Math.max(0, Math.ceil(w.reset))}`)
      .join(","),
  };
}
