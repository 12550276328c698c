import { createVault, masterKey } from "../../src/access/vault/vault.ts";
import type { Connection } from "../../src/domain/trading/trading.ts";

const keyOf = (byte: number) => masterKey(Buffer.alloc(32, byte).toString("hex"))!;
export const [firstKey, secondKey] = [keyOf(1), keyOf(2)];

/** A vault with these keys; the first is the active one. */
export const vaultOf = (...keys: readonly (typeof firstKey)[]) =>
  createVault((id) => {
    const found = id === null ? keys[0] : keys.find((key) => key.id === id);
    if (found === undefined) throw new Error("no such key");
    return found;
  });

/** The nth connection of a paper broker. */
export const paperConnection = (n: number, over: Partial<Connection> = {}): Connection => ({
  connection_id: `cn_${String(n).padStart(20, "0")}`,
  broker: "paper",
  account_type: "paper",
  account_mask: "4242",
  market: "test",
  connected_at: `2026-01-01T00:00:0${n}.000Z`,
  checked_at: `2026-01-01T00:00:0${n}.000Z`,
  ...over,
});
export const CREDENTIALS = { api_key: "canary-key-7f3a", api_secret: 'canary-"secret"-é' };
