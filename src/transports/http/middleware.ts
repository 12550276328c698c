import type { Context, Hono, MiddlewareHandler } from "hono";
import { networkOf } from "../../access/callers.ts";
import { isAppToken, OAUTH_OFF_HINT } from "../../access/sign-in/paths.ts";
import type { Principal } from "../../domain/accounts/access.ts";
import { OFFERED_SCOPES } from "../../domain/accounts/people.ts";
import { ToolError } from "../../kernel/errors.ts";
import { createBoundedCache } from "../../lib/bounded-cache.ts";
import { continueAs, mustWait, yieldToEventLoop } from "../../lib/event-loop.ts";
import { addressOf } from "./address.ts";
import { bearerOf } from "./bearer.ts";
import { browserCaller } from "./browser-caller.ts";
import { oauthChallenge, oauthOffHint } from "./challenge.ts";
import { compressResponses } from "./compression.ts";
import { notModifiedResponses } from "./conditional.ts";
import { createCrossOrigin, isCrossOriginPath } from "./cors.ts";
import {
  endpointsOf,
  MESSAGE_PATHS,
  nearestPathOf,
  pathOf,
  queryFields,
  STREAM_TOKEN_PARAMETER,
} from "./paths.ts";
import { problem } from "./problem.ts";
import { createRequestAdmission } from "./request-admission.ts";
import type { HttpEnv, HttpServerDeps, HttpSettings } from "./server-deps.ts";
import { unknownHost } from "./unknown-host.ts";

/** Headers of every response. A literal without spread: it is created for each request. */
const defaultHeaders = (
  requestId: string,
  clientRequestId: string,
  vary: string,
): Record<string, string> => ({
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  Vary: vary,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Request-Id": requestId,
  "X-Request-Id": clientRequestId,
});

/** Headers of the public demo, which pages of any origin may read. Browsers send no credentials to it. */
const PUBLIC_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Market-Data, Retry-After, X-Request-Id",
  "Cross-Origin-Resource-Policy": "cross-origin",
} as const;
const PREFLIGHT_HEADERS = {
  "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
  "Access-Control-Allow-Headers": "Accept, Content-Type, X-Request-Id",
  "Access-Control-Max-Age": "86400",
} as const;

/**
 * Probe paths that accept any Host header: orchestrators call them by IP address, and their responses contain no data.
 */
const ANY_HOST: ReadonlySet<string> = new Set(["/livez", "/readyz"]);
/** Number of callers whose account is known before their key is checked again. */
const MAX_KNOWN_CALLERS = 10_000;

/**
 * Installs the middleware of all transports: compression, 304 responses, request id, caller identity, host and origin
 * checks, CORS, problem responses.
 */
export function applyMiddleware(app: Hono<HttpEnv>, server: HttpServerDeps): Hono<HttpEnv> {
  app.use("*", compressResponses);
  app.use("*", notModifiedResponses);
  app.use("*", requestMiddleware(server));
  const { tools, unavailable } = server.registry;
  const nearestPath = nearestPathOf(endpointsOf([...tools, ...unavailable]).map(({ path }) => path));
  app.notFound((c) => {
    const path = pathOf(c.req.url).slice(0, 200);
    const nearest = nearestPath(path);
    return problem(
      c,
      new ToolError("NOT_FOUND", `No route ${c.req.method} ${path}`, {
        hint:
          oauthOffHint(path, server) ??
          `${nearest === null ? "" : `Did you mean ${nearest}? `}/openapi.json lists every route.`,
      }),
    );
  });
  app.onError((thrown, c) => {
    if (!(thrown instanceof ToolError))
      server.ports.log.error("request failed", { request_id: c.get("requestId"), cause: thrown });
    return problem(c, thrown);
  });
  return app;
}

/**
 * Assigns the request id and the client address, counts the request once, and rejects unknown hosts; under /api it also
 * rejects foreign origins, except for the public demo, and invalid keys. Preflight requests of allowed origins are
 * answered without a key. All checks run before the body is read.
 * While the event loop is busy, accounts take turns, and callers without a known key by their network; probes do not
 * wait. Adds the default headers that a response does not set itself.
 */
function requestMiddleware({
  ports,
  settings,
  identify,
  registry,
  streamTokens,
  browserSessions,
  identifyApp,
  signIn,
}: HttpServerDeps): MiddlewareHandler<HttpEnv> {
  const isAllowedHost = hostMatcher(settings);
  const tokenIssuer = signIn?.tokenIssuer ?? null;
  const allowsApps = signIn?.hasOAuth === true || tokenIssuer !== null;
  const challenge = allowsApps ? oauthChallenge({ settings, signIn }, OFFERED_SCOPES) : null;
  const warnOfProxy = proxyWarning(ports);
  const crossOrigin = createCrossOrigin(settings.corsOrigins ?? []);
  const isStream = streamPathMatcher(registry);
  const isPublic = publicPathMatcher(registry);
  const admission = createRequestAdmission({ registry, ports });
  // by the Authorization header of accepted requests, so that invented keys get no turn of their own
  const accounts = createBoundedCache<string, string>({ name: "known callers", max: MAX_KNOWN_CALLERS });
  const ownerOf = (c: Context<HttpEnv>, authorization: string | undefined): string =>
    accounts.get(authorization ?? "") ?? `network ${networkOf(c.get("address"))}`;

  /** Resolves the caller of a request under /api. */
  async function identifyCaller(c: Context<HttpEnv>): Promise<void> {
    const { path } = c.req;
    // only browsers send an Origin header
    const origin = c.req.header("origin");
    if (
      origin !== undefined &&
      !isPublic(path) &&
      !crossOrigin.allows(origin) &&
      !isAllowedHost(/^https?:\/\/([^/?#]*)$/i.exec(origin)?.[1] ?? "")
    )
      throw new ToolError("FORBIDDEN", "Requests from pages of this origin are not allowed", {
        hint: "Call from a server, or add the page's origin to CORS_ORIGINS if it is yours.",
      });
    const authorization = c.req.header("authorization");
    const resolvePrincipal = await principalResolver(c, authorization);
    const principal = await resolvePrincipal();
    c.set("resolvePrincipal", resolvePrincipal);
    c.set("principal", principal);
    if (authorization !== undefined) accounts.set(authorization, principal.account);
  }

  /** Returns a function that resolves the caller: of the key, or without one of the token of a stream or a browser's session. */
  async function principalResolver(c: Context<HttpEnv>, authorization: string | undefined) {
    if (authorization === undefined && streamTokens !== undefined && isStream(c.req.path)) {
      const [token, ...others] = queryFields(c.req.url).get(STREAM_TOKEN_PARAMETER) ?? [];
      if (token !== undefined) return streamTokens.open(others.length === 0 ? token : "");
    }
    const browser = authorization === undefined ? browserCaller(c, browserSessions) : null;
    if (browser !== null) return browser;
    const [bearer, address] = [bearerOf(authorization), c.get("address")];
    if (identifyApp !== undefined && bearer !== null && isAppToken(bearer, tokenIssuer)) {
      if (!allowsApps)
        throw new ToolError("UNAUTHENTICATED", "Apps cannot sign in to this server", {
          hint: OAUTH_OFF_HINT,
        });
      if (isMcpPath(c.req.path)) return () => identifyApp(bearer, address);
      throw new ToolError(
        "UNAUTHENTICATED",
        `The access token of an app is accepted at ${MESSAGE_PATHS.mcp} only`,
        {
          hint: "Send an API key.",
        },
      );
    }
    return () => identify(bearer, address);
  }

  async function admit(c: Context<HttpEnv>, isCounted: boolean): Promise<void> {
    const { path } = c.req;
    if (!path.startsWith("/api/") && path !== "/api") return;
    await identifyCaller(c).catch(admission.countRefused(c, isCounted));
    if (!isCounted) await admission.countByAccount(c);
  }

  return async (c, next) => {
    const requestId = ports.ids.uuid();
    const given = c.req.header("x-request-id");
    const isUsable = given !== undefined && /^[\w.-]{1,128}$/.test(given);
    const isCrossOrigin = isCrossOriginPath(c.req.path) && crossOrigin.allows(c.req.header("origin"));
    // CORS adds Origin itself to the responses to which it applies
    const vary = crossOrigin.varies && !isCrossOrigin ? "Accept-Encoding, Origin" : "Accept-Encoding";
    const headers = defaultHeaders(requestId, isUsable ? given : requestId, vary);
    c.set("headers", headers);
    if (isPublic(c.req.path))
      Object.assign(headers, PUBLIC_HEADERS, c.req.method === "OPTIONS" ? PREFLIGHT_HEADERS : {});
    c.set("requestId", requestId);
    if (challenge !== null && isMcpPath(c.req.path)) c.set("challenge", challenge);
    const forwarded = c.req.header("x-forwarded-for");
    if (forwarded !== undefined && !settings.trustProxy) warnOfProxy();
    c.set("address", addressOf(c.env?.incoming?.socket.remoteAddress, forwarded, settings));
    const owner = ownerOf(c, c.req.header("authorization"));
    const turn = ANY_HOST.has(c.req.path)
      ? undefined
      : mustWait(owner)
        ? yieldToEventLoop(owner)
        : continueAs(owner);
    if (turn !== undefined) await turn;
    let isCounted = false;
    const handle = async () => {
      await admit(c, isCounted);
      await next();
      await admission.countLate(c);
    };
    let preflight: Response | undefined;
    try {
      if (!isAllowedHost(hostOf(c)) && !ANY_HOST.has(c.req.path))
        await admission.countRefused(c, false)(unknownHost(hostOf(c)));
      isCounted = await admission.countByNetwork(c);
      if (isCrossOrigin) preflight = (await crossOrigin.respond(c, handle)) ?? undefined;
      else await handle();
    } catch (refusal) {
      for (const [name, value] of Object.entries(headers)) c.header(name, value);
      throw refusal;
    }
    if (c.get("headed")) return;
    addHeaders((preflight ?? c.res).headers, headers);
    return preflight;
  };
}

/** Adds the default headers that a response does not set itself. */
function addHeaders(target: Headers, defaults: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(defaults))
    if (name === "Vary") target.set(name, joinedVary(target.get(name), value));
    else if (!target.has(name)) target.set(name, value);
}

/** Joins the header names of Vary headers, each once. */
export function joinedVary(...headers: readonly (string | null | undefined)[]): string {
  const names = headers.flatMap((header) => header?.split(",") ?? []).map((name) => name.trim());
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].join(", ");
}

/** Returns a predicate that is true for the paths of streams. */
function streamPathMatcher({ tools, unavailable }: HttpServerDeps["registry"]): (path: string) => boolean {
  const routes = [...tools, ...unavailable].flatMap(({ http }) => http?.stream?.route ?? []);
  const paths: ReadonlySet<string> = new Set(
    routes.flatMap((route) => [route.split(" ")[1]!, `${route.split(" ")[1]}/`]),
  );
  return (path) => paths.has(path);
}

/** Returns a predicate that is true for the paths of the public demo. */
function publicPathMatcher({ tools, unavailable }: HttpServerDeps["registry"]): (path: string) => boolean {
  const demos = [...tools, ...unavailable].filter(({ role }) => role === "demo");
  const paths: ReadonlySet<string> = new Set(endpointsOf(demos).flatMap(({ path }) => [path, `${path}/`]));
  return (path) => paths.has(path);
}

const isMcpPath = (path: string): boolean => path === MESSAGE_PATHS.mcp || path === `${MESSAGE_PATHS.mcp}/`;
const hostOf = ({ req }: Context<HttpEnv>): string => req.header("host") ?? new URL(req.url).host;

/** Returns a function that warns once of a proxy whose callers share its address, because TRUST_PROXY is not set. */
function proxyWarning({ log }: Pick<HttpServerDeps["ports"], "log">): () => void {
  let isWarned = false;
  return () => {
    if (isWarned) return;
    isWarned = true;
    log.warn("proxy_not_trusted", {
      message:
        "A request has X-Forwarded-For, and TRUST_PROXY is not set: callers behind a proxy share its address for limits. Set TRUST_PROXY=1 if the proxy is yours",
    });
  };
}

/**
 * Returns a function that resolves the principal of a request again. It rejects with UNAUTHENTICATED if the key is now
 * invalid or belongs to another account.
 */
export function principalRefresher(c: Context<HttpEnv>) {
  const { account } = c.get("principal");
  const resolvePrincipal = c.get("resolvePrincipal");
  return async (): Promise<Principal> => {
    const principal = await resolvePrincipal();
    if (principal.account !== account)
      throw new ToolError("UNAUTHENTICATED", "The key now belongs to another account");
    return principal;
  };
}

/** Returns a predicate that is true for the allowed hosts, with or without a port. */
function hostMatcher({ allowedHosts }: HttpSettings): (host: string) => boolean {
  const bare = (text: string) => text.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  const allowed: ReadonlySet<string> = new Set(allowedHosts.map(bare));
  return (host) => {
    const [, name] = /^(\[[0-9a-f:.]+\]|[^:[\]/@\s]+)(?::\d{1,5})?$/i.exec(host) ?? [];
    return name !== undefined && allowed.has(bare(name));
  };
}
