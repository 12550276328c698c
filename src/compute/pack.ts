/** Maximum length of a list whose items may differ in kind; those of a longer one are alike. */
const MAX_MIXED = 8;

export interface Packed<T> {
  readonly value: T;
  /** Memory that is moved to the other thread. */
  readonly transfer: readonly ArrayBuffer[];
}

/**
 * Copies a value for another thread. All `Float64Array` in it become parts of one block of memory that is moved instead
 * of copied again; without this, a part of a longer series would be sent with the whole series. Objects and arrays of
 * numbers that occur several times are copied once. The value is plain data, in which the items of a list of more than
 * eight are alike, and is not changed.
 */
export function pack<T>(value: T): Packed<T> {
  const columns = new Set<Float64Array>();
  const known = new Map<object, boolean>();
  if (!findColumns(value, columns, known)) return { value, transfer: [] };
  let length = 0;
  for (const column of columns) length += column.length;
  const block = new Float64Array(length);
  const parts = new Map<Float64Array, Float64Array>();
  let offset = 0;
  for (const column of columns) {
    block.set(column, offset);
    parts.set(column, block.subarray(offset, offset + column.length));
    offset += column.length;
  }
  const copies = new Map<object, object>();
  const copy = (part: unknown): unknown => {
    if (part instanceof Float64Array) return parts.get(part);
    if (typeof part !== "object" || part === null || known.get(part) !== true) return part;
    const before = copies.get(part);
    if (before !== undefined) return before;
    const made: object = Array.isArray(part) ? [] : {};
    copies.set(part, made);
    if (Array.isArray(part)) for (const item of part) (made as unknown[]).push(copy(item));
    else for (const [key, item] of Object.entries(part)) (made as Record<string, unknown>)[key] = copy(item);
    return made;
  };
  return { value: copy(value) as T, transfer: [block.buffer] };
}

/** Collects the `Float64Array` in a value, and notes for each object whether it contains one. */
function findColumns(value: unknown, columns: Set<Float64Array>, known: Map<object, boolean>): boolean {
  if (value instanceof Float64Array) {
    columns.add(value);
    return true;
  }
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return false;
  const before = known.get(value);
  if (before !== undefined) return before;
  known.set(value, false);
  let found = false;
  const parts = Array.isArray(value) ? itemsOf(value, columns, known) : Object.values(value);
  for (const part of parts) if (findColumns(part, columns, known)) found = true;
  known.set(value, found);
  return found;
}

/** Returns the items that may contain a `Float64Array`; only the first of a long list is looked at. */
const itemsOf = (
  list: readonly unknown[],
  columns: Set<Float64Array>,
  known: Map<object, boolean>,
): readonly unknown[] => (list.length <= MAX_MIXED || findColumns(list[0], columns, known) ? list : []);
