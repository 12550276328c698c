import type { Plan, Principal } from "../domain/accounts/access.ts";
import type { AccountFilter, AccountRecord, KeyRecord, Keyring } from "../domain/accounts/keyring-port.ts";
import type { Clock, Ids } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import { ownerPrincipal } from "./callers.ts";
import { draftKey, type KeyRequest, renewalOf } from "./keys/key-draft.ts";
import { hashOf, isWellFormed } from "./keys/key-format.ts";
import { type KeyState, keyFault, stateOf } from "./keys/key-state.ts";
import type { PlanSchedule } from "./plans.ts";

export interface AccessOptions {
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly schedule: PlanSchedule;
}

/** Who a key speaks for. */
export interface Identity extends Principal {
  readonly keyId: string;
  /** ISO 8601 UTC; null where the key does not expire. */
  readonly expiresAt: string | null;
}

/** A key as its owner may see it; the key itself is gone. */
export interface KeyView extends Omit<KeyRecord, "hash"> {
  readonly state: KeyState;
}

/** A key just made: the only time that its text is shown. */
export interface IssuedKey extends KeyView {
  readonly key: string;
}

/** A key beside the plan of its account. */
export interface ListedKey extends KeyView {
  /** Null where the account is gone. */
  readonly plan: Plan | null;
}

/** A key that takes over from another. */
export interface RotatedKey extends IssuedKey {
  /** Until when the key it replaces is good, ISO 8601 UTC. */
  readonly old_works_until: string;
}

export interface NewKey extends KeyRequest {
  /** An account to make the key for, opened where it is new; a new account without. */
  readonly account?: string;
  /** The plan of an account opened now; "pro" without. */
  readonly plan?: Plan;
}

/** Keys and the accounts behind them. `account` limits a call to one account's keys; the operator leaves it out. */
export interface Access {
  /** Rejects with UNAUTHENTICATED, saying why. A revocation holds everywhere within half a second. */
  identify(key: string | null): Promise<Identity>;
  create(request?: NewKey): Promise<IssuedKey>;
  list(account?: string): Promise<readonly ListedKey[]>;
  revoke(id: string, account?: string): Promise<void>;
  /** A new key with the same rights and lifetime; the old one lives on for the grace (ms, a day by default). */
  rotate(id: string, options?: { readonly graceMs?: number; readonly account?: string }): Promise<RotatedKey>;
  /** Changes the plan of an account, or the named row of the schedule granted to it (null takes it back). */
  setAccount(id: string, change: { readonly plan?: Plan; readonly terms?: string | null }): Promise<void>;
  /** Opens the owner's account; its first key where none was ever made here, null ever after. */
  createFirstKey(): Promise<IssuedKey | null>;
}

interface CachedIdentity {
  /** Milliseconds on the monotonic clock. */
  readonly readAt: number;
  readonly key: KeyRecord;
  readonly identity: Identity;
}

const ACCOUNT_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const CACHE_TTL_MS = 500;
const DAY_MS = 86_400_000;

/** Builds the access desk over one keyring. */
export function createAccess({ keyring, clock, ids, schedule }: AccessOptions): Access {
  // By the key itself, which none outlives its belief here by more than as long again.
  const recent = new Map<string, CachedIdentity>();
  const now = () => clock.now().toISOString();
  const view = ({ hash: _, ...key }: KeyRecord): KeyView => ({ ...key, state: stateOf(key, now()) });

  async function find(text: string): Promise<CachedIdentity> {
    const known = recent.get(text);
    // Monotonic: setting the clock back must not make a revoked key live longer.
    if (known !== undefined && performance.now() - known.readAt < CACHE_TTL_MS) return known;
    if (!isWellFormed(text)) throw keyFault("malformed");
    const readAt = performance.now();
    const held = await keyring.findByHash(hashOf(text));
    if (held === null) throw keyFault("unknown");
    const found = { readAt, key: held.key, identity: identityOf(held.key, held.account) };
    if (recent.size === 0) setTimeout(() => recent.clear(), CACHE_TTL_MS).unref();
    recent.set(text, found);
    return found;
  }

  const draft = (account: string, request: KeyRequest) => {
    const { key, record } = draftKey({ id: ids.uuid(), account, now: now(), ...request });
    return { record, issued: (): IssuedKey => ({ ...view(record), key }) };
  };

  async function keyWithin(reach: AccountFilter, id: string): Promise<KeyRecord> {
    const key = await keyring.key(reach, id);
    if (key === null) throw new ToolError("NOT_FOUND", "There is no such key");
    return key;
  }

  return {
    async identify(text) {
      if (text === null) throw keyFault("missing");
      const { key, identity } = await find(text);
      const state = stateOf(key, now());
      if (state !== "active" && state !== "grace") throw keyFault(state);
      return identity;
    },
    async create({ account = ids.uuid(), plan, ...request } = {}) {
      if (!ACCOUNT_NAME.test(account))
        throw new ToolError("INVALID_INPUT", "An account is named by at most 64 of a-z, 0-9, '.', '_', '-'");
      const { record, issued } = draft(account, request);
      const wanted: AccountRecord = { id: account, plan: plan ?? "pro", terms: null, created_at: now() };
      await keyring.openAccount(wanted, record, (kept) => {
        if (plan !== undefined && kept.plan !== plan)
          throw new ToolError("CONFLICT", `The account "${account}" has the "${kept.plan}" plan`, {
            hint: "Leave the plan out, or change it with `market-signal keys account <account> --plan <plan>`.",
          });
      });
      return issued();
    },
    async list(account) {
      const keys = await keyring.keys(account ?? null);
      const holders = new Map<string, AccountRecord | null>();
      for (const key of keys)
        if (!holders.has(key.account)) holders.set(key.account, await keyring.account(key.account));
      return keys.map((key) => ({ ...view(key), plan: holders.get(key.account)?.plan ?? null }));
    },
    async revoke(id, account) {
      if (!(await keyring.revokeKey(account ?? null, id, now())))
        throw new ToolError("NOT_FOUND", "There is no such key");
      recent.clear();
    },
    async rotate(id, { graceMs = DAY_MS, account } = {}) {
      const graceUntil = new Date(clock.now().getTime() + graceMs);
      if (!(graceMs >= 0) || Number.isNaN(graceUntil.getTime()))
        throw new ToolError("INVALID_INPUT", "A grace is a length of time, 0 or more milliseconds");
      const reach = account ?? null;
      const old = await keyWithin(reach, id);
      const state = stateOf(old, now());
      const refusal = new ToolError("CONFLICT", "Only a key in use can be rotated", {
        hint: "Make a new key instead.",
      });
      if (state !== "active") throw refusal;
      const { record, issued } = draft(old.account, renewalOf(old, now()));
      const until = graceUntil.toISOString();
      if (!(await keyring.replaceKey(reach, id, record, until))) throw refusal;
      recent.clear();
      const expires = old.expires_at;
      return { ...issued(), old_works_until: expires !== null && expires < until ? expires : until };
    },
    async setAccount(id, change) {
      if (id === ownerPrincipal().account)
        throw new ToolError("INVALID_INPUT", "The owner of this machine keeps the enterprise plan", {
          hint: "Make another account: `market-signal keys create --plan <plan>`.",
        });
      if (typeof change.terms === "string" && !Object.hasOwn(schedule.named, change.terms))
        throw new ToolError("INVALID_INPUT", `Schedule ${schedule.name} has no row named "${change.terms}"`, {
          data: { named: Object.keys(schedule.named) },
        });
      if (!(await keyring.changeAccount(id, change)))
        throw new ToolError("NOT_FOUND", "There is no such account");
      recent.clear();
    },
    async createFirstKey() {
      const { account, plan, scopes } = ownerPrincipal();
      const { record, issued } = draft(account, { name: "first agent", scopes });
      const owner: AccountRecord = { id: account, plan: plan as Plan, terms: null, created_at: now() };
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
