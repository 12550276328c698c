import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { exportJWK, importPKCS8, SignJWT } from "jose";
import type { Claims, TestIssuer } from "../../support/issuer.ts";
import { jwtOf } from "./kinds.ts";
import { RESOURCE } from "./site.ts";

const EVIL = "https://evil.example";
const now = () => Math.floor(Date.now() / 1_000);

/** Returns the claims of a right token of a subject, with changes; undefined ones are left out. */
export const claimsOf = (sub: string, claims: Claims = {}): Claims => ({
  aud: RESOURCE,
  sub,
  client_id: "an-app",
  scope: "read openid",
  ...claims,
});

/** Claims of tokens that are not for this server. */
export const WRONG_AUDIENCES: readonly (() => Claims)[] = [
  ...[
    RESOURCE.replace("/mcp", ""),
    RESOURCE.replace("/mcp", "/a2a"),
    `${RESOURCE}/`,
    `${RESOURCE}/sse`,
    `${RESOURCE}?`,
    RESOURCE.toUpperCase(),
    RESOURCE.replace("https:", "http:"),
    "https://other.example/api/mcp",
    "market-signal",
    "",
    "*",
    [],
    ["market-signal", "https://other.example"],
    undefined,
  ].map((aud) => () => ({ aud })),
  () => ({ aud: undefined, resource: RESOURCE }),
];
/** Claims of tokens that are not valid now, or for ever. */
export const WRONG_TIMES: readonly (() => Claims)[] = [
  () => ({ exp: now() - 30 }),
  () => ({ exp: 0 }),
  () => ({ exp: -1 }),
  () => ({ exp: undefined }),
  () => ({ exp: String(now() + 600) }),
  () => ({ exp: null }),
  () => ({ exp: now() - 30, nbf: now() - 60, iat: now() + 600 }),
  () => ({ nbf: now() + 600 }),
  () => ({ nbf: now() + 60 }),
  () => ({ nbf: "0" }),
];

/** Headers and signatures that no key made, by the claims of a right token. */
export function unsignedTokens(issuer: TestIssuer): readonly ((claims: Claims) => string)[] {
  const { kid } = issuer.publicKey();
  const all = (claims: Claims) => ({ iss: issuer.url, iat: now(), exp: now() + 600, ...claims });
  const shapes: readonly (readonly [header: object, signature: string])[] = [
    ...["none", "None", "NONE", "nOnE", "", "ES256"].map((alg) => [{ alg, kid }, ""] as const),
    [{ alg: "none" }, "eA"],
    [{ alg: null, kid }, "eA"],
    [{ kid }, "eA"],
    [{ alg: ["none"], kid }, "eA"],
    [{ alg: "ES256", kid, crit: ["b64"], b64: false }, "eA"],
    // zeros are a valid signature for careless libraries
    [{ alg: "ES256", kid }, Buffer.alloc(64).toString("base64url")],
  ];
  return shapes.map(
    ([header, signature]) =>
      (claims) =>
        jwtOf({ typ: "JWT", ...header }, all(claims), signature),
  );
}

/** Signs with the public key of the issuer as a shared secret, in every form in which it is known. */
export function sharedSecretTokens(issuer: TestIssuer): readonly ((claims: Claims) => Promise<string>)[] {
  const jwk = issuer.publicKey();
  const key = createPublicKey({ key: jwk as never, format: "jwk" });
  const pem = key.export({ type: "spki", format: "pem" }).toString();
  const secrets = [
    pem,
    pem.trim(),
    key.export({ type: "spki", format: "der" }),
    JSON.stringify(jwk),
    JSON.stringify({ keys: [jwk] }),
    Buffer.from(jwk.x!, "base64url"),
    jwk.kid!,
  ].map((secret) => new Uint8Array(Buffer.from(secret as string)));
  return secrets.flatMap((secret) =>
    ["HS256", "HS384", "HS512"].map(
      (alg) => (claims: Claims) =>
        new SignJWT({ iss: issuer.url, iat: now(), exp: now() + 600, ...claims })
          .setProtectedHeader({ alg, typ: "JWT", kid: jwk.kid! })
          .sign(secret),
    ),
  );
}

/** Signs with keys that the issuer does not publish, named or sent along in every way. */
export async function unknownKeyTokens(
  issuer: TestIssuer,
  other: TestIssuer,
): Promise<readonly ((claims: Claims) => Promise<string>)[]> {
  const { kid } = issuer.publicKey();
  const own = (claims: Claims) => ({ iss: issuer.url, ...claims });
  const pair = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const rsa = await importPKCS8(pair.privateKey, "RS256");
  const jwk = await exportJWK(createPublicKey(pair.publicKey));
  const byOther = (header: object) => (claims: Claims) => other.token(own(claims), { ...header });
  return [
    (claims) => issuer.token(claims, {}, { otherKey: true }),
    byOther({ kid }),
    byOther({}),
    byOther({ kid: undefined }),
    byOther({ kid: "" }),
    byOther({ kid: "../../../dev/null" }),
    byOther({ kid, jwk: other.publicKey() }),
    byOther({ jku: `${other.url}/keys` }),
    byOther({ kid, x5u: `${other.url}/keys` }),
    byOther({ iss: issuer.url, jku: `${issuer.url}@${EVIL.slice(8)}/keys` }),
    (claims) =>
      new SignJWT({ ...own(claims), iat: now(), exp: now() + 600 })
        .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: kid!, jwk })
        .sign(rsa),
  ];
}
