/** A gap in which a browser does not show the page, after which the next look is a new visit, in milliseconds. */
const NEW_VISIT_MS = 30 * 60_000;

export interface Visit {
  /** End of the visit before, ms; null on the first one. */
  readonly since: number | null;
  /** When the page was last shown, ms. */
  readonly seen: number;
}

/** Reads a stored visit; null if it is none. */
export function readVisit(value: unknown): Visit | null {
  const { since, seen } = Object(value) as Readonly<Record<string, unknown>>;
  const isKnown = isTime(seen) && (since === null || isTime(since));
  return isKnown ? { since: since as number | null, seen: seen as number } : null;
}

const MAX_TIME = 8.64e15;
const isTime = (value: unknown): boolean => typeof value === "number" && value >= 0 && value <= MAX_TIME;

/** Returns the visit at `now`: the stored one if it goes on, else a new one that begins where that one ended. */
export function visitAt(stored: Visit | null, now: number): Visit {
  if (stored === null) return { since: null, seen: now };
  const isNew = now - stored.seen > NEW_VISIT_MS;
  return { since: isNew ? stored.seen : stored.since, seen: now };
}
