import type { IssuerFault, TestIssuer } from "../../support/issuer.ts";
import { jwtOf } from "./kinds.ts";
import { text } from "./site.ts";

/** Returns faults of an answer, which is otherwise right; each call makes a new one. */
type Faults = readonly (() => IssuerFault)[];

const EVIL = "https://evil.example";
const now = () => Math.floor(Date.now() / 1_000);

/** Subjects that are almost that of a person, or a name of theirs on this server. */
export const wrongSubjects = (
  issuer: TestIssuer,
  { account, subject }: { readonly account: string; readonly subject: string },
): Faults =>
  [
    () => `nobody ${text()}`,
    () => subject.toUpperCase(),
    () => `${subject} `,
    () => ` ${subject}`,
    () => subject.slice(0, -1),
    () => `${subject}\u0000`,
    () => `${issuer.url} ${subject}`,
    () => `${subject}${"x".repeat(300)}`,
    () => [subject],
    () => undefined,
    () => "",
    () => account,
    () => "owner",
    () => "%",
    () => "' OR '1'='1",
  ].map((sub) => () => ({
    claims: {
      sub: sub(),
      email: `${account}@market-signal.invalid`,
      email_verified: true,
      preferred_username: account,
    },
  }));

/** Answers that name another issuer, or none, to the browser or in the token. */
export const wrongIssuers = (issuer: TestIssuer, other: TestIssuer): Faults =>
  [
    EVIL,
    other.url,
    undefined,
    "",
    `${issuer.url}/`,
    issuer.url.toUpperCase(),
    issuer.url.replace("http:", "https:"),
    `${issuer.url}@evil.example`,
  ].flatMap((iss) => [
    () => ({ sentBack: { iss } }),
    () => ({ claims: { iss } }),
    () => ({ claims: { iss: [issuer.url, iss] } }),
  ]);

/** Id tokens that are not those of the issuer for this server and for now. */
export function forgedTokens(issuer: TestIssuer): Faults {
  const header = { typ: "JWT", kid: issuer.publicKey().kid };
  const unsigned =
    (alg: string, signature = "") =>
    (): IssuerFault => ({
      idToken: async (claims) =>
        jwtOf({ ...header, alg }, { iss: issuer.url, iat: now(), exp: now() + 600, ...claims }, signature),
    });
  const withClaims =
    (claims: () => Readonly<Record<string, unknown>>): (() => IssuerFault) =>
    () => ({ claims: claims() });
  return [
    () => ({ otherKey: true }),
    withClaims(() => ({ aud: "another-client" })),
    withClaims(() => ({ aud: ["market-signal", "another-client"] })),
    withClaims(() => ({ aud: ["market-signal", "another-client"], azp: "another-client" })),
    withClaims(() => ({ aud: issuer.url })),
    withClaims(() => ({ aud: undefined })),
    withClaims(() => ({ exp: now() - 60 })),
    withClaims(() => ({ exp: undefined })),
    withClaims(() => ({ iat: undefined })),
    withClaims(() => ({ nbf: now() + 600 })),
    ...["none", "None", "NONE", "nOnE", "HS256", "ES256"].map((alg) => unsigned(alg)),
    // zeros are a valid signature for careless libraries
    unsigned("ES256", Buffer.alloc(64).toString("base64url")),
    () => ({ idToken: (claims) => issuer.token(claims, { alg: "HS256" }, {}) }),
    () => ({ idToken: async () => "" }),
    () => ({ idToken: async () => "a.b.c" }),
  ];
}
