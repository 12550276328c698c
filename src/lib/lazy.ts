/** Returns a function that makes the value on its first call and returns the same value on every call. */
export function lazy<T extends object>(make: () => T): () => T {
  let value: T | null = null;
  return () => {
    value ??= make();
    return value;
  };
}
