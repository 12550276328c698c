import type { FirstSecrets } from "../../src/domain/vault/secrets-port.ts";

/** Unencrypted secrets in memory. */
export function memorySecrets(): FirstSecrets & { readonly stored: Map<string, string> } {
  const stored = new Map<string, string>();
  const key = (account: string, name: string) => `${account} ${name}`;
  return {
    stored,
    save: async (account, name, text) => void stored.set(key(account, name), text),
    open: async (account, name) => stored.get(key(account, name)) ?? null,
    remove: async (account, name) => void stored.delete(key(account, name)),
    async saveIfAbsent(account, name, text) {
      const first = stored.get(key(account, name)) ?? text;
      stored.set(key(account, name), first);
      return first;
    },
  };
}
