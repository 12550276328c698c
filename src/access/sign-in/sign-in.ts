import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Person } from "../../domain/accounts/people.ts";
import type { People } from "../../domain/accounts/people-port.ts";
import type { Clock, Log } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { BetterAuthSettings } from "./better-auth.ts";
import { AUTH_PATH, OFFLINE_SCOPE, PASSWORD_ENDPOINT, PEER_HEADER, SIGN_IN_PATH } from "./paths.ts";

/** Minimum length of a password. */
export const MIN_PASSWORD = 12;
const MAX_PASSWORD = 128;

/** Endpoints of better-auth that are served; all others are not. */
export const SERVED_ENDPOINTS: ReadonlySet<string> = new Set([
  "POST /sign-in/email",
  "GET /passkey/generate-register-options",
  "POST /passkey/verify-registration",
  "GET /passkey/generate-authenticate-options",
  "POST /passkey/verify-authentication",
]);
/** Endpoints served while apps may ask for access. */
export const OAUTH_ENDPOINTS: ReadonlySet<string> = new Set([
  "GET /oauth2/authorize",
  "POST /oauth2/consent",
  "POST /oauth2/token",
  "POST /oauth2/revoke",
  "POST /oauth2/register",
]);

/** The password and passkeys of a person. */
export interface SignInMethods {
  readonly password: boolean;
  readonly passkeys: readonly {
    readonly id: string;
    readonly name: string | null;
    readonly created_at: string;
  }[];
}

/** Name and address of an app as it states them; not verified. */
export interface AppMetadata {
  readonly name: string | null;
  readonly uri: string | null;
}

/** Sign-in of people by password and passkey, and OAuth for their apps. */
export interface SignIn {
  readonly hasOAuth: boolean;
  /** Answers a request under the path of sign-in or to a document of OAuth. `address`: network address of the caller. */
  handle(request: Request, address: string): Promise<Response>;
  methods(person: Person): Promise<SignInMethods>;
  /** Sets the password of a person. Rejects with INVALID_INPUT for one that is too short or too long. */
  setPassword(person: Person, password: string): Promise<void>;
  removePasskey(person: Person, id: string): Promise<void>;
  app(clientId: string): Promise<AppMetadata | null>;
}

type Settings = Omit<BetterAuthSettings, "log" | "secret"> & {
  readonly log: Log;
  readonly secret: () => string;
  readonly people: Pick<People, "sweep">;
  readonly clock: Clock;
};

/** Failed passwords after which a person must wait, and for how long, in seconds. */
const LOCK_OUT = { points: 10, duration: 900, blockDuration: 900 } as const;
const SWEEP_MS = 24 * 3_600_000;
/** Time after which an app that nobody allowed is forgotten. */
const UNUSED_APP_MS = 7 * SWEEP_MS;

/** Creates sign-in. better-auth is loaded at the first use, because loading takes a third of a second. */
export function createSignIn({ log, secret, people, clock, ...settings }: Settings): SignIn {
  const failures = new RateLimiterMemory(LOCK_OUT);
  let opening: Promise<Awaited<ReturnType<typeof open>>> | undefined;
  const open = async () => {
    const { openBetterAuth } = await import("./better-auth.ts");
    const auth = openBetterAuth({
      ...settings,
      secret: secret(),
      log: (level, message) => log[level]("sign_in", { message }),
    });
    sweep();
    setInterval(sweep, SWEEP_MS).unref();
    return { auth, context: await auth.$context };
  };
  const sweep = () => {
    const now = clock.now().getTime();
    const [at, unusedSince] = [now, now - UNUSED_APP_MS].map((time) => new Date(time).toISOString());
    people.sweep(at!, unusedSince!).catch((cause: unknown) => log.warn("sign_in_sweep", { cause }));
  };
  const library = () => {
    opening ??= open();
    return opening;
  };
  const { hasOAuth, publicUrl } = settings;
  const isServed = (method: string, path: string) => {
    const endpoint = `${method} ${path}`;
    return SERVED_ENDPOINTS.has(endpoint) || (hasOAuth && OAUTH_ENDPOINTS.has(endpoint));
  };

  /**
   * Answers a sign-in by password. Rejects with INVALID_INPUT for a body other than JSON, and with RATE_LIMITED after too
   * many wrong passwords of one name, from any address. Every attempt counts until it has succeeded, so that attempts at
   * the same time count too.
   */
  async function signInByPassword(
    request: Request,
    respond: (request: Request) => Promise<Response>,
  ): Promise<Response> {
    const name = emailIn(await request.clone().text());
    if (name === null || !/^application\/json\b/i.test(request.headers.get("content-type") ?? ""))
      throw new ToolError("INVALID_INPUT", "A sign-in is JSON with the fields email and password");
    await failures.consume(name).catch((known: unknown) => {
      const wait = known instanceof RateLimiterRes ? known.msBeforeNext : LOCK_OUT.duration * 1_000;
      throw new ToolError("RATE_LIMITED", "Too many wrong passwords for this name", {
        hint: "Wait a quarter of an hour, sign in with a passkey, or ask the owner for a new link.",
        data: { retry_after: Math.ceil(wait / 1_000) },
      });
    });
    const response = await respond(request);
    if (response.ok) await failures.delete(name);
    return response;
  }

  return {
    hasOAuth,
    async handle(request, address) {
      const url = new URL(request.url);
      const isDocument = url.pathname.startsWith("/.well-known/");
      const endpoint = url.pathname.slice(AUTH_PATH.length);
      if (isDocument ? !hasOAuth : !isServed(request.method, endpoint))
        throw new ToolError("NOT_FOUND", "There is no such page", { hint: `Sign in at ${SIGN_IN_PATH}.` });
      const { auth } = await library();
      const { handler: respond } = auth;
      const headers = new Headers(request.headers);
      headers.set(PEER_HEADER, address);
      const adaptedRequest = await adaptRequest(request, { url, endpoint, headers, publicUrl });
      if (endpoint === PASSWORD_ENDPOINT) return signInByPassword(adaptedRequest, respond);
      const response = await respond(adaptedRequest);
      return isDocument && response.ok ? withoutUnservedEndpoints(response) : response;
    },
    async methods({ id }) {
      const { context } = await library();
      const [accounts, passkeys] = await Promise.all([
        context.internalAdapter.findAccounts(id),
        context.adapter.findMany<{ id: string; name: string | null; createdAt: Date }>({
          model: "passkey",
          where: [{ field: "userId", value: id }],
        }),
      ]);
      return {
        password: accounts.some(({ providerId }) => providerId === "credential"),
        passkeys: passkeys.map(({ id, name, createdAt }) => ({
          id,
          name,
          created_at: new Date(createdAt).toISOString(),
        })),
      };
    },
    async setPassword({ id }, password) {
      if (password.length < MIN_PASSWORD || password.length > MAX_PASSWORD)
        throw new ToolError("INVALID_INPUT", `A password has ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`);
      const { context } = await library();
      const hash = await context.password.hash(password);
      const accounts = await context.internalAdapter.findAccounts(id);
      if (accounts.some(({ providerId }) => providerId === "credential"))
        await context.internalAdapter.updatePassword(id, hash);
      else
        await context.internalAdapter.linkAccount({
          userId: id,
          providerId: "credential",
          accountId: id,
          password: hash,
        });
    },
    async removePasskey({ id }, passkey) {
      const { context } = await library();
      await context.adapter.delete({
        model: "passkey",
        where: [
          { field: "id", value: passkey },
          { field: "userId", value: id },
        ],
      });
    },
    async app(clientId) {
      const { context } = await library();
      const row = await context.adapter.findOne<AppMetadata>({
        model: "oauthClient",
        where: [{ field: "clientId", value: clientId }],
      });
      return row === null ? null : { name: row.name ?? null, uri: row.uri ?? null };
    },
  };
}

/**
 * Returns a request as better-auth needs it: an app that names no scope asks for reading; every app may stay connected;
 * and a registration does not limit which scopes it may ask for later.
 */
async function adaptRequest(
  request: Request,
  {
    url,
    endpoint,
    headers,
    publicUrl,
  }: {
    readonly url: URL;
    readonly endpoint: string;
    readonly headers: Headers;
    readonly publicUrl: string;
  },
): Promise<Request> {
  const target = new URL(`${url.pathname}${url.search}`, publicUrl);
  if (endpoint === "/oauth2/authorize") {
    const scopes = new Set(
      (target.searchParams.get("scope") ?? "read").split(" ").filter((text) => text !== ""),
    );
    target.searchParams.set("scope", [...scopes.add(OFFLINE_SCOPE)].join(" "));
  }
  const { method } = request;
  if (method === "GET" || method === "HEAD") return new Request(target, { method, headers });
  const body = await request.text();
  checkQuery(body);
  headers.delete("content-length");
  return new Request(target, {
    method,
    headers,
    body: (ADAPTED_BODIES[endpoint] ?? ((given) => given))(body),
  });
}

/** Throws INVALID_INPUT if the query of an app in a body is no text, with which better-auth fails. */
function checkQuery(body: string): void {
  let query: unknown;
  try {
    query = JSON.parse(body).oauth_query;
  } catch {
    return; // better-auth says what is wrong
  }
  if (query !== undefined && typeof query !== "string")
    throw new ToolError("INVALID_INPUT", "The field oauth_query is not text");
}

/** Returns the address in the body of a sign-in; null if there is none. */
function emailIn(body: string): string | null {
  try {
    const { email } = JSON.parse(body);
    return typeof email === "string" ? email.trim().toLowerCase().slice(0, 320) : null;
  } catch {
    return null;
  }
}

/** Returns the body of a sign-in with the fields of the page alone, without an address to go to afterwards. */
function adaptSignIn(body: string): string {
  try {
    const { email, password, oauth_query } = JSON.parse(body);
    return JSON.stringify({ email, password, oauth_query });
  } catch {
    return body; // better-auth says what is wrong
  }
}

/** Returns the body of a registration without limits on scopes. An app on a person's machine need not say that it is one. */
function adaptRegistration(body: string): string {
  try {
    const { scope: _, ...rest } = JSON.parse(body);
    const { redirect_uris: uris, application_type: type } = rest;
    const isNative = Array.isArray(uris) && uris.some((uri) => !String(uri).startsWith("https:"));
    return JSON.stringify(type === undefined && isNative ? { ...rest, application_type: "native" } : rest);
  } catch {
    return body; // better-auth says what is wrong
  }
}

/** Returns a document without the endpoints that are not served. */
async function withoutUnservedEndpoints(response: Response): Promise<Response> {
  const fields = Object.entries((await response.json()) as object);
  const served = fields.filter(([name]) => !name.startsWith("introspection_"));
  return Response.json(Object.fromEntries(served), { headers: { "cache-control": "no-store" } });
}

const ADAPTED_BODIES: Readonly<Record<string, (body: string) => string>> = {
  [PASSWORD_ENDPOINT]: adaptSignIn,
  "/oauth2/register": adaptRegistration,
};
