import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createHttpClient, type HttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { BASE_URL, HEADERS } from "./client.ts";

const COOKIE_URL = "https://fc.yahoo.com";
const CRUMB_URL = "https://query1.finance.yahoo.com";
/** Cookies are forgotten after 10 to 20 minutes. */
const MAX_AGE_MS = 9 * 60_000;
/** Statuses at which the page that nobody reads still gives a cookie. */
const COOKIE_STATUSES = [301, 302, 303, 307, 308, 400, 401, 403, 404, 500, 502, 503];
/** Short, of one word: everything else is a page or an apology. */
const CRUMB = /^[^\s<>{}"']{6,32}$/;

export interface CrumbSetup extends ProviderSetup {
  /** Epoch ms. */
  readonly now: () => number;
}

interface CrumbSession {
  readonly at: number;
  readonly cookie: string;
  readonly crumb: string;
}

/** Asks what wants a cookie and a crumb; both are got when they are needed and again when they are no longer taken. */
export function createCrumbClient({ now, ...setup }: CrumbSetup): {
  readonly json: (
    path: string,
    request: {
      readonly query: Readonly<Record<string, string>>;
      readonly signal: AbortSignal;
      readonly accept: readonly number[];
    },
  ) => Promise<{ readonly status: number; readonly body: unknown }>;
} {
  const at = (baseUrl: string): HttpClient =>
    createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? baseUrl, headers: HEADERS });
  const [cookies, crumbs, data] = [at(COOKIE_URL), at(CRUMB_URL), at(BASE_URL)];
  let pass: CrumbSession | null = null;

  async function getPass(signal: AbortSignal): Promise<CrumbSession> {
    if (pass !== null && now() - pass.at < MAX_AGE_MS && now() >= pass.at) return pass;
    const told: string[] = [];
    const onHead = (head: Headers) => void told.push(...head.getSetCookie());
    const { status } = await cookies.text("/", { signal, accept: COOKIE_STATUSES, onHead });
    const cookie = told.map((one) => one.split(";", 1)[0]!.trim()).join("; ");
    if (cookie === "" && status >= 500) throw new ProviderFailure("down", `status ${status}`);
    if (cookie === "") throw new ProviderFailure("blocked", "no cookie was given");
    const { body } = await crumbs
      .text("/v1/test/getcrumb", { signal, headers: { cookie } })
      .catch(rethrowAuthAsBlocked);
    // its refusal may stand where a crumb should, at status 200
    if (/too many requests/i.test(body))
      throw new ProviderFailure("rate_limited", "it answers no more for now");
    if (!CRUMB.test(body.trim())) throw new ProviderFailure("blocked", "no crumb was given");
    pass = { at: now(), cookie, crumb: body.trim() };
    return pass;
  }

  return {
    async json(path, { query, signal, accept }) {
      const ask = async () => {
        const { cookie, crumb } = await getPass(signal);
        const request = { query: { ...query, crumb }, headers: { cookie }, signal };
        return await data.json(path, { ...request, accept: [...accept, 401] });
      };
      const first = await ask();
      if (first.status !== 401) return first;
      pass = null;
      const second = await ask();
      if (second.status !== 401) return second;
      pass = null;
      throw new ProviderFailure("blocked", "it takes none of its own crumbs");
    },
  };
}

/** It wants no key of ours, so a refusal is a wall. */
export function rethrowAuthAsBlocked(cause: unknown): never {
  if (cause instanceof ProviderFailure && cause.kind === "auth")
    throw new ProviderFailure("blocked", "it refuses us", { cause });
  throw cause;
}
