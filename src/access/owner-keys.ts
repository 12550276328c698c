import { OWNER_ACCOUNT } from "../domain/accounts/access.ts";
import type { Usage } from "../domain/accounts/usage-port.ts";
import type { Audit } from "../domain/audit/audit-port.ts";
import { type OwnerKeys, PAGE_KEY_SCOPES } from "../domain/installation/installation-port.ts";
import type { Clock } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import type { Access, KeyView } from "./access.ts";
import { ownerPrincipal } from "./callers.ts";

interface OwnerKeysOptions {
  readonly access: Pick<Access, "list" | "create" | "revoke">;
  readonly usage: Pick<Usage, "read">;
  readonly audit: Audit;
  readonly clock: Clock;
}

/** Creates the keys of the owner's account for the page. Each change is written to the audit log before it is made. */
export function createOwnerKeys({ access, usage, audit, clock }: OwnerKeysOptions): OwnerKeys {
  const owner = ownerPrincipal();
  return {
    async list() {
      const since = clock.now().toISOString().slice(0, 10);
      const [keys, used] = await Promise.all([
        access.list(OWNER_ACCOUNT),
        usage.read({ account: OWNER_ACCOUNT, since, by: "key" }),
      ]);
      const calls = new Map(used.map((sum) => [sum.name, sum.calls]));
      return keys.map((key) => ({
        ...shown(key),
        plan: key.plan,
        calls_today: calls.get(key.id) ?? 0,
        revocable: isPageKey(key),
      }));
    },
    async create({ name, scopes }, by) {
      await audit.write(OWNER_ACCOUNT, "key_created", { by, name, scopes });
      const { key, ...facts } = await access.create({
        account: OWNER_ACCOUNT,
        plan: owner.plan as "enterprise",
        name,
        scopes,
      });
      return { key, ...shown(facts), plan: owner.plan };
    },
    async revoke(id, by) {
      const found = (await access.list(OWNER_ACCOUNT)).find((key) => key.id === id);
      if (found === undefined) throw new ToolError("NOT_FOUND", "Key not found");
      if (!isPageKey(found))
        throw new ToolError(
          "REFUSED",
          "Only keys without write, live trading and administration are revoked here",
          {
            hint: "The owner revokes it on the machine of the server.",
            command: "market-signal keys revoke <id>",
          },
        );
      await audit.write(OWNER_ACCOUNT, "key_revoked", { by, key: id });
      await access.revoke(id, OWNER_ACCOUNT);
    },
  };
}

const isPageKey = ({ scopes }: Pick<KeyView, "scopes">): boolean =>
  scopes.every((scope) => PAGE_KEY_SCOPES.some((one) => one === scope));

const shown = ({ id, name, last4, scopes, state, created_at, expires_at, last_used_at }: KeyView) => ({
  id,
  name,
  last4,
  scopes,
  state,
  created_at,
  expires_at,
  last_used_at,
});
