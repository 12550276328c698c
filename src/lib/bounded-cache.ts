import { LRUCache } from "lru-cache";

const MB = 1024 * 1024;
/** Memory that all caches of this process may take together by default, bytes. */
const DEFAULT_BUDGET = 48 * MB;
/** Memory of an object, a text and an entry beside its content, bytes. */
const [OBJECT_BYTES, TEXT_BYTES, ENTRY_BYTES] = [32, 24, 160];
/** Number of elements of a long list that are measured; the others count as their mean. */
const MAX_MEASURED = 32;
/** Number of parts of a value that are measured; the rest counts nothing. */
const MAX_PARTS = 2_000;

export interface CacheOptions<V> {
  /** Name of what is cached, for tests and reports. */
  readonly name: string;
  /** Maximum number of entries. Default: only the budget limits them. */
  readonly max?: number;
  /** Returns the size of a value in bytes. Default: measured. */
  readonly sizeOf?: (value: V) => number;
}

/** A cache whose least recently used entries are evicted. */
export interface BoundedCache<K, V> {
  /** Number of entries. */
  readonly size: number;
  get(key: K): V | undefined;
  /** Returns a value without marking it as used. */
  peek(key: K): V | undefined;
  has(key: K): boolean;
  set(key: K, value: V): void;
  delete(key: K): void;
  clear(): void;
  keys(): IterableIterator<K>;
}

/** Size of one cache of this process. */
export interface CacheUsage {
  readonly name: string;
  readonly entries: number;
  /** Maximum number of entries; infinite if only the budget limits it. */
  readonly max: number;
  readonly bytes: number;
}

/** A cache with what the budget needs of it. */
interface BudgetedCache extends Pick<CacheUsage, "name" | "max"> {
  readonly store: LRUCache<string, object>;
  readonly cache: BoundedCache<unknown, unknown>;
  readonly counted: CountedSize;
}

/** Size of a cache as it is included in `total`. */
interface CountedSize {
  bytes: number;
}

/** Every cache of this process; memory belongs to the process, and so does its budget. */
const caches = new Set<WeakRef<BudgetedCache>>();
let budget = DEFAULT_BUDGET;
/** Size of all caches; kept up to date, so that a set does not visit every cache. */
let total = 0;
const collected = new FinalizationRegistry<CountedSize>(({ bytes }) => {
  total -= bytes;
});

/**
 * Creates a cache. All caches of the process share one budget of memory: if they exceed it together, the largest ones
 * evict their least recently used entries. This is the only way to make a cache, so that none grows with what callers
 * send.
 */
export function createBoundedCache<K extends {}, V extends {}>({
  name,
  max = Number.POSITIVE_INFINITY,
  sizeOf = measuredBytes,
}: CacheOptions<V>): BoundedCache<K, V> {
  // a maximum number of entries would allocate the memory of all entries at once
  const store = new LRUCache<K, V>({ maxSize: Number.MAX_SAFE_INTEGER });
  const counted: CountedSize = { bytes: 0 };
  const count = () => {
    total += store.calculatedSize - counted.bytes;
    counted.bytes = store.calculatedSize;
  };
  const cache: BoundedCache<K, V> & { readonly budgeted: BudgetedCache } = {
    get size() {
      return store.size;
    },
    get: (key) => store.get(key),
    peek: (key) => store.peek(key),
    has: (key) => store.has(key),
    set(key, value) {
      const size = ENTRY_BYTES + measuredBytes(key) + Math.ceil(sizeOf(value));
      store.set(key, value, { size });
      if (store.size > max) store.pop();
      count();
      evictBeyondBudget(budgeted);
    },
    delete(key) {
      store.delete(key);
      count();
    },
    clear() {
      store.clear();
      count();
    },
    keys: () => store.keys(),
    // lives as long as the cache
    get budgeted() {
      return budgeted;
    },
  };
  const budgeted: BudgetedCache = {
    name,
    max,
    store: store as unknown as LRUCache<string, object>,
    cache: cache as unknown as BoundedCache<unknown, unknown>,
    counted,
  };
  caches.add(new WeakRef(budgeted));
  collected.register(budgeted, counted);
  return cache;
}

/** Sets the memory that all caches of this process may take together, bytes. */
export function setCacheBudget(bytes: number): void {
  budget = bytes;
  evictBeyondBudget();
}

/** Returns the size of every cache of this process, and the caches themselves. */
export const cachesInUse = (): readonly (CacheUsage & Pick<BudgetedCache, "cache">)[] =>
  usedCaches().map(({ name, max, store, cache }) => ({
    name,
    max,
    cache,
    entries: store.size,
    bytes: store.calculatedSize,
  }));

/** Returns the caches that are still in use. */
function usedCaches(): readonly BudgetedCache[] {
  const found: BudgetedCache[] = [];
  for (const reference of caches) {
    const one = reference.deref();
    if (one === undefined) caches.delete(reference);
    else found.push(one);
  }
  return found;
}

/** Share of the budget that is free after an eviction, so that few of the next entries need another one. */
const FREED_AT_ONCE = 1 / 64;

/** Evicts from the largest caches if all exceed the budget. An entry just set stays, even if it alone is larger. */
function evictBeyondBudget(changed?: BudgetedCache): void {
  if (total <= budget) return;
  const least = budget * (1 - FREED_AT_ONCE);
  const used = usedCaches();
  const hasMore = (one: BudgetedCache) => one.store.size > (one === changed ? 1 : 0);
  while (total > least) {
    const evictable = used.filter(hasMore).toSorted((a, b) => b.counted.bytes - a.counted.bytes);
    if (evictable.length === 0) return;
    const level = levelOf(
      evictable.map(({ counted }) => counted.bytes),
      total - least,
    );
    for (const one of evictable) {
      const { store, counted } = one;
      if (counted.bytes <= level) break;
      do store.pop();
      while (store.calculatedSize > level && hasMore(one));
      total += store.calculatedSize - counted.bytes;
      counted.bytes = store.calculatedSize;
    }
  }
}

/** Returns the size to which the largest of several sizes, largest first, are cut to be less by an excess together. */
function levelOf(sizes: readonly number[], excess: number): number {
  let sum = -excess;
  for (const [i, size] of sizes.entries()) {
    sum += size;
    const level = sum / (i + 1);
    if (level >= (sizes[i + 1] ?? Number.NEGATIVE_INFINITY)) return level;
  }
  return 0;
}

/** Returns about how many bytes of memory a value takes; of a long list a sample is measured. */
export const measuredBytes = (value: unknown): number => bytesOf(value, { remaining: MAX_PARTS });

function bytesOf(value: unknown, parts: { remaining: number }): number {
  if (typeof value === "string") return TEXT_BYTES + value.length;
  if (typeof value !== "object" || value === null || parts.remaining-- <= 0) return 8;
  if (ArrayBuffer.isView(value)) return OBJECT_BYTES + value.byteLength;
  const list =
    value instanceof Map || value instanceof Set
      ? [...(value as Iterable<unknown>)]
      : Array.isArray(value)
        ? value
        : Object.values(value);
  const step = Math.max(1, Math.floor(list.length / MAX_MEASURED));
  let [bytes, measured] = [0, 0];
  for (let i = 0; i < list.length; i += step, measured++) bytes += 16 + bytesOf(list[i], parts);
  return OBJECT_BYTES + (measured === 0 ? 0 : Math.ceil((bytes / measured) * list.length));
}
