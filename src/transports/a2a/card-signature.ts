import { createHash } from "node:crypto";
import { type AgentCard, type AgentCardSignature, canonicalizeAgentCard } from "@a2a-js/sdk";
import canonicalize from "canonicalize";
import type { Signer } from "../../domain/receipts/receipts-port.ts";

const ALGORITHM = "EdDSA";

/** Returns the key id of an Ed25519 public key in base64url: its thumbprint. @see RFC 7638, RFC 8037 */
const keyIdOf = (x: string): string =>
  createHash("sha256")
    .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");

/** Returns the JWK set of an Ed25519 public key in base64url. */
export const jwksOf = (x: string) => ({
  keys: [{ kty: "OKP", crv: "Ed25519", x, kid: keyIdOf(x), use: "sig", alg: ALGORITHM }],
});

/** Signs canonical JSON as a detached JWS, whose header names the key and the address of its JWK set. */
async function sign(payload: string, { sign }: Signer, jku: string): Promise<AgentCardSignature> {
  const encoded = (text: string) => Buffer.from(text, "utf8").toString("base64url");
  const protectedHeader = (key: string) =>
    encoded(JSON.stringify({ alg: ALGORITHM, typ: "JOSE", kid: keyIdOf(key), jku }));
  const { publicKey, signature } = await sign((key) => `${protectedHeader(key)}.${encoded(payload)}`);
  return { protected: protectedHeader(publicKey), signature, header: undefined };
}

/**
 * Returns the signatures of a card whose JSON is served as `served`: the first over its fields of protocol 1.0 without
 * empty values, as the official libraries verify it, the second over the JSON as served.
 */
export async function signaturesOf(
  card: AgentCard,
  served: Readonly<Record<string, unknown>>,
  signer: Signer,
  jku: string,
): Promise<AgentCardSignature[]> {
  const payloads = [canonicalizeAgentCard(card), canonicalize(served) ?? ""];
  return Promise.all(payloads.map((payload) => sign(payload, signer, jku)));
}
