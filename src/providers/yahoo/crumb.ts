import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { tryHosts } from "../shared/alternates.ts";
import {
  createHttpClient,
  type HttpRequest,
  type HttpResponse,
  type ProviderSetup,
} from "../shared/http-client.ts";
import { DATA_HOSTS, tryUserAgents } from "./client.ts";
import { fetchCookies } from "./cookies.ts";

/** Hosts of the crumb; one is valid at all of them. */
const CRUMB_HOSTS = DATA_HOSTS.toReversed();
/** Maximum age of cookie and crumb. Cookies expire after 10 to 20 minutes. */
const MAX_AGE_MS = 9 * 60_000;
/** Matches a crumb, which is one short word; other bodies are pages or errors. */
const CRUMB = /^[^\s<>{}"']{6,32}$/;

export interface CrumbSetup extends ProviderSetup {
  /** Returns the current time, epoch ms. */
  readonly now: () => number;
}

interface CrumbSession {
  readonly at: number;
  readonly userAgent: string;
  readonly cookie: string;
  readonly crumb: string;
}

/**
 * Creates the client for data that need a cookie and a crumb. Both are fetched on demand, and again after nine minutes
 * or a 401. The crumb is plain text: a request that accepts only JSON gets a 406. What one host refuses is requested
 * from the other; if Yahoo refuses the user agent, everything is tried once more with another one.
 */
export function crumbApi({ now, ...setup }: CrumbSetup) {
  const clientOf = (baseUrl: string) => createHttpClient({ ...setup, baseUrl, keyless: true });
  const withCrumbHost = tryHosts(setup, CRUMB_HOSTS);
  const withDataHost = tryHosts(setup, DATA_HOSTS);
  const withUserAgent = tryUserAgents();
  let session: CrumbSession | null = null;

  async function getSession(userAgent: string, signal: AbortSignal): Promise<CrumbSession> {
    const isFresh = session !== null && now() - session.at < MAX_AGE_MS && now() >= session.at;
    if (session !== null && isFresh && session.userAgent === userAgent) return session;
    const cookies = await fetchCookies(setup, { userAgent, signal });
    // the hosts share their cookies; a base URL that replaces them has none of its own
    const cookie = cookies.headerFor(new URL(DATA_HOSTS[0]).host);
    const crumb = await withCrumbHost(async (host) => {
      const headers = { accept: "*/*", cookie, "user-agent": userAgent };
      const { body } = await clientOf(host).text("/v1/test/getcrumb", { signal, headers });
      // this error may come with status 200
      if (/too many requests/i.test(body)) throw new ProviderFailure("rate_limited", "too many calls");
      if (!CRUMB.test(body.trim())) throw new ProviderFailure("blocked", "no crumb");
      return body.trim();
    });
    session = { at: now(), userAgent, cookie, crumb };
    return session;
  }

  return async (
    path: string,
    { query, signal }: Pick<HttpRequest, "query" | "signal">,
  ): Promise<HttpResponse<unknown>> =>
    withUserAgent(async (userAgent) => {
      for (let attempt = 0; attempt < 2; attempt++) {
        const { cookie, crumb } = await getSession(userAgent, signal);
        const headers = { accept: "application/json", cookie, "user-agent": userAgent };
        const request = { query: { ...query, crumb }, headers, signal, accept: [401, 404] };
        const response = await withDataHost((host) => clientOf(host).json(path, request));
        if (response.status !== 401) return response;
        session = null;
      }
      throw new ProviderFailure("blocked", "the new crumb was rejected too");
    });
}
