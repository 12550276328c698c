import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from "jose";
import { IssuerMetadata } from "../../domain/accounts/issuer.ts";
import type { Clock } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Algorithms with a public key; a shared secret could be guessed, and `none` signs nothing. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];
const TIMEOUT_MS = 5_000;
/** Age from which what the issuer says of itself is read again. */
const MAX_AGE_MS = 3_600_000;
/** Time after a failure in which the issuer is not asked again. */
const PAUSE_MS = 10_000;
/** Time in which unknown keys do not lead to another request. */
const KEYS_COOLDOWN_MS = 30_000;
const KEYS_MAX_AGE_MS = 600_000;
/** Difference of clocks that is accepted, seconds. */
const CLOCK_TOLERANCE = 5;

/** An external issuer of identities and access tokens. */
export interface Issuer {
  readonly url: string;
  /** Returns what the issuer says of itself. Rejects with UPSTREAM_UNAVAILABLE. */
  metadata(): Promise<IssuerMetadata>;
  /**
   * Returns the claims of a token that the issuer signed for the audience and that is valid now; null for any other.
   * Rejects with UPSTREAM_UNAVAILABLE if the keys of the issuer cannot be read.
   */
  verify(
    token: string,
    options: Pick<JWTVerifyOptions, "audience" | "requiredClaims">,
  ): Promise<VerifiedToken | null>;
}

/** What the issuer publishes about itself. */
interface IssuerDocuments {
  readonly metadata: IssuerMetadata;
  readonly keys: JWTVerifyGetKey;
}

export interface VerifiedToken {
  /** Kind of the token in its header, without `application/`, in lower case. */
  readonly type: string | null;
  readonly claims: JWTPayload;
}

/** Creates a client of an issuer. It reads the metadata at the first use, and follows no redirects. */
export function createIssuer({ url, clock }: { readonly url: string; readonly clock: Clock }): Issuer {
  const isLocal = new URL(url).protocol === "http:";
  const now = () => clock.now().getTime();
  let failedAt = Number.NEGATIVE_INFINITY;
  let known: IssuerDocuments | null = null;
  let readAt = 0;
  let reading: Promise<IssuerDocuments> | null = null;

  const unavailable = (cause: unknown) =>
    new ToolError("UPSTREAM_UNAVAILABLE", "The issuer of sign-in does not answer as it should", {
      hint: "Try again in a minute. If this persists, the owner of the server checks OIDC_ISSUER.",
      cause,
    });
  /** Reads a document of the issuer. Rejects with UPSTREAM_UNAVAILABLE, also for a while after a failure. */
  async function get(address: string, init: RequestInit = {}): Promise<Response> {
    if (now() - failedAt < PAUSE_MS) throw unavailable(new Error("it failed a moment ago"));
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(address, { ...init, redirect: "error", signal });
      if (!response.ok) throw new Error(`${address} answers ${response.status}`);
      return response;
    } catch (cause) {
      failedAt = now();
      throw unavailable(cause);
    }
  }
  async function read(): Promise<IssuerDocuments> {
    const { createRemoteJWKSet, customFetch } = await import("jose");
    const response = await get(`${url.replace(/\/$/, "")}/.well-known/openid-configuration`);
    try {
      const metadata = IssuerMetadata.parse(await response.json());
      if (metadata.issuer !== url) throw new Error(`the issuer calls itself ${metadata.issuer}, not ${url}`);
      for (const endpoint of [metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri])
        if (!isLocal && !endpoint.startsWith("https:")) throw new Error(`${endpoint} is not https`);
      const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), {
        cooldownDuration: KEYS_COOLDOWN_MS,
        cacheMaxAge: KEYS_MAX_AGE_MS,
        [customFetch]: (address: string, init: RequestInit) => get(address, init),
      });
      return { metadata, keys };
    } catch (cause) {
      failedAt = now();
      throw unavailable(cause);
    }
  }
  /** Returns what the issuer said last, which is read again each hour. */
  async function current(): Promise<IssuerDocuments> {
    if (known !== null && now() - readAt < MAX_AGE_MS) return known;
    reading ??= read().finally(() => {
      reading = null;
    });
    const fresh = await reading.catch((thrown: unknown) => {
      if (known === null) throw thrown;
      return known;
    });
    // the keys stay cached while their address is the same
    known = known?.metadata.jwks_uri === fresh.metadata.jwks_uri ? { ...fresh, keys: known.keys } : fresh;
    readAt = now();
    return known;
  }

  return {
    url,
    metadata: async () => (await current()).metadata,
    async verify(token, options) {
      const [{ errors, jwtVerify }, { keys }] = [await import("jose"), await current()];
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keys, {
          ...options,
          issuer: url,
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_TOLERANCE,
          currentDate: clock.now(),
        });
        // refuses arrays: as a text, `["a"]` equals the subject `a`
        if (payload.sub !== undefined && typeof payload.sub !== "string") return null;
        const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, "") ?? null;
        return { type, claims: payload };
      } catch (thrown) {
        if (thrown instanceof ToolError) throw thrown;
        if (thrown instanceof errors.JWKSInvalid || thrown instanceof errors.JWKSTimeout)
          throw unavailable(thrown);
        if (thrown instanceof errors.JOSEError && thrown.code !== "ERR_JOSE_GENERIC") return null;
        throw unavailable(thrown);
      }
    },
  };
}
