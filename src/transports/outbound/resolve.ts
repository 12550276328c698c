import { lookup, Resolver } from "node:dns/promises";

/** The addresses a name leads to at this moment; empty where it leads nowhere. Rejects where nobody answers. */
export type Resolve = (
  host: string,
  options: { readonly local: boolean; readonly signal: AbortSignal },
) => Promise<readonly string[]>;

const TIMEOUT_MS = 3_000;
const MAX_TRIES = 2;
const NOT_FOUND_CODES: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA", "NOTFOUND", "NODATA"]);

/**
 * Asks name servers for names that clients chose: neither this machine's own names nor its search domains, and no
 * thread waits. Names the owner allows are looked up as this machine does it.
 */
export const resolveName: Resolve = async (host, { local, signal }) => {
  if (local) {
    const found = await lookup(host, { all: true }).catch(emptyIfNotFound);
    return found.map(({ address }) => address);
  }
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: MAX_TRIES });
  const stop = () => resolver.cancel();
  signal.addEventListener("abort", stop);
  try {
    const [six, four] = await Promise.allSettled([
      resolver.resolve6(host).catch(emptyIfNotFound),
      resolver.resolve4(host).catch(emptyIfNotFound),
    ]);
    const found = [four, six].flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    const broken = [four, six].find((one) => one.status === "rejected");
    if (found.length === 0 && broken !== undefined) throw broken.reason;
    return found;
  } finally {
    signal.removeEventListener("abort", stop);
  }
};

/** A name that does not exist is an answer. */
function emptyIfNotFound(cause: unknown): never[] {
  if (NOT_FOUND_CODES.has((cause as { readonly code?: unknown }).code)) return [];
  throw cause;
}
