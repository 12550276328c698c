import { AgentCard, canonicalizeAgentCard, verifyAgentCardSignature } from "@a2a-js/sdk";
import canonicalize from "canonicalize";
import { createLocalJWKSet, createRemoteJWKSet, flattenedVerify, type JSONWebKeySet } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { install, useInstallation } from "../../support/installation.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { A2A_TOOLS, type Speaker, speaker } from "./fixture.ts";

const installation = useInstallation("sample", {}, { tools: A2A_TOOLS });
let caller: Speaker;
beforeAll(async () => {
  caller = await speaker(installation);
});

type Json = Record<string, any>;
const read = async (path: string, version?: string): Promise<Json> =>
  (
    await fetch(`${installation.url}${path}`, { headers: version ? { "a2a-version": version } : {} })
  ).json() as Promise<Json>;
const CARD = "/.well-known/agent-card.json";
const JWKS = "/.well-known/jwks.json";
const without = ({ signatures: _, ...card }: Json): Json => card;
const encoded = (text: string) => Buffer.from(text).toString("base64url");

/** Verifies one signature over a payload by the key at the address that its header names. */
async function verify(signature: Json, payload: string): Promise<void> {
  const { jku } = JSON.parse(Buffer.from(signature.protected, "base64url").toString());
  expect(jku).toBe(`${installation.url}${JWKS}`);
  const keys = createRemoteJWKSet(new URL(jku));
  await flattenedVerify(
    { protected: signature.protected, signature: signature.signature, payload: encoded(payload) },
    keys,
  );
}

describe("the signature of the agent card", () => {
  it.each(["1.0", "0.3", ""])(
    "for version %j is verified by jose over the canonical JSON as served, and without empty values",
    async (version) => {
      const card = await read(CARD, version);
      expect(card.signatures).toHaveLength(2);
      await verify(card.signatures[0], canonicalizeAgentCard(AgentCard.fromJSON(card)));
      await verify(card.signatures[1], canonicalize(without(card))!);
    },
  );

  it.each(["1.0", ""])("is verified by the official SDK for version %j", async (version) => {
    const card = AgentCard.fromJSON(await read(CARD, version));
    const { keys } = await read(JWKS);
    const verifier = verifyAgentCardSignature(async (kid) => keys.find((key: Json) => key.kid === kid));
    await verifier(card);
    await expect(verifier({ ...card, name: "Other" })).rejects.toThrow();
  });

  it("fails for a changed card", async () => {
    const card = await read(CARD, "1.0");
    for (const changed of [
      { ...card, name: "Other" },
      { ...card, skills: card.skills.slice(1) },
      { ...card, supportedInterfaces: [{ ...card.supportedInterfaces[0], url: "https://evil.example" }] },
    ])
      await expect(verify(card.signatures[1], canonicalize(without(changed))!)).rejects.toThrow(
        "signature verification failed",
      );
  });

  it("names algorithm, key and address in its protected header", async () => {
    const card = await read(CARD, "1.0");
    const { keys } = await read(JWKS);
    expect(keys).toEqual([
      {
        kty: "OKP",
        crv: "Ed25519",
        x: expect.any(String),
        kid: expect.any(String),
        use: "sig",
        alg: "EdDSA",
      },
    ]);
    expect(JSON.parse(Buffer.from(card.signatures[0].protected, "base64url").toString())).toEqual({
      alg: "EdDSA",
      typ: "JOSE",
      kid: keys[0].kid,
      jku: `${installation.url}${JWKS}`,
    });
    expect(await installation.app.ports.signer?.publicKey()).toBe(keys[0].x);
  });

  it("is also on the extended card, over both bindings", async () => {
    const keys = createLocalJWKSet((await read(JWKS)) as unknown as JSONWebKeySet);
    for (const card of [
      (await caller.rpc("GetExtendedAgentCard", {})).result,
      (await caller.get("/api/a2a/rest/extendedAgentCard")).json,
    ]) {
      const payload = encoded(canonicalize(without(card))!);
      await flattenedVerify({ ...card.signatures[1], payload }, keys);
    }
  });

  it("is by the same key after a restart", async () => {
    const dir = tempDir();
    const keyOf = async () => {
      const site = await install(dir, "sample");
      const response = await fetch(`${site.url}${JWKS}`);
      const { keys } = (await response.json()) as Json;
      await site.stop();
      return keys[0].kid;
    };
    expect(await keyOf()).toBe(await keyOf());
  });

  it("has a key set that is cacheable and needs no key of the caller", async () => {
    const response = await fetch(`${installation.url}${JWKS}`);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "public, max-age=300"]);
    expect(Object.keys(((await response.json()) as Json).keys[0])).not.toContain("d");
  });
});
