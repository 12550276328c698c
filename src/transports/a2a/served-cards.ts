import { createHash } from "node:crypto";
import { A2A_VERSION_HEADER, AgentCard } from "@a2a-js/sdk";
import { type Context, Hono } from "hono";
import type { Log } from "../../domain/ports.ts";
import type { Signer } from "../../domain/receipts/receipts-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { routeGet } from "../http/problem.ts";
import type { HttpEnv } from "../http/server-deps.ts";
import { CARD_PATH, combinedCardOf, JWKS_PATH, LEGACY_CARD_PATH, OLD_CARD_PATH } from "./card.ts";
import { jwksOf, signaturesOf } from "./card-signature.ts";
import { versionOf } from "./request-state.ts";

const CACHE_CONTROL = "public, max-age=300";

interface ServedCardDeps {
  readonly card: AgentCard;
  /** Signing key of the installation. Default: cards are not signed. */
  readonly signer: Signer | undefined;
  readonly publicUrl: string;
  readonly log: Log;
}

export interface ServedCards {
  /** Serves the card and the JWK set, both without a key. */
  readonly route: Hono<HttpEnv>;
  /** Returns a card with its signature; without one if it cannot be signed. */
  signed(card: AgentCard): Promise<AgentCard>;
}

interface ServedText {
  readonly text: string;
  readonly etag: string;
}

/**
 * Serves the agent card of protocol 1.0, and the card with the fields of both 0.3 and 1.0 at a separate path, or when the
 * version header is 0.3. Cards are signed unless the signing key cannot be read.
 */
export function createServedCards({ card, signer, publicUrl, log }: ServedCardDeps): ServedCards {
  const jku = `${publicUrl}${JWKS_PATH}`;
  const combined = combinedCardOf(card);
  const current = cardJson(card);
  const unsigned = { current: toServedText(current), combined: toServedText(combined) };
  let texts: Promise<typeof unsigned> | null = null;

  /** Logs an unexpected reason why a card is not signed; a missing key or full storage is reported elsewhere. */
  function logFailure(cause: unknown): void {
    if (!(cause instanceof ToolError)) log.error("a2a_card_unsigned", { cause });
  }

  async function signed(plain: AgentCard): Promise<AgentCard> {
    if (signer === undefined) return plain;
    try {
      return { ...plain, signatures: await signaturesOf(plain, cardJson(plain), signer, jku) };
    } catch (cause) {
      logFailure(cause);
      return plain;
    }
  }

  async function signBoth(by: Signer): Promise<typeof unsigned> {
    const withSignatures = async (served: Record<string, unknown>) => {
      const signatures = await signaturesOf(card, served, by, jku);
      return toServedText({ ...served, signatures });
    };
    return { current: await withSignatures(current), combined: await withSignatures(combined) };
  }

  /** Returns both cards, signed once; after a failure the next request tries again. */
  async function rendered(): Promise<typeof unsigned> {
    if (signer === undefined) return unsigned;
    texts ??= signBoth(signer);
    try {
      return await texts;
    } catch (cause) {
      texts = null;
      logFailure(cause);
      return unsigned;
    }
  }

  const route = new Hono<HttpEnv>();
  const serveCard = async (c: Context<HttpEnv>, kind: keyof typeof unsigned) => {
    const { text, etag } = (await rendered())[kind];
    const headers = { "cache-control": CACHE_CONTROL, vary: A2A_VERSION_HEADER, etag };
    if (c.req.header("if-none-match") === etag) return c.body(null, 304, headers);
    return c.body(text, 200, { ...headers, "content-type": "application/json" });
  };
  routeGet(route, CARD_PATH, (c) => serveCard(c, versionOf(c, "1.0") === "0.3" ? "combined" : "current"));
  routeGet(route, LEGACY_CARD_PATH, (c) => serveCard(c, "combined"));
  routeGet(route, OLD_CARD_PATH, (c) => c.redirect(CARD_PATH.slice(CARD_PATH.lastIndexOf("/") + 1), 301));
  routeGet(route, JWKS_PATH, async (c) => {
    await rendered(); // creates the key
    const key = await signer?.publicKey();
    if (key === undefined || key === null)
      throw new ToolError("NOT_FOUND", "This server does not sign its agent card");
    return c.json(jwksOf(key), 200, { "cache-control": CACHE_CONTROL });
  });
  return { route, signed };
}

const cardJson = (card: AgentCard) => AgentCard.toJSON(card) as Record<string, unknown>;

function toServedText(card: unknown): ServedText {
  const text = JSON.stringify(card);
  return { text, etag: `"${createHash("sha256").update(text).digest("hex").slice(0, 16)}"` };
}
