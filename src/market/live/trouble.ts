import type { Guardable, Guarded } from "./guard.ts";

/** A source that can say what keeps it from answering, in words that name its setting; null while nothing does. */
export interface Telling extends Guardable {
  readonly trouble?: () => string | null;
}

/**
 * What keeps sources from answering that their operator can mend, a clause each: a key that is refused, a file that cannot be
 * read. `settings` has the setting that each source's key is in, by the source's name.
 */
export const troublesOf = (
  guards: readonly Guarded<Telling>[],
  settings: Readonly<Record<string, string>>,
): readonly string[] =>
  guards.flatMap(({ source, state }) => {
    const own = source.trouble?.() ?? null;
    if (own !== null) return [own];
    const { failure, failedAt, answeredAt } = state();
    const refuses = failure === "auth" && (failedAt ?? 0) >= (answeredAt ?? 0);
    const setting = settings[source.name];
    return refuses && setting !== undefined ? [`${source.name} refuses what ${setting} holds`] : [];
  });
