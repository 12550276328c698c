import { createDecipheriv } from "node:crypto";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createVault,
  type MasterKey,
  masterKey,
  newMasterKeyText,
  rewrap,
} from "../../../src/access/vault/vault.ts";

const keyOf = (byte: number): MasterKey => masterKey(Buffer.alloc(32, byte).toString("hex"))!;
const vaultOf = (...keys: readonly MasterKey[]) =>
  createVault((id) => {
    const found = id === null ? keys[0] : keys.find((key) => key.id === id);
    if (found === undefined) throw new Error("no such key");
    return found;
  });
const one = keyOf(1);
const vault = vaultOf(one);

describe("a master key", () => {
  it("is 32 bytes in hex, base64 or base64url, with surrounding whitespace", () => {
    const bytes = Buffer.from(Array.from({ length: 32 }, (_, i) => 255 - i * 7));
    const ways = [
      bytes.toString("hex"),
      bytes.toString("hex").toUpperCase(),
      bytes.toString("base64"),
      bytes.toString("base64url"),
      ` ${bytes.toString("base64")}\n`,
    ];
    expect(new Set(ways.map((text) => masterKey(text)?.id)).size).toBe(1);
    expect(masterKey(ways[0]!)?.secret.export().equals(bytes)).toBe(true);
    expect(masterKey(newMasterKeyText())).not.toBeNull();
  });

  it.each(["", "short", "g".repeat(64), "a".repeat(63), "a".repeat(42), `${"a".repeat(44)}=`])(
    "cannot be %j",
    (text) => expect(masterKey(text)).toBeNull(),
  );

  it("does not print its bytes", () => {
    const shown = inspect(one, { depth: 9 }) + JSON.stringify(one);
    expect(shown).not.toMatch(/(01){8}|AQEBAQ/);
    expect(one.id).toMatch(/^[0-9a-f]{16}$/);
    expect(keyOf(2).id).not.toBe(one.id);
  });
});

describe("the vault", () => {
  it("opens what it sealed, for any text and context", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (plain, about) => {
        expect(vault.open(vault.seal(plain, about), about)).toBe(plain);
      }),
    );
  });

  it("seals the same text differently each time, with two fresh 96-bit IVs and a fresh data key", () => {
    const seals = Array.from({ length: 50 }, () => vault.seal("secret", "a|paper").split("."));
    const ivs = seals.flatMap(([, , wrapped, text]) => [wrapped!.slice(0, 16), text!.slice(0, 16)]);
    expect(new Set(ivs).size).toBe(100);
  });

  it("authenticates the context and version with AES-256-GCM and 16-byte tags", () => {
    const [version, id, wrapped, text] = vault.seal("secret", "ada|paper").split(".");
    expect({ version, id }).toEqual({ version: "v1", id: one.id });
    const open = (key: Buffer, sealed: string, aad: string) => {
      const bytes = Buffer.from(sealed, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 });
      decipher.setAAD(Buffer.from(aad)).setAuthTag(bytes.subarray(-16));
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
    };
    const data = open(Buffer.alloc(32, 1), wrapped!, `ada|paper|v1|${one.id}`);
    expect(data.length).toBe(32);
    expect(open(data, text!, "ada|paper|v1").toString()).toBe("secret");
  });

  it("opens nothing for another account, broker or key", () => {
    const sealed = vault.seal("secret", "ada|paper");
    for (const about of ["bob|paper", "ada|alpaca", "ada|paper|v1", ""])
      expect(() => vault.open(sealed, about)).toThrow();
    const two = keyOf(2);
    expect(() => vaultOf(two).open(sealed, "ada|paper")).toThrow("no such key");
    const forged = sealed.replace(one.id, two.id);
    expect(() => vaultOf(two).open(forged, "ada|paper")).toThrow();
  });

  it("rejects any changed, removed or added character", () => {
    const sealed = vault.seal("secret", "ada|paper");
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom(...letters), (at, letter) => {
        fc.pre(sealed[at] !== letter);
        expect(() => vault.open(sealed.slice(0, at) + letter + sealed.slice(at + 1), "ada|paper")).toThrow();
      }),
      { numRuns: 500 },
    );
    for (let length = 0; length < sealed.length; length++)
      expect(() => vault.open(sealed.slice(0, length), "ada|paper")).toThrow();
    expect(() => vault.open(`${sealed}A`, "ada|paper")).toThrow();
  });

  it("rejects parts of another seal", () => {
    const [a, b] = ["first", "second"].map((text) => vault.seal(text, "ada|paper").split("."));
    expect(() => vault.open([a![0], a![1], a![2], b![3]].join("."), "ada|paper")).toThrow();
  });

  it("returns the key id of a seal, and null for other text", () => {
    expect(vault.keyIdOf(vault.seal("", "x"))).toBe(one.id);
    expect(vault.keyIdOf("secret")).toBeNull();
  });

  it("seals with a given key id", () => {
    const two = keyOf(2);
    const both = vaultOf(one, two);
    const sealed = both.seal("secret", "x", two.id);
    expect(both.keyIdOf(sealed)).toBe(two.id);
    expect(vaultOf(two).open(sealed, "x")).toBe("secret");
  });
});

describe("rewrap", () => {
  const two = keyOf(2);

  it("rewraps a seal under another master key without changing its ciphertext", () => {
    const sealed = vault.seal("secret", "ada|paper");
    const moved = rewrap(sealed, "ada|paper", one, two);
    expect(moved.split(".")[3]).toBe(sealed.split(".")[3]);
    expect(vaultOf(two).open(moved, "ada|paper")).toBe("secret");
    expect(() => vaultOf(one).open(moved, "ada|paper")).toThrow();
  });

  it("rejects a seal that the old key does not open", () => {
    const sealed = vault.seal("secret", "ada|paper");
    expect(() => rewrap(sealed, "ada|paper", two, one)).toThrow(
      `The seal is under the master key ${one.id}, not ${two.id}`,
    );
    expect(() => rewrap(sealed, "bob|paper", one, two)).toThrow();
  });
});
