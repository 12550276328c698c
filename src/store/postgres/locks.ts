import { createHash } from "node:crypto";

/*
 * Keys of the locks of the database: of all writing transactions, of those of an account, of those that draw numbers, and
 * of changes of the master key.
 */
const STORE = 7_001;
const ACCOUNT = 7_003;
const SEQUENCES = 7_004;
const VAULT = 7_005;
/** Keys of the locks of a connection: of the process that leads, and shared by all that take part. */
const LEADER = 7_006;
export const PEERS = 7_007;

const lock = (name: string, key: string | number): string => `select pg_advisory_xact_lock${name}(${key})`;

/** Excludes every other writing transaction. */
export const STORE_LOCK = lock("", STORE);
/** Excludes transactions that exclude every other one. */
const SHARED_LOCK = lock("_shared", STORE);
/** Excludes other transactions of an account; two accounts seldom share a lock, which only makes them wait. */
export const accountLock = (account: string): string =>
  `${SHARED_LOCK}; ${lock("", `${ACCOUNT}, ${createHash("sha256").update(account).digest().readInt32BE()}`)}`;
/** Taken within a transaction, after any other lock, so that no two transactions wait for each other. */
export const SEQUENCE_LOCK = lock("", SEQUENCES);
export const SHARED_SEQUENCE_LOCK = `${SHARED_LOCK}; ${SEQUENCE_LOCK}`;

/** Excludes other changes of the master key, by all servers; held by the connection until it is released. */
export const VAULT_LOCK = `select pg_advisory_lock(${VAULT})`;
export const VAULT_UNLOCK = `select pg_advisory_unlock(${VAULT})`;

const LOCKS = new RegExp(
  `^select pg_advisory_xact_lock(_shared)?\\((${STORE}|${ACCOUNT}, -?\\d+|${SEQUENCES})\\)`,
);

/** Returns true for a statement of this file. */
export const isLock = (statement: string): boolean => LOCKS.test(statement);

/** Taken by one connection of all until it ends; returns whether it is this one. */
export const TRY_LEADER_LOCK = `select pg_try_advisory_lock(${LEADER}) as taken`;
export const RELEASE_LEADER_LOCK = `select pg_advisory_unlock(${LEADER})`;
/** Held by the connection of each process that takes part. */
export const PEER_LOCK = `select pg_advisory_lock_shared(${PEERS})`;
