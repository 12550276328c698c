import { auditOf, EVERY_MARKET } from "../access/audit/audit.ts";
import type { SecretStore } from "../access/vault/secret-store.ts";
import { OWNER_ACCOUNT } from "../domain/accounts/access.ts";
import type { AuditRepository } from "../domain/audit/audit-port.ts";
import type { ConnectionName } from "../domain/backups/backups.ts";
import type { Clock, Log } from "../domain/ports.ts";
import { asToolError } from "../kernel/errors.ts";
import { SetupError } from "../lib/setup-error.ts";
import {
  connectionNames,
  pendingRestore,
  setRestoreLogged,
  unreconciledNames,
} from "../store/backups/mark-restored.ts";
import type { Store } from "../store/store.ts";

interface RestoredDeps {
  readonly store: Pick<Store, "db">;
  readonly auditRepository: AuditRepository;
  readonly secretStore: SecretStore;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Writes the entries of the audit log that name restored backups. Returns the number of the last entry; null if none was
 * due, or if the key of the log cannot be opened.
 */
export async function logRestores({
  store,
  auditRepository: repository,
  secretStore: { vault },
  clock,
  log,
}: Omit<RestoredDeps, "secretStore"> & { readonly secretStore: Pick<SecretStore, "vault"> }): Promise<
  number | null
> {
  const audit = auditOf({ repository, vault, clock, market: EVERY_MARKET });
  let entry: number | null = null;
  for (let due = await pendingRestore(store.db); due !== null; due = await pendingRestore(store.db)) {
    try {
      await audit.write(OWNER_ACCOUNT, "restored", { by: "owner", ...due.about });
    } catch (cause) {
      log.warn("restore_not_logged", { message: asToolError(cause).message });
      return null;
    }
    await setRestoreLogged(store.db, due.restoredAt);
    entry = (await repository.notedHeads()).stored?.seq ?? null;
  }
  return entry;
}

/** Returns a text that names a connection. */
export const connectionText = ({ connection_id, broker, account_type, account }: ConnectionName): string =>
  `${connection_id} (${broker} ${account_type} of ${account})`;

/**
 * Verifies the master key like `SecretStore.verify`, and completes the audit log after a restore. A missing key is
 * accepted until the restore is in the audit log: it then returns false, and the server runs without its sealed secrets.
 */
export async function verifySecrets(deps: RestoredDeps): Promise<boolean> {
  try {
    await deps.secretStore.verify();
  } catch (cause) {
    if (!(cause instanceof SetupError) || (await pendingRestore(deps.store.db)) === null) throw cause;
    deps.log.warn("master_key_missing", { message: cause.message });
    return false;
  }
  await logRestores(deps);
  return true;
}

/** Returns sentences for the server owner on what is still to do after a restore; empty if nothing is. */
export async function restoreNotes({
  store: { db },
  secretStore,
}: Pick<RestoredDeps, "store" | "secretStore">): Promise<readonly string[]> {
  const waiting = await unreconciledNames(db);
  const missing =
    (await pendingRestore(db)) === null
      ? null
      : await secretStore.verify().then(
          () => null,
          (cause: unknown) => (cause instanceof SetupError ? cause.message : null),
        );
  const lost = missing === null ? [] : await connectionNames(db);
  return [
    ...(missing === null
      ? []
      : [
          `restored without the master key, so that secret settings of the vault are not used. ${missing}${lost.length === 0 ? "" : ` Connections that cannot be used: ${lost.map(connectionText).join(", ")}`}`,
        ]),
    ...(waiting.length === 0
      ? []
      : [
          `restored from a backup: live orders wait until reconcile_orders has read the orders of ${waiting.map(connectionText).join(", ")}`,
        ]),
  ];
}
