/** Maximum length of a list whose items may differ in type; all items of a longer list have the same type. */
const MAX_MIXED = 8;

export interface Packed<T> {
  readonly value: T;
  /** Memory to transfer to the other thread. */
  readonly transfer: readonly ArrayBuffer[];
}

/**
 * Copies a value for another thread. Every `Float64Array` in it is copied into one block of memory, which is transferred
 * instead of copied again; otherwise a view of a longer series would be sent with the whole series. Objects and arrays
 * that occur several times are copied once. The value must be plain data, in which all items of a list of more than
 * eight have the same type; it is not changed.
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
    const existing = copies.get(part);
    if (existing !== undefined) return existing;
    const target: object = Array.isArray(part) ? [] : {};
    copies.set(part, target);
    if (Array.isArray(part)) for (const item of part) (target as unknown[]).push(copy(item));
    else
      for (const [key, item] of Object.entries(part)) (target as Record<string, unknown>)[key] = copy(item);
    return target;
  };
  return { value: copy(value) as T, transfer: [block.buffer] };
}

/**
 * Collects every `Float64Array` in a value and returns true if there is one. `known` records for each object whether it
 * contains one.
 */
function findColumns(value: unknown, columns: Set<Float64Array>, known: Map<object, boolean>): boolean {
  if (value instanceof Float64Array) {
    columns.add(value);
    return true;
  }
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return false;
  const contains = known.get(value);
  if (contains !== undefined) return contains;
  known.set(value, false);
  let found = false;
  const parts = Array.isArray(value) ? itemsOf(value, columns, known) : Object.values(value);
  for (const part of parts) if (findColumns(part, columns, known)) found = true;
  known.set(value, found);
  return found;
}

/** Returns the items that may contain a `Float64Array`; of a long list only the first item is checked. */
const itemsOf = (
  list: readonly unknown[],
  columns: Set<Float64Array>,
  known: Map<object, boolean>,
): readonly unknown[] => (list.length <= MAX_MIXED || findColumns(list[0], columns, known) ? list : []);
