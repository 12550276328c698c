import { timingSafeEqual } from "node:crypto";
import type { Principal, Scope } from "../domain/accounts/access.ts";
import type { Clock } from "../domain/ports.ts";
import type { KeyedHash } from "../domain/vault/secrets-port.ts";
import { ToolError } from "../kernel/errors.ts";
import { keyFault } from "./keys/key-state.ts";
import type { PrincipalResolver } from "./principal-resolver.ts";

/** Time for which a token opens streams, in milliseconds. */
export const STREAM_TOKEN_MS = 60_000;
const SHAPE = /^ms_stream_([\w-]{1,1000})\.([\w-]{43})$/;
const HINT = "Create a new token, then open the stream with it.";

export interface IssuedStreamToken {
  readonly token: string;
  /** ISO 8601 UTC. */
  readonly expires_at: string;
}

/** Short-lived tokens that open streams in place of a key. A browser's EventSource can send only a URL. */
export interface StreamTokens {
  /** Creates a token for a caller with a key. Rejects with UNAUTHENTICATED without one. */
  issue(principal: Principal): Promise<IssuedStreamToken>;
  /**
   * Checks a token, and returns a function that resolves its caller as of now. Rejects with UNAUTHENTICATED for a token that is
   * invalid or expired; the function rejects with it once the key is no longer valid or the plan has changed. Expiry of
   * the token does not end a stream that is open.
   */
  open(token: string): Promise<() => Promise<Principal>>;
}

/** Content of a token: what its key could do when the token was created. */
interface Grant {
  readonly account: string;
  readonly key: string;
  readonly plan: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Creates tokens that all processes of an installation verify: they are signed with HMAC-SHA-256 and not stored. */
export function createStreamTokens({
  keyedHash,
  clock,
  resolvePrincipal,
}: {
  readonly keyedHash: KeyedHash;
  readonly clock: Clock;
  readonly resolvePrincipal: PrincipalResolver;
}): StreamTokens {
  const signatureOf = (content: string) => keyedHash(`stream token|${content}`);

  async function verified(token: string): Promise<Grant> {
    const [, content, signature] = SHAPE.exec(token) ?? [];
    if (
      content === undefined ||
      signature === undefined ||
      !timingSafeEqual(await signatureOf(content), Buffer.from(signature, "base64url"))
    )
      throw new ToolError("UNAUTHENTICATED", "This is not a stream token of this server", { hint: HINT });
    return JSON.parse(Buffer.from(content, "base64url").toString("utf8"));
  }

  return {
    async issue({ account, keyId, plan, scopes }) {
      if (keyId === undefined) throw keyFault("missing");
      const until = clock.now().getTime() + STREAM_TOKEN_MS;
      const grant: Grant = { account, key: keyId, plan, scopes, until };
      const content = Buffer.from(JSON.stringify(grant)).toString("base64url");
      return {
        token: `ms_stream_${content}.${(await signatureOf(content)).toString("base64url")}`,
        expires_at: new Date(until).toISOString(),
      };
    },
    async open(token) {
      const { account, key, plan, scopes, until } = await verified(token);
      if (clock.now().getTime() >= until)
        throw new ToolError("UNAUTHENTICATED", "This stream token has expired", { hint: HINT });
      return async () => {
        const principal = await resolvePrincipal({ account, key, scopes });
        if (principal.plan === plan) return principal;
        throw new ToolError("UNAUTHENTICATED", "The plan of the account has changed", { hint: HINT });
      };
    },
  };
}
