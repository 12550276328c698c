import { createHmac } from "node:crypto";
import type { KeyedHash } from "../../src/domain/vault/secrets-port.ts";

/** Returns a keyed hash whose key repeats one byte. */
export const testHash =
  (byte: number): KeyedHash =>
  async (text) =>
    createHmac("sha256", Buffer.alloc(32, byte)).update(text).digest();
