/** Trains the classifier of requests again if what it learns from has changed since the last build. */
export default async function freshModel(): Promise<void> {
  // a script of the build, which has no types
  const { buildRequests } = await import(new URL("../../.config/build-requests.mjs", import.meta.url).href);
  await buildRequests();
}
