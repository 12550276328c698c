import { createHash } from "node:crypto";

/*
 * Keys of advisory locks: of the whole store, of an account, of the row numbers that sequences give, of changes of the
 * master key, and of records.
 */
const STORE = 7_001;
const ACCOUNT = 7_003;
const SEQUENCES = 7_004;
const VAULT = 7_005;
const RECORDS = 7_008;
/** Keys of session locks of the listeners: of the leader, and one that all processes share. */
const LEADER = 7_006;
export const PEERS = 7_007;

const lock = (name: string, key: string | number): string => `select pg_advisory_xact_lock${name}(${key})`;

/** Excludes every other writing transaction. */
export const STORE_LOCK = lock("", STORE);
/** Excludes transactions that hold the lock of the whole store. */
const SHARED_LOCK = lock("_shared", STORE);
/** Excludes other transactions of an account. Two accounts may have the same lock, which is rare and only makes them wait. */
export const accountLock = (account: string): string =>
  `${SHARED_LOCK}; ${lock("", `${ACCOUNT}, ${createHash("sha256").update(account).digest().readInt32BE()}`)}`;
/** Taken within a transaction after any other lock, so that there is no deadlock. */
export const SEQUENCE_LOCK = lock("", SEQUENCES);
export const SHARED_SEQUENCE_LOCK = `${SHARED_LOCK}; ${SEQUENCE_LOCK}`;
/** Excludes other transactions that store records, and those that hold the lock of the whole store. */
export const RECORD_LOCK = `${SHARED_LOCK}; ${lock("", RECORDS)}`;

/** Excludes changes of the master key by all other servers until it is released or the connection ends. */
export const VAULT_LOCK = `select pg_advisory_lock(${VAULT})`;
export const VAULT_UNLOCK = `select pg_advisory_unlock(${VAULT})`;

const LOCKS = new RegExp(
  `^select pg_advisory_xact_lock(_shared)?\\((${STORE}|${ACCOUNT}, -?\\d+|${SEQUENCES})\\)`,
);

/** Returns true for a statement of this file. */
export const isLock = (statement: string): boolean => LOCKS.test(statement);

/** Tries to take the lock of the leader, which one connection holds until it ends; `taken`: 1 if this one has it now. */
export const TRY_LEADER_LOCK = `select pg_try_advisory_lock(${LEADER}) as taken`;
export const RELEASE_LEADER_LOCK = `select pg_advisory_unlock(${LEADER})`;
/** Held by the listener of each process that receives requests of others. */
export const PEER_LOCK = `select pg_advisory_lock_shared(${PEERS})`;
