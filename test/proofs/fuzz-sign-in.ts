import fc from "fast-check";
import { ISSUER_CALLBACK } from "../../src/access/sign-in/paths.ts";
import { OAUTH_ENDPOINTS, SERVED_ENDPOINTS } from "../../src/access/sign-in/sign-in.ts";
import { CALLBACK, encoded, PASSWORD, text } from "../support/sign-in-client.ts";
import { nastyJson, nastyText, nastyValue } from "./from-schema.ts";
import { bytesOf, type FuzzRequest, oddHeaders, percent, type Reply } from "./fuzz-request.ts";
import { sizedRequest, usually } from "./rpc.ts";

/** Right values of the fields of endpoints that read any; none of them signs in. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "POST /auth/sign-in/email": { email: "owner@market-signal.invalid", password: PASSWORD, rememberMe: true },
  "POST /auth/passkey/verify-registration": {
    response: { id: "x", rawId: "x", type: "public-key" },
    name: "x",
  },
  "POST /auth/passkey/verify-authentication": { response: { id: "x", rawId: "x", type: "public-key" } },
  "GET /auth/oauth2/authorize": {
    response_type: "code",
    client_id: "CLIENT",
    redirect_uri: CALLBACK,
    scope: "read",
    state: "s",
    resource: "RESOURCE",
    code_challenge: "x".repeat(43),
    code_challenge_method: "S256",
    prompt: "consent",
  },
  "POST /auth/oauth2/consent": {
    accept: true,
    oauth_query: `client_id=x&exp=1&sig=${text()}`,
    scope: "read",
  },
  "POST /auth/oauth2/token": {
    grant_type: "authorization_code",
    client_id: "CLIENT",
    code: text(),
    redirect_uri: CALLBACK,
    code_verifier: "v".repeat(64),
    resource: "RESOURCE",
    refresh_token: `ms_rt_${text()}`,
  },
  "POST /auth/oauth2/revoke": {
    client_id: "CLIENT",
    token: `ms_at_${text()}`,
    token_type_hint: "access_token",
  },
  "POST /auth/oauth2/register": {
    redirect_uris: [CALLBACK],
    client_name: "An app",
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code"],
    scope: "read",
  },
  "POST /api/v1/sign-in/password": { password: "a password of the fuzz" },
  "POST /api/v1/sign-in/remove-passkey": { id: "x" },
  "POST /api/v1/sign-in/disconnect": { client_id: "CLIENT" },
  "POST /api/v1/sign-in/app-limits": { client_id: "CLIENT", calls_daily: 5, live_usd_daily: "0" },
  "POST /api/v1/sign-in/end-session": { id: "x" },
  "POST /api/v1/sign-in/recovery": { name: "nobody", code: "0000-0000-0000-0000" },
  "POST /api/v1/sign-in/recovery-codes": {},
  "POST /api/v1/sign-in/invite": { account: "invited-by-fuzz", role: "member", plan: "pro" },
  "POST /api/v1/sign-in/role": { account: "invited-by-fuzz", role: "viewer" },
  "POST /api/v1/sign-in/reset": { account: "invited-by-fuzz" },
  "POST /api/v1/sign-in/suspend": { account: "invited-by-fuzz" },
  "POST /api/v1/sign-in/resume": { account: "invited-by-fuzz" },
  "POST /sign-in/issuer": { next: "/account", oauth_query: `client_id=x&exp=1&sig=${text()}` },
  "POST /api/v1/sign-in/connect-identity": {},
  "POST /api/v1/sign-in/disconnect-identity": {},
  "GET /sign-in/issuer": { error: "signup_disabled" },
  "POST /confirm/REQUEST": { decision: "confirm", api_key: "x", api_secret: "y" },
  "GET /consent": { client_id: "CLIENT", redirect_uri: CALLBACK, scope: "read" },
  "GET /sign-in": { client_id: "CLIENT", error: "access_denied" },
};
/** Where the external issuer sends a browser back, with right values of the fields that it may have; none signs in. */
const CALLBACK_ENDPOINT = `GET /auth${ISSUER_CALLBACK}`;
const CALLBACK_FIELDS = { code: text(), state: "STATE", iss: "ISSUER", error: "access_denied" };
/** Pages and documents that take no field. */
const PAGES = [
  "GET /account",
  "GET /people",
  "GET /sign-in/recovery",
  "GET /confirm",
  "GET /confirm/REQUEST",
  "POST /sign-out",
  "GET /open/x",
  "POST /open/x",
  "GET /invited/x",
  "GET /.well-known/oauth-protected-resource",
  "GET /.well-known/oauth-authorization-server/auth",
] as const;
const FORMS: ReadonlySet<string> = new Set([
  "POST /auth/oauth2/token",
  "POST /auth/oauth2/revoke",
  "POST /confirm/REQUEST",
]);
const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

/** What requests of sign-in are made of. */
interface SignInFacts {
  /** Cookie headers of sessions. */
  readonly cookies: readonly string[];
  /** Id of an app. */
  readonly client: string;
  /** Id of a request that waits for confirmation. */
  readonly request: string;
  readonly issuer: string;
  /** Sign-ins by the issuer that were begun. */
  readonly begun: readonly { readonly state: string; readonly cookie: string }[];
  readonly url: string;
}

/** Requests to every endpoint, form and page of sign-in. None of them may sign in or fail. */
export function signInRequests({
  cookies,
  client,
  request,
  issuer,
  begun,
  url,
}: SignInFacts): fc.Arbitrary<FuzzRequest> {
  const served = [...SERVED_ENDPOINTS, ...OAUTH_ENDPOINTS].map((one) => one.replace(" ", " /auth"));
  const endpoints = [...new Set([...served, ...Object.keys(FIELDS), ...PAGES])];
  const right = { CLIENT: client, REQUEST: request, ISSUER: issuer, RESOURCE: `${url}/api/mcp` };
  const sentBack = begun.map(({ state: STATE, cookie }) =>
    requestTo(CALLBACK_ENDPOINT, { right: { ...right, STATE }, cookies: [cookie], url }),
  );
  return fc.oneof(
    ...endpoints.map((endpoint) => requestTo(endpoint, { right, cookies, url })),
    fc.oneof(...sentBack),
  );
}

function requestTo(
  endpoint: string,
  {
    right,
    cookies,
    url,
  }: Pick<SignInFacts, "cookies" | "url"> & { readonly right: Readonly<Record<string, string>> },
): fc.Arbitrary<FuzzRequest> {
  const [verb, path] = endpoint.replace("REQUEST", right.REQUEST!).split(" ") as [string, string];
  const known = endpoint === CALLBACK_ENDPOINT ? CALLBACK_FIELDS : FIELDS[endpoint];
  const fields = Object.fromEntries(
    Object.entries(known ?? {}).map(([name, value]) => [
      name,
      usually<unknown>(right[String(value)] ?? value, nastyValue(), 8),
    ]),
  );
  const isForm = FORMS.has(endpoint);
  return fc
    .record({
      fields: fc.record(fields, { requiredKeys: [] }),
      more: usually<readonly [string, unknown] | null>(null, fc.tuple(nastyText(), nastyValue()), 10),
      other: usually<string | null>(null, nastyJson(), 12),
      method: usually(verb, fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"), 12),
      type: usually(
        isForm ? FORM_TYPE : JSON_TYPE,
        fc.constantFrom(JSON_TYPE, FORM_TYPE, "text/plain", ""),
        10,
      ),
      tail: usually("", nastyText().map(percent), 20),
      // a page that signs out gets no session, so that the others last
      cookie: path === "/sign-out" ? oddCookies(cookies) : cookieHeaders(cookies),
      origin: usually<Record<string, string>>({ origin: url }, fc.constantFrom({}, { origin: "null" }), 6),
      odd: oddHeaders(),
      network: fc.integer({ min: 1, max: 2 ** 24 - 2 }),
    })
    .chain(({ fields: given, more, other, method, type, tail, cookie, origin, odd, network }) => {
      const named = Object.entries(given);
      const all = Object.fromEntries(more === null ? named : [...named, more]);
      const asText = () =>
        encoded(
          Object.fromEntries(Object.entries(all).map(([name, value]) => [name, wellFormed(textOf(value))])),
        );
      const inQuery = method === "GET" || method === "HEAD";
      const content = other ?? (inQuery ? "" : type === FORM_TYPE ? asText() : JSON.stringify(all));
      const query = inQuery && other === null ? asText() : "";
      const sent = `${path}${tail.slice(0, 4_000)}${query === "" ? "" : `?${query.slice(0, 3_000)}`}`;
      // each request of another network, because networks have limits; links are refused behind a proxy
      const from = /^\/open/.test(path)
        ? {}
        : { "x-forwarded-for": `10.${network >> 16}.${(network >> 8) & 255}.${network & 255}` };
      return bytesOf(fc.constant(content)).map((bytes) =>
        sizedRequest({
          transport: "sign-in",
          method,
          path: sent,
          bytes,
          type,
          headers: { ...odd, ...cookie, ...origin, ...from },
          judge,
        }),
      );
    });
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");
const wellFormed = (value: string): string =>
  decodeURIComponent(percent(value).replaceAll(/%ED%A0%80%FF/g, "x"));

/** Cookies: of a session, none, and malformed ones. */
const cookieHeaders = (cookies: readonly string[]): fc.Arbitrary<Readonly<Record<string, string>>> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...cookies).map((cookie) => ({ cookie })) },
    { weight: 2, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: oddCookies(cookies) },
  );

/** Cookies of a session that were changed, doubled or are too long. */
const oddCookies = (cookies: readonly string[]): fc.Arbitrary<Readonly<Record<string, string>>> =>
  fc.tuple(fc.constantFrom(...cookies), fc.nat({ max: 10 })).map(([cookie, kind]) => {
    const [name = "", value = ""] = cookie.split("=");
    const values = [
      "",
      "%",
      "%zz.%00",
      value.slice(0, -3),
      `${value}x`,
      value.toUpperCase(),
      `.${value}`,
      "a".repeat(6_000),
      "%ff.%fe",
      `"${value}`,
      "undefined.null",
    ];
    const odd = `${name}=${values[kind]}`;
    return { cookie: kind % 3 === 0 ? `${odd}; ${odd}; ${name}` : odd };
  });

/** Checks that an answer is neither a failure of the server nor a sign-in. */
function judge({ status, type, text: body, cookies }: Reply): string | null {
  if (status >= 500) return `${status}`;
  if (cookies.some((cookie) => /^market_signal_session=[^;]/.test(cookie))) return "a session";
  if (/"(access|refresh)_token"\s*:/.test(body)) return "a token";
  if (status >= 400 && body !== "" && !/json$|html$/.test(type)) return `${status} as ${type}`;
  return null;
}
