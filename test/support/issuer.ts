import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

const CLIENT_ID = "market-signal";
/** With characters that a form encodes. */
const CLIENT_SECRET = "a_secret:of/the+test";

/** Claims of a token; undefined ones are left out. */
export type Claims = Readonly<Record<string, unknown>>;

/** An OpenID Connect issuer on this machine. */
export interface TestIssuer {
  readonly url: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Subject that signs in next. */
  subject: string;
  /** Replaces parts of its next answers; undefined members are left out. */
  fault: {
    readonly claims?: Claims;
    /** Parameters with which a browser is sent back. */
    readonly sentBack?: Readonly<Record<string, string | undefined>>;
    readonly metadata?: Readonly<Record<string, unknown>>;
    /** Signs with a key that the issuer does not publish. */
    readonly otherKey?: boolean;
  };
  /** true: every answer is 500. */
  isDown: boolean;
  /** Path of each request. */
  readonly requests: string[];
  /** Signs in the subject for an authorization request, as its browser. Returns the address to go back to. */
  answer(address: string): Promise<string>;
  /** Signs claims; by default those of a valid access token for `audience`. */
  token(claims: Claims, header?: { readonly typ?: string; readonly alg?: string }): Promise<string>;
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
  const codes = new Map<string, { readonly query: URLSearchParams; readonly subject: string }>();

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
    return {
      access_token: "an access token of the issuer",
      token_type: "Bearer",
      id_token: await issuer.token({ ...claims, ...issuer.fault.claims }),
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
    async answer(address) {
      const { searchParams: query } = new URL(address);
      const code = randomUUID();
      codes.set(code, { query, subject: issuer.subject });
      const back = new URL(query.get("redirect_uri")!);
      const sent = { code, state: query.get("state")!, iss: url, ...issuer.fault.sentBack };
      for (const [name, value] of Object.entries(sent))
        if (value !== undefined) back.searchParams.set(name, value);
      return back.href;
    },
    async token(claims, { typ = "JWT", alg = "ES256" } = {}) {
      const { privateKey, jwk } = issuer.fault.otherKey ? { ...other, jwk: key.jwk } : key;
      const header = { alg, typ, kid: jwk.kid };
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
