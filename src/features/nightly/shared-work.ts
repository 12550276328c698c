/** Returns a function that begins work on its first call; the work ends once the result of each call was called. */
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
