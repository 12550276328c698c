import { IDENTITY_PROVIDER, identityKey } from "../../domain/accounts/issuer.ts";
import { OFFERED_SCOPES, type Person } from "../../domain/accounts/people.ts";
import type { People } from "../../domain/accounts/people-port.ts";
import type { SignInRecords } from "../../domain/accounts/sign-in-port.ts";
import type { Clock, Log } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { adaptRequest, emailIn, withoutUnservedEndpoints } from "./adapted-request.ts";
import type { BetterAuthSettings } from "./better-auth.ts";
import { createIdentities, type Identities, ISSUER_ENDPOINTS } from "./identities.ts";
import { libraryFault } from "./library-fault.ts";
import type { LockOut } from "./lock-out.ts";
import {
  AUTH_PATH,
  ISSUER_CALLBACK,
  OAUTH_OFF_HINT,
  PASSKEY_ENDPOINT,
  PASSWORD_ENDPOINT,
  PEER_HEADER,
  SIGN_IN_PATH,
} from "./paths.ts";

/** Minimum length of a password. */
export const MIN_PASSWORD = 12;
const MAX_PASSWORD = 128;

/** Endpoints of better-auth that are served; all others are not. */
export const SERVED_ENDPOINTS: ReadonlySet<string> = new Set([
  "POST /sign-in/email",
  "GET /passkey/generate-register-options",
  "POST /passkey/verify-registration",
  "GET /passkey/generate-authenticate-options",
  `POST ${PASSKEY_ENDPOINT}`,
]);
/** Endpoints served while apps may ask for access. */
export const OAUTH_ENDPOINTS: ReadonlySet<string> = new Set([
  "GET /oauth2/authorize",
  "POST /oauth2/consent",
  "POST /oauth2/token",
  "POST /oauth2/revoke",
  "POST /oauth2/register",
]);

/** Path of the document that says who gives access to the resource. */
const RESOURCE_DOCUMENT = "/.well-known/oauth-protected-resource";

/** The password, passkeys and identity of a person. */
export interface SignInMethods {
  readonly password: boolean;
  /** Whether an identity of the external issuer is connected. */
  readonly identity: boolean;
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
  /** Whether apps get access from this server. */
  readonly hasOAuth: boolean;
  /** External issuer from which apps get access instead; null if there is none. */
  readonly tokenIssuer: string | null;
  /** Sign-in by an external issuer; null if none is set. */
  readonly identities: Identities | null;
  /** Answers a request under the path of sign-in or to a document of OAuth. `address`: network address of the caller. */
  handle(request: Request, address: string): Promise<Response>;
  methods(person: Person): Promise<SignInMethods>;
  /** Sets the password of a person. Rejects with INVALID_INPUT for one that is too short or too long. */
  setPassword(person: Person, password: string): Promise<void>;
  removePasskey(person: Person, id: string): Promise<void>;
  app(clientId: string): Promise<AppMetadata | null>;
}

type Settings = Omit<BetterAuthSettings, "log" | "secret" | "isSuspended" | "onSession"> & {
  readonly log: Log;
  readonly secret: () => Promise<string>;
  readonly people: Pick<People, "sweep" | "removeIdentity">;
  readonly records: Pick<SignInRecords, "isSuspended" | "recordSignIn">;
  readonly lockOut: LockOut;
  /** What the external issuer is called on pages. */
  readonly identityName: string;
  readonly tokenIssuer: string | null;
  readonly clock: Clock;
};

const SWEEP_MS = 24 * 3_600_000;
/** Time after which the registration of an app without a consent is deleted. */
const UNUSED_APP_MS = 7 * SWEEP_MS;

/** Creates sign-in. better-auth is loaded at the first use, because loading takes a third of a second. */
export function createSignIn({
  log,
  secret,
  people,
  records,
  lockOut,
  clock,
  identityName,
  tokenIssuer,
  ...settings
}: Settings): SignIn {
  let opening: Promise<Awaited<ReturnType<typeof open>>> | undefined;
  const open = async () => {
    const { openBetterAuth } = await import("./better-auth.ts");
    const auth = openBetterAuth({
      ...settings,
      secret: await secret(),
      isSuspended: records.isSuspended,
      onSession: (person, at) => records.recordSignIn(person, at.toISOString()),
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
  const { hasOAuth, publicUrl, resource, identity } = settings;
  const isServed = (method: string, path: string) => {
    const endpoint = `${method} ${path === ISSUER_CALLBACK ? "/callback/:id" : path}`;
    return (
      SERVED_ENDPOINTS.has(endpoint) ||
      (hasOAuth && OAUTH_ENDPOINTS.has(endpoint)) ||
      (identity !== undefined && ISSUER_ENDPOINTS.has(endpoint))
    );
  };
  const respond = async (request: Request) => {
    const { handler: answer } = (await library()).auth;
    return answer(request).catch((cause: unknown) => libraryFault(cause, request));
  };
  async function methodsOf({ id }: Person): Promise<SignInMethods> {
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
      identity: identity !== undefined && accounts.some(isIdentityOf(identity.issuer.url)),
      passkeys: passkeys.map(({ id, name, createdAt }) => ({
        id,
        name,
        created_at: new Date(createdAt).toISOString(),
      })),
    };
  }
  const identities =
    identity === undefined
      ? null
      : createIdentities({
          identity,
          name: identityName,
          publicUrl,
          people,
          respond,
          isConnected: async (person) => (await methodsOf(person)).identity,
        });

  /**
   * Answers a sign-in by password. Rejects with INVALID_INPUT for a body other than JSON, and with RATE_LIMITED after too
   * many wrong passwords of one name.
   */
  async function signInByPassword(
    request: Request,
    respond: (request: Request) => Promise<Response>,
  ): Promise<Response> {
    const name = emailIn(await request.clone().text());
    if (name === null || !/^application\/json\b/i.test(request.headers.get("content-type") ?? ""))
      throw new ToolError("INVALID_INPUT", "A sign-in is JSON with the fields email and password");
    return lockOut(
      name,
      () => respond(request),
      ({ ok }) => ok,
    );
  }

  return {
    hasOAuth,
    tokenIssuer,
    identities,
    async handle(request, address) {
      const url = new URL(request.url);
      const isDocument = url.pathname.startsWith("/.well-known/");
      if (tokenIssuer !== null && url.pathname.startsWith(RESOURCE_DOCUMENT))
        return protectedResource(resource, tokenIssuer);
      const endpoint = url.pathname.slice(AUTH_PATH.length);
      if (isDocument ? !hasOAuth : !isServed(request.method, endpoint))
        throw new ToolError("NOT_FOUND", "There is no such page", {
          hint:
            !hasOAuth && tokenIssuer === null && (isDocument || endpoint.startsWith("/oauth2/"))
              ? OAUTH_OFF_HINT
              : `Sign in at ${SIGN_IN_PATH}.`,
        });
      const headers = new Headers(request.headers);
      headers.set(PEER_HEADER, address);
      const adaptedRequest = await adaptRequest(request, { url, endpoint, headers, publicUrl });
      if (endpoint === PASSWORD_ENDPOINT) return signInByPassword(adaptedRequest, respond);
      if (identities !== null && endpoint === ISSUER_CALLBACK) return identities.finish(adaptedRequest);
      const response = await respond(adaptedRequest);
      return isDocument && response.ok ? withoutUnservedEndpoints(response) : response;
    },
    methods: methodsOf,
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

/** Returns the document that leads apps to the external issuer. @see RFC 9728 */
const protectedResource = (resource: string, issuer: string): Response =>
  Response.json(
    {
      resource,
      authorization_servers: [issuer],
      scopes_supported: OFFERED_SCOPES,
      bearer_methods_supported: ["header"],
    },
    { headers: { "cache-control": "no-store", "access-control-allow-origin": "*" } },
  );

/** Returns a predicate that is true for the row of an identity of an issuer. */
const isIdentityOf =
  (issuer: string) =>
  ({ providerId, accountId }: { readonly providerId: string; readonly accountId: string }): boolean =>
    providerId === IDENTITY_PROVIDER && accountId.startsWith(identityKey({ issuer, subject: "" }));
