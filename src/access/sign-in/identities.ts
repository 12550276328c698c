import { IDENTITY_PROVIDER } from "../../domain/accounts/issuer.ts";
import type { Person } from "../../domain/accounts/people.ts";
import type { People } from "../../domain/accounts/people-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { IdentitySettings } from "./identity-provider.ts";
import {
  AUTH_PATH,
  IDENTITY_CONNECTED,
  ISSUER_CALLBACK,
  ISSUER_ENDPOINT,
  ISSUER_FAULT_PATH,
  PEER_HEADER,
  SIGN_IN_PATH,
} from "./paths.ts";

/** Endpoints of better-auth that are served while an external issuer is set. */
export const ISSUER_ENDPOINTS: ReadonlySet<string> = new Set([
  `POST ${ISSUER_ENDPOINT}`,
  "GET /callback/:id",
]);

/** Sign-in by an external issuer, for people who connected their identity there. */
export interface Identities {
  /** What the issuer is called on pages. */
  readonly name: string;
  /** Answers a request that begins a sign-in, or with which the issuer sends a browser back. */
  handle(request: Request): Promise<Response>;
  /** Returns true if the person connected an identity of the issuer. */
  isConnected(person: Person): Promise<boolean>;
  /**
   * Begins to connect an identity to the person of a browser's session; the response has the `url` to go to. Rejects with
   * CONFLICT if the person connected one.
   */
  connect(person: Person, cookie: string, address: string): Promise<Response>;
  /** Deletes the identity of a person. Rejects with NOT_FOUND if there is none. */
  disconnect(person: Person): Promise<void>;
}

interface IdentityDeps {
  readonly identity: IdentitySettings;
  readonly name: string;
  readonly publicUrl: string;
  readonly people: Pick<People, "hasIdentity" | "removeIdentity">;
  /** Sends a request to better-auth. */
  readonly respond: (request: Request) => Promise<Response>;
}

/** Creates sign-in by an external issuer. */
export function createIdentities({
  identity: { issuer },
  name,
  publicUrl,
  people,
  respond,
}: IdentityDeps): Identities {
  const isConnected = ({ account }: Person) => people.hasIdentity(account, issuer.url);
  return {
    name,
    isConnected,
    async handle(request) {
      const { pathname, searchParams } = new URL(request.url);
      // better-auth would answer with an error of its own
      const { authorization_response_iss_parameter_supported: sendsIssuer = false } = await issuer
        .metadata()
        .catch((thrown: unknown) => {
          if (pathname.endsWith(ISSUER_ENDPOINT)) throw thrown;
          return {} as { readonly authorization_response_iss_parameter_supported?: boolean };
        });
      if (pathname.endsWith(ISSUER_CALLBACK) && sendsIssuer && !searchParams.has("iss"))
        return faultOf("issuer_missing");
      return withOwnFaults(await respond(request));
    },
    async connect(person, cookie, address) {
      if (await isConnected(person))
        throw new ToolError("CONFLICT", "An identity is connected already", {
          hint: "Disconnect it first.",
        });
      await issuer.metadata();
      const { origin } = new URL(publicUrl);
      return respond(
        new Request(`${publicUrl}${AUTH_PATH}/link-social`, {
          method: "POST",
          headers: { "content-type": "application/json", cookie, origin, [PEER_HEADER]: address },
          body: JSON.stringify({
            provider: IDENTITY_PROVIDER,
            callbackURL: IDENTITY_CONNECTED,
            errorCallbackURL: ISSUER_FAULT_PATH,
          }),
        }),
      );
    },
    async disconnect({ id }) {
      if (await people.removeIdentity(id)) return;
      throw new ToolError("NOT_FOUND", "No identity is connected", { hint: "Connect one at /account." });
    },
  };
}

const faultOf = (error: string): Response =>
  new Response(null, { status: 302, headers: { location: `${ISSUER_FAULT_PATH}?error=${error}` } });

/** Returns a response that leads to the page of this sign-in, where better-auth would lead to the one of apps. */
function withOwnFaults(response: Response): Response {
  const location = response.headers.get("location");
  if (location === null) return response;
  const url = new URL(location, "http://any");
  const error = url.searchParams.get("error");
  if (url.pathname !== SIGN_IN_PATH || error === null) return response;
  const headers = new Headers(response.headers);
  headers.set("location", `${ISSUER_FAULT_PATH}?${new URLSearchParams({ error })}`);
  return new Response(null, { status: 302, headers });
}
