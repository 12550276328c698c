import type { Server, ServerContext } from "@modelcontextprotocol/server";

/** The revision whose requests carry an envelope in `_meta`, and whose results say how long they may be cached. */
export const MODERN_REVISION = "2026-07-28";
/** The first revision whose clients read `structuredContent`. */
const STRUCTURED_SINCE = "2025-06-18";

/** How long clients may cache lists. */
export const LIST_CACHE_HINT = { ttlMs: 60_000, cacheScope: "private" } as const;

/** How long clients may cache the results of these methods. */
export const CACHE_HINTS = {
  "server/discover": LIST_CACHE_HINT,
  "tools/list": LIST_CACHE_HINT,
  "prompts/list": LIST_CACHE_HINT,
  "resources/list": LIST_CACHE_HINT,
  "resources/templates/list": LIST_CACHE_HINT,
  "resources/read": { ttlMs: 0, cacheScope: "private" },
} as const;

/** Returns the cache hint of a list for clients of a revision. */
export const cacheHintFor = (revision = ""): Partial<typeof LIST_CACHE_HINT> =>
  revision >= MODERN_REVISION ? LIST_CACHE_HINT : {};

/** Returns true if clients of a revision read structured content. */
export const readsData = (revision = ""): boolean => revision >= STRUCTURED_SINCE;

/** Returns the revision of a request: the negotiated one, or that of its header. */
export const revisionOf = (
  server: Pick<Server, "getNegotiatedProtocolVersion">,
  { http }: ServerContext,
): string | undefined =>
  server.getNegotiatedProtocolVersion() ?? http?.req?.headers.get("mcp-protocol-version") ?? undefined;
