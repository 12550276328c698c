import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import type { HttpRequest, HttpResponse, ProviderSetup } from "../shared/http-client.ts";
import { yahooClient } from "./client.ts";

const COOKIE_URL = "https://fc.yahoo.com";
const CRUMB_URL = "https://query1.finance.yahoo.com";
/** Maximum age of cookie and crumb. Cookies expire after 10 to 20 minutes. */
const MAX_AGE_MS = 9 * 60_000;
/** HTTP statuses other than 200 with which the cookie page still sets a cookie. */
const COOKIE_STATUSES = [301, 302, 303, 307, 308, 400, 401, 403, 404, 500, 502, 503];
/** Matches a crumb, which is one short word; other bodies are pages or errors. */
const CRUMB = /^[^\s<>{}"']{6,32}$/;

export interface CrumbSetup extends ProviderSetup {
  /** Returns the current time, epoch ms. */
  readonly now: () => number;
}

interface CrumbSession {
  readonly at: number;
  readonly cookie: string;
  readonly crumb: string;
}

/**
 * Creates the client for data that need a cookie and a crumb. Both are fetched on demand, and again after nine minutes
 * or a 401.
 */
export function crumbApi({ now, ...setup }: CrumbSetup) {
  const cookies = yahooClient(setup, { baseUrl: COOKIE_URL, keyless: false });
  const crumbs = yahooClient(setup, { baseUrl: CRUMB_URL });
  const data = yahooClient(setup);
  let session: CrumbSession | null = null;

  async function getSession(signal: AbortSignal): Promise<CrumbSession> {
    if (session !== null && now() - session.at < MAX_AGE_MS && now() >= session.at) return session;
    const setCookies: string[] = [];
    const onHead = (head: Headers) => void setCookies.push(...head.getSetCookie());
    const { status } = await cookies.text("/", { signal, accept: COOKIE_STATUSES, onHead });
    const cookie = setCookies.map((line) => line.split(";", 1)[0]!.trim()).join("; ");
    if (cookie === "" && status >= 500) throw new ProviderFailure("down", `status ${status}`);
    if (cookie === "") throw new ProviderFailure("blocked", "no cookie");
    const { body } = await crumbs.text("/v1/test/getcrumb", { signal, headers: { cookie } });
    // this error may come with status 200
    if (/too many requests/i.test(body)) throw new ProviderFailure("rate_limited", "too many calls");
    if (!CRUMB.test(body.trim())) throw new ProviderFailure("blocked", "no crumb");
    session = { at: now(), cookie, crumb: body.trim() };
    return session;
  }

  return async (
    path: string,
    { query, signal }: Pick<HttpRequest, "query" | "signal">,
  ): Promise<HttpResponse<unknown>> => {
    for (let attempt = 0; attempt < 2; attempt++) {
      const { cookie, crumb } = await getSession(signal);
      const request = { query: { ...query, crumb }, headers: { cookie }, signal, accept: [401, 404] };
      const response = await data.json(path, request);
      if (response.status !== 401) return response;
      session = null;
    }
    throw new ProviderFailure("blocked", "the new crumb was rejected too");
  };
}
