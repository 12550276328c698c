import { lookup, Resolver } from "node:dns/promises";

/** Resolves the addresses of a host; empty if the host does not exist. Rejects if no name server responds. */
export type Resolve = (
  host: string,
  options: { readonly local: boolean; readonly signal: AbortSignal },
) => Promise<readonly string[]>;

const TIMEOUT_MS = 3_000;
const MAX_TRIES = 2;
const NOT_FOUND_CODES: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA", "NOTFOUND", "NODATA"]);

/**
 * Resolves names chosen by clients by querying name servers directly: ignores the hosts file and search domains of this
 * machine and occupies no thread. Resolves `local` names, which the owner allows, with the settings of this machine.
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

/** Returns an empty list for a name that does not exist; rethrows anything else. */
function emptyIfNotFound(cause: unknown): never[] {
  if (NOT_FOUND_CODES.has((cause as { readonly code?: unknown }).code)) return [];
  throw cause;
}
