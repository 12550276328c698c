import { empty, json, type Reply, type VendorRequest } from "./vendor.ts";

const COOKIE = "A3=d=replay";
/** Cookie of a visitor who has not agreed yet. */
const VISITOR = "GUCS=replay";
const CRUMB = "rEpLaY/crUmb";
const SESSION = "3_cc-session_replay";
const TOKEN = "GoNr=0&";
const DONE = "https://finance.yahoo.com/quote/AAPL?guccounter=1";
const unauthorised = json(
  { finance: { result: null, error: { code: "Unauthorized", description: "Invalid Crumb" } } },
  401,
);

/** Error response to a request without the cookie and its crumb; null for a request with both. */
export const withoutCrumb = ({ query, headers }: VendorRequest): Reply | null =>
  query.get("crumb") === CRUMB && hasCookie(headers, COOKIE) ? null : unauthorised;

/**
 * Yahoo's cookie and crumb; null for any other path. The crumb is plain text, and refused to a request that accepts only
 * other types. With `consent`, visitors without the cookie are redirected to a form and get the cookie after it.
 */
export function yahooCrumb(request: VendorRequest, { consent }: { readonly consent: boolean }): Reply | null {
  const { path, headers } = request;
  if (path === "/v1/test/getcrumb") {
    if (!/\*\/\*|\btext\/(\*|plain)/.test(headers.get("accept") ?? "*/*"))
      return { status: 406, headers: { "content-type": "text/plain" }, body: "" };
    if (!hasCookie(headers, COOKIE)) return unauthorised;
    return { status: 200, headers: { "content-type": "text/plain;charset=utf-8" }, body: CRUMB };
  }
  if (path === "/" && !consent) return { ...empty(404), headers: setting(COOKIE, ".yahoo.com") };
  if (!consent) return null;
  if (path === "/")
    return moved(
      307,
      "https://guce.yahoo.com/consent?brandType=nonEu&gcrumb=x",
      setting(VISITOR, ".yahoo.com"),
    );
  const form = `https://consent.yahoo.com/v2/collectConsent?sessionId=${SESSION}`;
  if (path === "/consent") return hasCookie(headers, VISITOR) ? moved(302, form) : empty(400);
  if (path === "/v2/collectConsent") return collectConsent(request);
  if (path !== "/copyConsent") return null;
  return moved(302, DONE, setting(COOKIE, ".yahoo.com"));
}

/** The consent form; with `agree`, the redirect after it. */
function collectConsent({ sent, query }: VendorRequest): Reply {
  if (query.get("sessionId") !== SESSION) return empty(400);
  if (sent === undefined)
    return {
      status: 200,
      headers: { "content-type": "text/html; charset=utf-8" },
      body: `<!DOCTYPE html><html><form method="post">
        <input type="hidden" name="csrfToken" value="GoNr=0&amp;">
        <input type="hidden" name="sessionId" value="${SESSION}">
        <input type="hidden" name="originalDoneUrl" value="${DONE.replace("=", "&#x3D;")}">
        <input type="hidden" name="namespace" value="yahoo">
        <button name="agree" value="agree">Accept all</button></form></html>`,
    };
  const { csrfToken, sessionId, originalDoneUrl, agree } = sent as Readonly<Record<string, string>>;
  const isValid = csrfToken === TOKEN && sessionId === SESSION && originalDoneUrl === DONE;
  if (!isValid || agree !== "agree") return empty(400);
  const cookie = setting("CFC=replay", "consent.yahoo.com");
  return moved(302, `https://guce.yahoo.com/copyConsent?sessionId=${SESSION}&lang=en-GB`, cookie);
}

const hasCookie = (headers: Headers, cookie: string): boolean =>
  (headers.get("cookie") ?? "").split("; ").includes(cookie);
const setting = (cookie: string, domain: string) => ({
  "set-cookie": `${cookie}; Max-Age=1800; Domain=${domain}; Path=/; Secure`,
});
const moved = (status: number, location: string, headers: Readonly<Record<string, string>> = {}): Reply =>
  empty(status, { ...headers, location });
