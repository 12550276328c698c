import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

const CLIENT_ID = "market-signal";
/** With characters that a form encodes. */
const CLIENT_SECRET = "a_secret:of/the+test";

/** Claims of a token; undefined ones are left out. */
export type Claims = Readonly<Record<string, unknown>>;

/** Replaces parts of answers of an issuer; undefined members are left out. */
export interface IssuerFault {
  readonly claims?: Claims;
  /** Parameters with which a browser is sent back. */
  readonly sentBack?: Readonly<Record<string, string | undefined>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Signs with a key that the issuer does not publish. */
  readonly otherKey?: boolean;
  /** Returns the id token that is sent instead of the right one, by its claims. */
  readonly idToken?: (claims: Claims) => Promise<string>;
}

/** An OpenID Connect issuer on this machine. A browser that it gets signs its subject in at once. */
export interface TestIssuer {
  readonly url: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Subject that signs in next. */
  subject: string;
  /** Fault of its next answers; that of a sign-in is the one when its subject signs in. */
  fault: IssuerFault;
  /** true: every answer is 500. */
  isDown: boolean;
  /** Path of each request. */
  readonly requests: string[];
  /** Its public key. */
  readonly publicKey: () => JWK;
  /**
   * Signs in a subject for an authorization request, as its browser. Returns the address to go back to. Default: its
   * subject and fault.
   */
  answer(address: string, as?: { readonly subject?: string; readonly fault?: IssuerFault }): Promise<string>;
  /** Signs claims; by default those of a valid access token for `audience`. */
  token(
    claims: Claims,
    header?: Readonly<Record<string, unknown>> & { readonly alg?: string },
    fault?: IssuerFault,
  ): Promise<string>;
  /** Replaces its key by a new one. */
  rotate(): Promise<void>;
  close(): void;
}

/** Starts an issuer on a free port. */
export async function startIssuer(): Promise<TestIssuer> {
  const newKey = async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const kid = randomUUID();
    return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" } };
  };
  let [key, other] = [await newKey(), await newKey()];
  /** What a code stands for. */
  const codes = new Map<
    string,
    { readonly query: URLSearchParams; readonly subject: string; readonly fault: IssuerFault }
  >();

  async function redeemed(form: URLSearchParams, authorization: string | undefined) {
    const given = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const [user, password] = Buffer.from(authorization?.replace(/^Basic /, "") ?? "", "base64")
      .toString()
      .split(":")
      .map((text) => decodeURIComponent(text));
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (
      given === undefined ||
      user !== CLIENT_ID ||
      password !== CLIENT_SECRET ||
      given.query.get("redirect_uri") !== form.get("redirect_uri") ||
      given.query.get("code_challenge_method") !== "S256" ||
      given.query.get("code_challenge") !== verifier
    )
      return null;
    const nonce = given.query.get("nonce") ?? undefined;
    const claims = {
      aud: CLIENT_ID,
      sub: given.subject,
      nonce,
      email: "ada@example.com",
      email_verified: true,
    };
    const { fault } = given;
    const all = { ...claims, ...fault.claims };
    return {
      access_token: "an access token of the issuer",
      token_type: "Bearer",
      id_token: await (fault.idToken?.(all) ?? issuer.token(all, {}, fault)),
    };
  }

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, "http://any");
    issuer.requests.push(pathname);
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => (body += part));
    request.on("end", async () => {
      const send = (status: number, data: unknown) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(data));
      };
      if (issuer.isDown) return send(500, {});
      if (pathname === "/.well-known/openid-configuration")
        return send(200, {
          issuer: issuer.url,
          authorization_endpoint: `${issuer.url}/authorize`,
          token_endpoint: `${issuer.url}/token`,
          jwks_uri: `${issuer.url}/keys`,
          id_token_signing_alg_values_supported: ["ES256", "HS256"],
          authorization_response_iss_parameter_supported: true,
          ...issuer.fault.metadata,
        });
      if (pathname === "/authorize") {
        response.writeHead(302, { location: await issuer.answer(new URL(request.url!, issuer.url).href) });
        return response.end();
      }
      if (pathname === "/keys") return send(200, { keys: [key.jwk] });
      const tokens =
        pathname === "/token"
          ? await redeemed(new URLSearchParams(body), request.headers.authorization)
          : null;
      return tokens === null ? send(400, { error: "invalid_grant" }) : send(200, tokens);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const issuer: TestIssuer = {
    url,
    settings: {
      OIDC_ISSUER: url,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: "Acme",
    },
    subject: "ada",
    fault: {},
    isDown: false,
    requests: [],
    publicKey: () => key.jwk,
    async answer(address, { subject = issuer.subject, fault = issuer.fault } = {}) {
      const { searchParams: query } = new URL(address);
      const code = randomUUID();
      codes.set(code, { query, subject, fault });
      const back = new URL(query.get("redirect_uri")!);
      const sent = { code, state: query.get("state")!, iss: url, ...fault.sentBack };
      for (const [name, value] of Object.entries(sent))
        if (value !== undefined) back.searchParams.set(name, value);
      return back.href;
    },
    async token(claims, { alg = "ES256", ...given } = {}, fault = issuer.fault) {
      const { privateKey, jwk } = fault.otherKey ? { ...other, jwk: key.jwk } : key;
      const header = { typ: "JWT", kid: jwk.kid, ...given, alg };
      const now = Math.floor(Date.now() / 1_000);
      const all = { iss: url, iat: now, exp: now + 600, ...claims };
      const signer = new SignJWT(
        Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
      );
      return signer
        .setProtectedHeader(header)
        .sign(alg === "HS256" ? new TextEncoder().encode(JSON.stringify(key.jwk)) : privateKey);
    },
    async rotate() {
      [key, other] = [await newKey(), key];
    },
    close: () => void server.close(),
  };
  return issuer;
}
