import type { Plan, Principal } from "../domain/accounts/access.ts";
import type { PlanChange } from "../domain/accounts/accounts-port.ts";
import { KEY_LIFETIME_MS } from "../domain/accounts/key-expiry.ts";
import type { AccountFilter, AccountRecord, KeyRecord, Keyring } from "../domain/accounts/keyring-port.ts";
import type { Clock, Ids } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import { anonymousPrincipal, ownerPrincipal } from "./callers.ts";
import { draftKey, type KeyRequest, renewalOf } from "./keys/key-draft.ts";
import { hashOf, isWellFormed } from "./keys/key-format.ts";
import { isValid, type KeyState, keyFault, stateOf, suspendedError } from "./keys/key-state.ts";
import type { PlanSchedule } from "./plans.ts";

export interface AccessOptions {
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly schedule: PlanSchedule;
  /** Notes the use of a key. Default: uses are not noted. */
  readonly recordKeyUse?: ((id: string) => void) | undefined;
}

/** The principal of a valid API key. */
export interface Identity extends Principal {
  readonly keyId: string;
  /** ISO 8601 UTC; null if the key does not expire. */
  readonly expiresAt: string | null;
}

/** A key without its hash, as shown to its owner. */
export interface KeyView extends Omit<KeyRecord, "hash"> {
  readonly state: KeyState;
}

/** A new key. Its text is returned only here and never stored. */
export interface IssuedKey extends KeyView {
  readonly key: string;
}

export interface ListedKey extends KeyView {
  /** Null when the account does not exist any more. */
  readonly plan: Plan | null;
}

/** The key that replaces a rotated one. */
export interface ReplacementKey extends IssuedKey {
  /** End of the grace period of the replaced key, ISO 8601 UTC. */
  readonly old_works_until: string;
}

export interface NewKey extends Omit<KeyRequest, "expiresAt"> {
  /** ISO 8601; null: the key does not expire. Default: a year from now. */
  readonly expiresAt?: string | null;
  /** Account of the key, created when it does not exist. Default: a new account with a random id. */
  readonly account?: string;
  /** Plan of a newly created account. Default: "pro". */
  readonly plan?: Plan;
}

/** API keys and their accounts. `account` limits a call to the keys of that account; default: all accounts. */
export interface Access {
  /**
   * Rejects with UNAUTHENTICATED and the reason, and with FORBIDDEN while the account is suspended. A revocation or
   * suspension takes effect in every process within 500 ms.
   */
  identify(key: string | null): Promise<Identity>;
  create(request?: NewKey): Promise<IssuedKey>;
  /** Creates an account without a key unless it exists. Rejects with CONFLICT if it exists on another plan. */
  openAccount(account: string, plan?: Plan): Promise<void>;
  list(account?: string): Promise<readonly ListedKey[]>;
  revoke(id: string, account?: string): Promise<void>;
  /** Replaces a key by one with the same scopes and lifetime. The old key stays valid for `graceMs`; default: one day. */
  rotate(
    id: string,
    options?: { readonly graceMs?: number; readonly account?: string },
  ): Promise<ReplacementKey>;
  /** Changes the plan of an account, or its named row of the plan schedule (null removes that row). */
  setAccount(id: string, change: PlanChange): Promise<void>;
  /** Throws INVALID_INPUT for a row that the plan schedule does not have; null and undefined are valid. */
  checkTerms(terms: string | null | undefined): void;
  /** Reads every key again before its next use. */
  forgetCallers(): void;
  /** Creates the owner account and its first key. Returns null when any key was created before. */
  createFirstKey(): Promise<IssuedKey | null>;
}

/** Throws INVALID_INPUT for a text that names no account. */
function checkName(account: string): void {
  if (ACCOUNT_NAME.test(account)) return;
  throw new ToolError(
    "INVALID_INPUT",
    "An account name has 1 to 64 characters of a-z, 0-9, '.', '_', '-' and starts with a letter or digit",
  );
}

interface KeyIdentity {
  readonly key: KeyRecord;
  readonly identity: Identity;
  readonly isSuspended: boolean;
}

const ACCOUNT_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const CACHE_TTL_MS = 500;
const DAY_MS = 86_400_000;

export function createAccess({ keyring, clock, ids, schedule, recordKeyUse }: AccessOptions): Access {
  // Reads by key text, each with the time at which it began, ms on the monotonic clock. An entry is removed after at most
  // twice CACHE_TTL_MS.
  const recent = new Map<string, { readonly readAt: number; readonly identity: Promise<KeyIdentity> }>();
  const now = () => clock.now().toISOString();
  const inAYear = () => new Date(clock.now().getTime() + KEY_LIFETIME_MS).toISOString();
  const view = ({ hash: _, ...key }: KeyRecord): KeyView => ({ ...key, state: stateOf(key, now()) });

  /** Returns the key and account of a text. Concurrent checks of one key share one read. Throws for a malformed key. */
  function find(text: string): Promise<KeyIdentity> {
    const cached = recent.get(text);
    // Monotonic: setting the clock back must not make a revoked key live longer.
    if (cached !== undefined && performance.now() - cached.readAt < CACHE_TTL_MS) return cached.identity;
    if (!isWellFormed(text)) throw keyFault("malformed");
    const read = { readAt: performance.now(), identity: readIdentity(text) };
    if (recent.size === 0) setTimeout(() => recent.clear(), CACHE_TTL_MS).unref();
    recent.set(text, read);
    read.identity.catch(() => {
      if (recent.get(text) === read) recent.delete(text);
    });
    return read.identity;
  }

  async function readIdentity(text: string): Promise<KeyIdentity> {
    const match = await keyring.findByHash(hashOf(text));
    if (match === null) throw keyFault("unknown");
    const { key, account } = match;
    return { key, identity: identityOf(key, account), isSuspended: account.suspended_at !== null };
  }

  const draft = (account: string, request: KeyRequest) => {
    const { key, record } = draftKey({ id: ids.uuid(), account, now: now(), ...request });
    return { record, issued: (): IssuedKey => ({ ...view(record), key }) };
  };

  function checkTerms(terms: string | null | undefined): void {
    if (typeof terms === "string" && !Object.hasOwn(schedule.named, terms))
      throw new ToolError("INVALID_INPUT", `Schedule ${schedule.name} has no row named "${terms}"`, {
        data: { named: Object.keys(schedule.named) },
      });
  }

  async function open(account: string, plan: Plan | undefined, key?: KeyRecord): Promise<void> {
    const requested: AccountRecord = {
      id: account,
      plan: plan ?? "pro",
      terms: null,
      created_at: now(),
      suspended_at: null,
    };
    await keyring.openAccount(requested, key, (stored) => {
      if (plan !== undefined && stored.plan !== plan)
        throw new ToolError("CONFLICT", `The account "${account}" has the "${stored.plan}" plan`, {
          hint: "Omit the plan, or change the plan of the account.",
          command: "market-signal accounts plan <account> --plan <plan>",
        });
    });
  }

  async function findKey(filter: AccountFilter, id: string): Promise<KeyRecord> {
    const key = await keyring.key(filter, id);
    if (key === null) throw new ToolError("NOT_FOUND", "Key not found");
    return key;
  }

  return {
    async identify(text) {
      if (text === null) throw keyFault("missing");
      const { key, identity, isSuspended } = await find(text);
      if (key.revoked_at !== null || key.expires_at !== null || key.replaced_by !== null) {
        const state = stateOf(key, now());
        if (!isValid(state)) throw keyFault(state);
      }
      if (isSuspended) throw suspendedError(key.account);
      recordKeyUse?.(key.id);
      return identity;
    },
    async create({ account = ids.uuid(), plan, expiresAt = inAYear(), ...request } = {}) {
      checkName(account);
      const { record, issued } = draft(account, { ...request, ...(expiresAt !== null && { expiresAt }) });
      await open(account, plan, record);
      return issued();
    },
    async openAccount(account, plan) {
      checkName(account);
      await open(account, plan);
    },
    async list(account) {
      const keys = await keyring.keys(account ?? null);
      const accounts = new Map<string, AccountRecord | null>();
      for (const key of keys)
        if (!accounts.has(key.account)) accounts.set(key.account, await keyring.account(key.account));
      return keys.map((key) => ({ ...view(key), plan: accounts.get(key.account)?.plan ?? null }));
    },
    async revoke(id, account) {
      if (!(await keyring.revokeKey(account ?? null, id, now())))
        throw new ToolError("NOT_FOUND", "Key not found");
      recent.clear();
    },
    async rotate(id, { graceMs = DAY_MS, account } = {}) {
      const graceUntil = new Date(clock.now().getTime() + graceMs);
      if (!(graceMs >= 0) || Number.isNaN(graceUntil.getTime()))
        throw new ToolError("INVALID_INPUT", "The grace period must be 0 or more milliseconds");
      const filter = account ?? null;
      const old = await findKey(filter, id);
      const state = stateOf(old, now());
      const refusal = new ToolError("CONFLICT", "Only an active key can be rotated", {
        hint: "Create a new key instead.",
      });
      if (state !== "active") throw refusal;
      const { record, issued } = draft(old.account, renewalOf(old, now()));
      const until = graceUntil.toISOString();
      if (!(await keyring.replaceKey(filter, id, record, until))) throw refusal;
      recent.clear();
      const expires = old.expires_at;
      return { ...issued(), old_works_until: expires !== null && expires < until ? expires : until };
    },
    async setAccount(id, change) {
      if (id === ownerPrincipal().account)
        throw new ToolError(
          "INVALID_INPUT",
          "The plan of the owner account cannot be changed: it is always enterprise",
          {
            hint: "Create another account.",
            command: "market-signal keys create --plan <plan>",
          },
        );
      checkTerms(change.terms);
      if (!(await keyring.changeAccount(id, change))) throw new ToolError("NOT_FOUND", "Account not found");
      recent.clear();
    },
    checkTerms,
    forgetCallers: () => recent.clear(),
    async createFirstKey() {
      const { account, plan, scopes } = ownerPrincipal();
      const { record, issued } = draft(account, { name: "first agent", scopes });
      const owner: AccountRecord = {
        id: account,
        plan: plan as Plan,
        terms: null,
        created_at: now(),
        suspended_at: null,
      };
      return (await keyring.addFirstKey(owner, record)) ? issued() : null;
    },
  };
}

const identityOf = (key: KeyRecord, { id, plan, terms }: AccountRecord): Identity =>
  Object.freeze({
    account: id,
    plan,
    scopes: key.scopes,
    ...(terms === null ? {} : { terms }),
    keyId: key.id,
    expiresAt: key.expires_at,
  });

/**
 * Resolves a network caller: the principal of its key, or an anonymous one without a key. Rejects an invalid key after
 * `countInvalidKey`, which rejects with RATE_LIMITED after too many invalid keys from one address.
 */
export const createAuthenticator =
  ({
    access,
    countInvalidKey,
  }: {
    readonly access: Pick<Access, "identify">;
    readonly countInvalidKey: (address: string) => Promise<void>;
  }) =>
  async (key: string | null, address: string): Promise<Principal> => {
    if (key === null) return anonymousPrincipal(address);
    try {
      return await access.identify(key);
    } catch (refusal) {
      if (refusal instanceof ToolError && refusal.code === "UNAUTHENTICATED") await countInvalidKey(address);
      throw refusal;
    }
  };
