import type { DiagnosableProvider } from "../../domain/providers/provider.ts";
import type { Guarded } from "./guard.ts";

/** A wait so short is no trouble: whoever asks again in a minute is answered. */
const SOON_MS = 90_000;

/** Sources whose limit on calls, as we keep to it, is reached for longer than a minute, each with the moment it is over (epoch ms). */
export const rateLimitedOf = (guards: readonly Guarded<DiagnosableProvider>[], now: number) =>
  guards.flatMap(({ provider: { name }, state }) => {
    const { waitMs } = state();
    return waitMs > SOON_MS ? [{ name, until: now + waitMs }] : [];
  });

/**
 * What keeps sources from answering that their operator can mend, a clause each: a key that is refused, a file that cannot be
 * read. `settings` has the setting that each source's key is in, by the source's name.
 */
export const problemsOf = (
  guards: readonly Guarded<DiagnosableProvider>[],
  settings: Readonly<Record<string, string>>,
): readonly string[] =>
  guards.flatMap(({ provider: source, state }) => {
    const own = source.problem?.() ?? null;
    if (own !== null) return [own];
    const { failure, failedAt, answeredAt } = state();
    const refuses = failure === "auth" && (failedAt ?? 0) >= (answeredAt ?? 0);
    const setting = settings[source.name];
    return refuses && setting !== undefined ? [`${source.name} refuses what ${setting} holds`] : [];
  });
