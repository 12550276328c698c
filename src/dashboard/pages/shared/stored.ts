/**
 * Returns what this browser stored under a name, as `read` understands it; null without it, if it is no JSON, and if
 * nothing may be stored. Other programs, older versions and people write there too.
 */
export function stored<T>(name: string, read: (value: unknown) => T | null): T | null {
  try {
    return parsed(localStorage.getItem(name), read);
  } catch {
    return null;
  }
}

/** Returns stored text as `read` understands it; null if it is no JSON. */
export function parsed<T>(text: string | null | undefined, read: (value: unknown) => T | null): T | null {
  try {
    return text === null || text === undefined ? null : read(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Stores a value; nothing happens if nothing may be stored. */
export function store(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {}
}
