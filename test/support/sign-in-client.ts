import { createHash, randomBytes } from "node:crypto";
import type { Plan } from "../../src/domain/accounts/access.ts";
import { NAME_DOMAIN } from "../../src/domain/accounts/people.ts";
import type { Installation } from "./installation.ts";
import type { Answer } from "./oauth-app.ts";

/** Where the app of an honest person is sent back to. */
export const CALLBACK = "https://app.example/callback";
export const PASSWORD = "correct horse battery staple";
const VERIFIER = "v".repeat(64);
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");
const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Fields of a query or of a body; several of a name for a list. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;
type Headers = Readonly<Record<string, string>>;

/** Somebody who signed in. */
export interface SignedIn {
  readonly account: string;
  /** The Cookie header. */
  readonly cookie: string;
}
/** An app with the tokens that a person allowed it. */
export interface Connected {
  readonly client: string;
  readonly access: string;
  readonly refresh: string;
}

export const text = (bytes = 24): string => randomBytes(bytes).toString("base64url");
export const encoded = (fields: Fields): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((one) => [name, one] as [string, string]),
    ),
  ).toString();

/** Sends a request to a server and follows no redirect. */
type Send = (path: string, headers?: Headers, body?: object | string) => Promise<Answer>;
/** Browsers and apps that sign in to a server. */
export type SignInClient = ReturnType<typeof createSignInClient>;

/** Creates the browsers and apps of a server whose address is `origin`. */
export function createSignInClient(send: Send, origin: string) {
  const resource = `${origin}/api/mcp`;
  /** Sends JSON as a page of this server does. */
  const post = (path: string, cookie: string, body: object, headers: Headers = {}) =>
    send(path, { origin: origin, ...(cookie !== "" && { cookie }), ...headers }, body);
  const form = (path: string, fields: Fields, headers: Headers = {}) =>
    send(path, { ...FORM, ...headers }, encoded(fields));

  async function open(link: string): Promise<string> {
    const answer = await send(`/open/${link}`);
    if (answer.status !== 303)
      throw new Error(`a new link is answered with ${answer.status}: ${answer.body}`);
    return answer.cookies[0]!.split(";")[0]!;
  }
  const setPassword = ({ cookie }: SignedIn, password = PASSWORD) =>
    post("/api/v1/sign-in/password", cookie, { password });
  const signInWith = (name: string, password: string, headers: Headers = {}) =>
    post("/auth/sign-in/email", "", { email: `${name}${NAME_DOMAIN}`, password }, headers);

  const register = (metadata: object = {}) =>
    send(
      "/auth/oauth2/register",
      {},
      {
        client_name: "An app",
        redirect_uris: [CALLBACK],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        ...metadata,
      },
    );
  async function newClient(metadata: object = {}): Promise<string> {
    const answer = await register(metadata);
    if (answer.status !== 201)
      throw new Error(`a registration is answered with ${answer.status}: ${answer.body}`);
    return JSON.parse(answer.body).client_id;
  }
  const asking = (client: string, fields: Fields = {}): Fields => ({
    response_type: "code",
    client_id: client,
    redirect_uri: CALLBACK,
    scope: "read",
    state: "s",
    resource,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    ...fields,
  });
  /** Sends a browser to the server with what an app asks for. */
  const authorize = (client: string, cookie: string, fields: Fields = {}) =>
    send(`/auth/oauth2/authorize?${encoded(asking(client, fields))}`, cookie === "" ? {} : { cookie });
  /** Returns the signed query of the page that asks for consent. */
  async function queryFor(client: string, cookie: string, fields: Fields = {}): Promise<string> {
    const answer = await authorize(client, cookie, { prompt: "consent", ...fields });
    const page = new URL(answer.headers.location ?? "", origin);
    if (page.pathname !== "/consent") throw new Error(`asked for consent at ${page.href}: ${answer.body}`);
    return page.search.slice(1);
  }
  const consent = (cookie: string, body: object, headers: Headers = {}) =>
    post("/auth/oauth2/consent", cookie, { accept: true, ...body }, headers);
  /** Returns a new code that a person allowed. */
  async function codeFor(client: string, cookie: string, fields: Fields = {}): Promise<string> {
    const answer = await consent(cookie, { oauth_query: await queryFor(client, cookie, fields) });
    const code = answer.status === 200 ? new URL(JSON.parse(answer.body).url).searchParams.get("code") : null;
    if (code === null) throw new Error(`consent is answered with ${answer.status}: ${answer.body}`);
    return code;
  }
  /** Returns another code of an app that its person allowed the same before. */
  async function nextCode(client: string, cookie: string, fields: Fields = {}): Promise<string> {
    const { headers } = await authorize(client, cookie, fields);
    const code = new URL(headers.location ?? "", origin).searchParams.get("code");
    if (code === null) throw new Error(`an allowed app is sent to ${headers.location}`);
    return code;
  }
  const redeem = (client: string, code: string, fields: Fields = {}, headers: Headers = {}) =>
    form(
      "/auth/oauth2/token",
      {
        grant_type: "authorization_code",
        client_id: client,
        code,
        redirect_uri: CALLBACK,
        code_verifier: VERIFIER,
        resource,
        ...fields,
      },
      headers,
    );
  const refreshed = (client: string, refresh: string, fields: Fields = {}) =>
    form("/auth/oauth2/token", {
      grant_type: "refresh_token",
      client_id: client,
      refresh_token: refresh,
      ...fields,
    });
  async function connected(cookie: string, fields: Fields = {}, known?: string): Promise<Connected> {
    const client = known ?? (await newClient());
    const answer = await redeem(client, await codeFor(client, cookie, fields));
    if (answer.status !== 200) throw new Error(`a code is answered with ${answer.status}: ${answer.body}`);
    const tokens = JSON.parse(answer.body);
    return { client, access: tokens.access_token, refresh: tokens.refresh_token };
  }
  return {
    post,
    form,
    open,
    setPassword,
    signInWith,
    register,
    newClient,
    asking,
    authorize,
    queryFor,
    consent,
    codeFor,
    nextCode,
    redeem,
    refreshed,
    connected,
  };
}

/** Creates people of a server by links of its owner. */
export function createPeople({ app }: Pick<Installation, "app">, origin: string, { open }: SignInClient) {
  const people = app.openSignIn(origin).peopleAdmin;
  return {
    people,
    /** Invites a person into an account of their own and opens the link. */
    async invited(
      account: string,
      role: "member" | "viewer" = "member",
      plan: Plan = "enterprise",
    ): Promise<SignedIn> {
      const { token } = await people.invite({ account, role, plan }, "proof");
      return { account, cookie: await open(token) };
    },
    /** Opens a link of the owner. */
    async signedIn(): Promise<SignedIn> {
      const { token } = await app.browserSessions.issueLink();
      return { account: "owner", cookie: await open(token) };
    },
  };
}
