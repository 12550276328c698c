import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { createHttpClient, isWithinDomain, type ProviderSetup } from "../shared/http-client.ts";
import { decodeEntities } from "../shared/xml.ts";

const DOMAIN = "yahoo.com";
const COOKIE_URL = "https://fc.yahoo.com/";
/** Hosts of the consent pages, to which visitors from the European Union are redirected first. */
const CONSENT_HOSTS: ReadonlySet<string> = new Set([`guce.${DOMAIN}`, `consent.${DOMAIN}`]);
/** Maximum number of requests; a consent takes five. */
const MAX_REQUESTS = 8;
const REDIRECTS = [301, 302, 303, 307, 308];
/** HTTP statuses other than 200 with which the cookie page still sets a cookie. */
const COOKIE_STATUSES = [...REDIRECTS, 400, 401, 403, 404, 500, 502, 503];
/** Hidden fields of the consent form that are sent back. */
const FORM_FIELDS = ["csrfToken", "sessionId", "originalDoneUrl", "namespace"] as const;

/** Cookies of Yahoo's hosts. */
export interface Cookies {
  /** Returns the Cookie header for a host; empty without cookies. */
  headerFor(host: string): string;
}

/**
 * Visits the page that sets Yahoo's cookies, and agrees to the consent form if it redirects there. Redirects are followed
 * on https hosts of yahoo.com only. @throws ProviderFailure "blocked" without a cookie, or for any other redirect
 */
export async function fetchCookies(
  setup: ProviderSetup,
  { userAgent, signal }: { readonly userAgent: string; readonly signal: AbortSignal },
): Promise<Cookies> {
  const jar = createJar();
  let url = new URL(COOKIE_URL);
  let form: URLSearchParams | undefined;
  for (let count = 0; count < MAX_REQUESTS; count++) {
    const inConsent = CONSENT_HOSTS.has(url.host);
    const client = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? url.origin, keyless: true });
    const cookie = jar.headerFor(url.host);
    let location: string | null = null;
    const { status, body } = await client.text(url.pathname + url.search, {
      signal,
      accept: inConsent ? REDIRECTS : COOKIE_STATUSES,
      headers: { "user-agent": userAgent, accept: "text/html,*/*", ...(cookie !== "" && { cookie }) },
      onHead(headers) {
        for (const line of headers.getSetCookie()) jar.add(line);
        location = headers.get("location");
      },
      ...(form && { formBody: form }),
    });
    const isAnswered = form !== undefined;
    form = undefined;
    const next = REDIRECTS.includes(status) ? targetOf(location, url) : null;
    if (next !== null && CONSENT_HOSTS.has(next.host)) url = next;
    // after the consent, the last redirect leads back to the first page
    else if (!inConsent || next !== null) return jar.orThrow(status);
    else if (isAnswered) throw new ProviderFailure("blocked", "the consent was not accepted");
    else form = consentForm(body);
  }
  throw new ProviderFailure("blocked", "too many redirects");
}

function targetOf(location: string | null, from: URL): URL {
  const target = location !== null && URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (target === null || !isWithinDomain(target, DOMAIN))
    throw new ProviderFailure("blocked", "a redirect to another domain");
  return target;
}

/** Returns the consent form, agreed to. @throws ProviderFailure "blocked" for a page without one */
function consentForm(page: string): URLSearchParams {
  const fields = new Map<string, string>();
  for (const [input] of page.matchAll(/<input\b[^>]{0,2000}>/gi)) {
    const [, name] = /\bname="([^"]{1,40})"/i.exec(input) ?? [];
    const [, value] = /\bvalue="([^"]{0,1500})"/i.exec(input) ?? [];
    if (name !== undefined && value !== undefined) fields.set(name, decodeEntities(value));
  }
  const form = new URLSearchParams();
  for (const name of FORM_FIELDS) {
    const value = fields.get(name);
    if (value !== undefined) form.set(name, value);
  }
  if (!form.has("csrfToken") || !form.has("sessionId"))
    throw new ProviderFailure("blocked", "a consent page without a form");
  form.append("agree", "agree");
  return form;
}

function createJar() {
  const cookies = new Map<string, { readonly value: string; readonly domain: string }>();
  const headerFor = (host: string): string =>
    [...cookies]
      .filter(([, { domain }]) => host === domain || host.endsWith(`.${domain}`))
      .map(([name, { value }]) => `${name}=${value}`)
      .join("; ");
  const jar: Cookies = { headerFor };
  return {
    headerFor,
    /** Adds the cookie of a Set-Cookie header. Without a domain it is sent to all hosts, as all of them are Yahoo's. */
    add(line: string): void {
      const [pair = "", ...attributes] = line.split(";");
      const at = pair.indexOf("=");
      const [, domain = DOMAIN] =
        attributes.map((text) => /^\s*domain=\.?(\S+)/i.exec(text)).find(Boolean) ?? [];
      if (at > 0) cookies.set(pair.slice(0, at).trim(), { value: pair.slice(at + 1).trim(), domain });
    },
    orThrow(status: number): Cookies {
      if (cookies.size > 0) return jar;
      if (status >= 500) throw new ProviderFailure("down", `status ${status}`);
      throw new ProviderFailure("blocked", "no cookie");
    },
  };
}
