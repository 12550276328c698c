/**
 * Returns a function that begins work for a user and returns what ends it for this user. All users share the work, which
 * ends with the last of them.
 */
export function sharedWork(begin: () => () => Promise<void>): () => () => Promise<void> {
  let users = 0;
  let end = async () => {};
  return () => {
    if (users++ === 0) end = begin();
    return async () => {
      if (--users === 0) await end();
    };
  };
}
