import { IDENTITY_PROVIDER } from "../../domain/accounts/issuer.ts";
import type { Person } from "../../domain/accounts/people.ts";
import type { People } from "../../domain/accounts/people-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { IdentitySettings } from "./identity-provider.ts";
import {
  AUTH_PATH,
  IDENTITY_CONNECTED,
  ISSUER_ENDPOINT,
  ISSUER_PATH,
  PEER_HEADER,
  SIGN_IN_PATH,
} from "./paths.ts";

/** Endpoints of better-auth that are served while an external issuer is set. */
export const ISSUER_ENDPOINTS: ReadonlySet<string> = new Set(["GET /callback/:id"]);

/** Sign-in by an external issuer, for people who connected their identity there. */
export interface Identities {
  /** What the issuer is called on pages. */
  readonly name: string;
  /**
   * Begins a sign-in; the response has the `url` to go to. `next`: path of this server to go to afterwards. `query`: query
   * of the page, if an app asks for access. Rejects with UPSTREAM_UNAVAILABLE.
   */
  begin(request: {
    readonly next: string;
    readonly query?: string | undefined;
    readonly address: string;
  }): Promise<Response>;
  /** Answers the request with which the issuer sends a browser back. */
  finish(request: Request): Promise<Response>;
  /**
   * Begins to connect an identity to the person of a browser's session; the response has the `url` to go to. Rejects with
   * CONFLICT if the person connected one, and with UPSTREAM_UNAVAILABLE.
   */
  connect(person: Person, cookie: string, address: string): Promise<Response>;
  /** Deletes the identity of a person. Rejects with NOT_FOUND if there is none. */
  disconnect(person: Person): Promise<void>;
}

interface IdentityDeps {
  readonly identity: IdentitySettings;
  readonly name: string;
  readonly publicUrl: string;
  readonly people: Pick<People, "removeIdentity">;
  readonly isConnected: (person: Person) => Promise<boolean>;
  /** Sends a request to better-auth. */
  readonly respond: (request: Request) => Promise<Response>;
}

/** Creates sign-in by an external issuer. */
export function createIdentities({
  identity: { issuer },
  name,
  publicUrl,
  people,
  isConnected,
  respond,
}: IdentityDeps): Identities {
  const { origin } = new URL(publicUrl);
  /** Asks better-auth for the address of the issuer to go to. */
  async function start(endpoint: string, headers: Record<string, string>, body: object): Promise<Response> {
    await issuer.metadata(); // better-auth would answer with an error of its own
    return respond(
      new Request(`${publicUrl}${AUTH_PATH}${endpoint}`, {
        method: "POST",
        headers: { "content-type": "application/json", origin, ...headers },
        body: JSON.stringify({ provider: IDENTITY_PROVIDER, errorCallbackURL: ISSUER_PATH, ...body }),
      }),
    );
  }
  return {
    name,
    begin: ({ next, query, address }) =>
      start(ISSUER_ENDPOINT, { [PEER_HEADER]: address }, { callbackURL: next, oauth_query: query }),
    async finish(request) {
      const sendsIssuer = await issuer.metadata().then(
        (known) => known.authorization_response_iss_parameter_supported === true,
        () => false, // the code cannot be redeemed either
      );
      const issuers = new URL(request.url).searchParams.getAll("iss");
      if (sendsIssuer && issuers.length === 0) return faultOf("issuer_missing");
      // better-auth treats an empty `iss` as missing
      if (issuers.some((sent) => sent !== issuer.url)) return faultOf("issuer_mismatch");
      return withOwnFaults(await respond(request));
    },
    async connect(person, cookie, address) {
      if (await isConnected(person))
        throw new ToolError("CONFLICT", "An identity is connected already", {
          hint: "Disconnect it first.",
        });
      return start("/link-social", { cookie, [PEER_HEADER]: address }, { callbackURL: IDENTITY_CONNECTED });
    },
    async disconnect({ id }) {
      if (await people.removeIdentity(id)) return;
      throw new ToolError("NOT_FOUND", "No identity is connected", { hint: "Connect one at /account." });
    },
  };
}

const faultOf = (error: string): Response =>
  new Response(null, { status: 302, headers: { location: `${ISSUER_PATH}?error=${error}` } });

/** Returns a response that leads to the page of this sign-in, where better-auth would lead to the one of apps. */
function withOwnFaults(response: Response): Response {
  const location = response.headers.get("location");
  if (location === null) return response;
  const url = new URL(location, "http://any");
  const error = url.searchParams.get("error");
  if (url.pathname !== SIGN_IN_PATH || error === null) return response;
  const headers = new Headers(response.headers);
  headers.set("location", `${ISSUER_PATH}?${new URLSearchParams({ error })}`);
  return new Response(null, { status: 302, headers });
}
