import type { DiagnosableProvider } from "../../domain/providers/provider.ts";
import type { Guarded } from "./guard.ts";

/** Waits shorter than this are not reported. */
const SOON_MS = 90_000;

/**
 * Returns providers whose call limit is used up for more than 90 s, with the time at which a call is allowed again
 * (epoch ms).
 */
export const rateLimitedOf = (guards: readonly Guarded<DiagnosableProvider>[], now: number) =>
  guards.flatMap(({ provider: { name }, state }) => {
    const { waitMs } = state();
    return waitMs > SOON_MS ? [{ name, until: now + waitMs }] : [];
  });

/**
 * Returns the problems of providers that the operator can fix, such as a rejected key or an unreadable file. `settings`
 * maps provider names to the name of the setting with their key.
 */
export const problemsOf = (
  guards: readonly Guarded<DiagnosableProvider>[],
  settings: Readonly<Record<string, string>>,
): readonly string[] =>
  guards.flatMap(({ provider, state }) => {
    const own = provider.problem?.() ?? null;
    if (own !== null) return [own];
    const { failure, failedAt, answeredAt } = state();
    const keyRejected = failure === "auth" && (failedAt ?? 0) >= (answeredAt ?? 0);
    const setting = settings[provider.name];
    return keyRejected && setting !== undefined ? [`${provider.name} rejects the key in ${setting}`] : [];
  });
