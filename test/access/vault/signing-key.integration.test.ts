import { dirname } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anonymousPrincipal, ownerPrincipal } from "../../../src/access/callers.ts";
import { SYSTEM_ACCOUNT, signerOf } from "../../../src/access/vault/signing-key.ts";
import { createVault, masterKey, rewrap } from "../../../src/access/vault/vault.ts";
import { sealsIn } from "../../../src/store/vault/seals.ts";
import { sealedSecrets } from "../../../src/store/vault/secrets.ts";
import { memorySecrets } from "../../support/memory-secrets.ts";
import { fileStore, testAccess } from "../../support/store.ts";

const [first, second] = [1, 2].map((byte) => masterKey(Buffer.alloc(32, byte).toString("hex"))!);
const text = (said: string) => (publicKey: string) => `${said} by ${publicKey}`;

describe("the signing key of an installation", () => {
  it("is created on the first signature, and does not change", async () => {
    const secrets = memorySecrets();
    const signer = signerOf(secrets);
    expect(await signer.publicKey()).toBeNull();
    const { publicKey, signature } = await signer.sign(text("this"));
    expect(Buffer.from(publicKey, "base64url")).toHaveLength(32);
    expect(await signerOf(secrets).publicKey()).toBe(publicKey);
    // Ed25519 signatures are deterministic
    expect(await signerOf(secrets).sign(text("this"))).toEqual({ publicKey, signature });
    expect(signer.verify(`this by ${publicKey}`, signature, publicKey)).toBe(true);
  });

  it("is created once by concurrent processes", async () => {
    const { db } = await fileStore();
    const vault = createVault(() => first!);
    const signers = Array.from({ length: 8 }, () => signerOf(sealedSecrets({ db, vault })));
    const keys = await Promise.all(signers.map((signer) => signer.sign(text("x"))));
    expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1);
  });

  it("does not change under a new master key, and is replaced after it was deleted", async () => {
    const { db, file } = await fileStore();
    const of = (key: typeof first) => signerOf(sealedSecrets({ db, vault: createVault(() => key!) }));
    const { publicKey } = await of(first).sign(text("x"));
    const seals = sealsIn(db, dirname(file));
    await seals.rewrapAll(second!.id, (sealed, about) => rewrap(sealed, about, first!, second!));
    expect(await of(second).publicKey()).toBe(publicKey);
    await seals.forget();
    expect(await of(second).publicKey()).toBeNull();
    expect((await of(second).sign(text("x"))).publicKey).not.toBe(publicKey);
  });

  it("belongs to no real account", async () => {
    const { access } = await testAccess();
    const { account } = await access.create({ plan: "pro" });
    const accounts = [account, ownerPrincipal().account, anonymousPrincipal("10.0.0.1").account];
    expect(accounts).not.toContain(SYSTEM_ACCOUNT);
    expect(account).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("a signature", () => {
  it("is valid only for its text and key, in a single encoding", async () => {
    const signer = signerOf(memorySecrets());
    const { publicKey, signature } = await signer.sign(() => "text");
    const other = await signerOf(memorySecrets()).sign(() => "text");
    expect(signer.verify("text", signature, publicKey)).toBe(true);
    expect(signer.verify("Text", signature, publicKey)).toBe(false);
    expect(signer.verify("text", signature, other.publicKey)).toBe(false);
    expect(signer.verify("text", other.signature, other.publicKey)).toBe(true);
    // the last of 86 digits holds two bits of the signature and four unused ones
    const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const sameBytes = [...digits].filter(
      (digit) =>
        Buffer.from(`${signature.slice(0, -1)}${digit}`, "base64url").equals(
          Buffer.from(signature, "base64url"),
        ) && digit !== signature.at(-1),
    );
    expect(sameBytes).toHaveLength(15);
    for (const digit of sameBytes)
      expect(signer.verify("text", `${signature.slice(0, -1)}${digit}`, publicKey)).toBe(false);
    for (const spoiled of ["", `${signature}=`, ` ${signature}`, `${signature}AA`, signature.slice(1)])
      expect(signer.verify("text", spoiled, publicKey)).toBe(false);
  });

  it("is invalid for any other input, and never throws", () => {
    const signer = signerOf(memorySecrets());
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.uint8Array({ minLength: 32, maxLength: 32 }), (a, b, key) => {
        expect(signer.verify(a, b, Buffer.from(key).toString("base64url"))).toBe(false);
        expect(signer.verify(a, Buffer.alloc(64, 1).toString("base64url"), b)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});
