import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { type AnonymousKind, createAdmission } from "../../access/admission.ts";
import { SESSION_COOKIE } from "../../access/sign-in/paths.ts";
import { ToolError } from "../../kernel/errors.ts";
import { endpointsOf, MESSAGE_PATHS } from "./paths.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";
import type { HttpEnv, HttpServerDeps } from "./server-deps.ts";

type C = Context<HttpEnv>;

/** Paths of health checks that are not tools. */
const PROBE_PATHS: readonly string[] = ["/livez", "/readyz", "/health", "/metrics"];
/** Files of pages, whose names change with their content. */
const ASSETS_PATH = "/assets/";
/** POSTs whose messages their transport counts. */
const COUNTED_BY_TRANSPORT = withSlashes(Object.values(MESSAGE_PATHS));

export interface RequestAdmission {
  /** Counts a health check, a page, a file of one or a preflight by its network. Returns false for a request of an account. */
  countByNetwork(c: C): Promise<boolean>;
  /** Counts the request by its account, unless its transport counts the messages in it. */
  countByAccount(c: C): Promise<void>;
  /** Counts a request that its transport has refused before it counted the messages. */
  countLate(c: C): Promise<void>;
  /**
   * Returns a function that counts a refused request by its network, unless `isCounted` is true, and rejects with the
   * reason of the refusal.
   */
  countRefused(c: C, isCounted: boolean): (reason: unknown) => Promise<never>;
}

/** Creates the admission of the requests of all HTTP transports. Each request is counted exactly once. */
export function createRequestAdmission({
  registry: { tools, unavailable },
  ports: { meters },
}: Pick<HttpServerDeps, "registry" | "ports">): RequestAdmission {
  const admit = createAdmission(meters);
  const health = [...tools, ...unavailable].filter(({ role }) => role === "health");
  const probes = withSlashes([...PROBE_PATHS, ...endpointsOf(health).map(({ path }) => path)]);

  function kindOf(c: C): AnonymousKind | null {
    const { path, method } = c.req;
    const isApi = path.startsWith("/api/") || path === "/api";
    // a health check with a key or a session is a call of its account
    const hasCaller = isApi && (c.req.header("authorization") ?? getCookie(c, SESSION_COOKIE)) !== undefined;
    if (probes.has(path) && !hasCaller) return "probe";
    if (path.startsWith(ASSETS_PATH)) return "file";
    return isApi && method !== "OPTIONS" ? null : "page";
  }

  const isCountedByTransport = ({ req: { path, method } }: C) =>
    method === "POST" && COUNTED_BY_TRANSPORT.has(path);

  async function count(c: C): Promise<void> {
    const from = c.get("principal");
    try {
      c.set("admitted", await admit({ from }));
    } catch (refusal) {
      if (refusal instanceof ToolError) Object.assign(c.get("headers"), await rateLimitHeaders(meters, from));
      throw refusal;
    }
  }

  return {
    async countByNetwork(c) {
      const kind = kindOf(c);
      if (kind === null) return false;
      c.set("admitted", await admit({ address: c.get("address"), kind }));
      return true;
    },
    async countByAccount(c) {
      if (!isCountedByTransport(c)) await count(c);
    },
    async countLate(c) {
      if (isCountedByTransport(c) && !c.get("isCounted")) await count(c);
    },
    countRefused: (c, isCounted) => async (reason) => {
      // while the database does not answer, calls with a valid key are not known either, and none of them is to blame
      const isOutage = reason instanceof ToolError && reason.code === "STORAGE_BUSY";
      if (!isCounted && !isOutage) await admit({ address: c.get("address"), kind: "page" });
      throw reason;
    },
  };
}

function withSlashes(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.flatMap((path) => [path, `${path}/`]));
}
