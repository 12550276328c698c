import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import type { Principal, Scope } from "../domain/accounts/access.ts";
import type { Clock } from "../domain/ports.ts";
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
  /** Creates a token for a caller with a key. Throws UNAUTHENTICATED without one. */
  issue(principal: Principal): IssuedStreamToken;
  /**
   * Checks a token, and returns a function that resolves its caller as of now. Throws UNAUTHENTICATED for a token that is
   * invalid or expired; the function rejects with it once the key is no longer valid or the plan has changed. Expiry of
   * the token does not end a stream that is open.
   */
  open(token: string): () => Promise<Principal>;
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
  secret,
  clock,
  resolvePrincipal,
}: {
  readonly secret: () => KeyObject;
  readonly clock: Clock;
  readonly resolvePrincipal: PrincipalResolver;
}): StreamTokens {
  const signatureOf = (content: string) =>
    createHmac("sha256", secret()).update(`stream token|${content}`).digest();

  function verified(token: string): Grant {
    const [, content, signature] = SHAPE.exec(token) ?? [];
    if (
      content === undefined ||
      signature === undefined ||
      !timingSafeEqual(signatureOf(content), Buffer.from(signature, "base64url"))
    )
      throw new ToolError("UNAUTHENTICATED", "This is not a stream token of this server", { hint: HINT });
    return JSON.parse(Buffer.from(content, "base64url").toString("utf8"));
  }

  return {
    issue({ account, keyId, plan, scopes }) {
      if (keyId === undefined) throw keyFault("missing");
      const until = clock.now().getTime() + STREAM_TOKEN_MS;
      const grant: Grant = { account, key: keyId, plan, scopes, until };
      const content = Buffer.from(JSON.stringify(grant)).toString("base64url");
      return {
        token: `ms_stream_${content}.${signatureOf(content).toString("base64url")}`,
        expires_at: new Date(until).toISOString(),
      };
    },
    open(token) {
      const { account, key, plan, scopes, until } = verified(token);
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
