import { ProviderFailure } from "../../domain/providers/price-provider.ts";

/** A page of rows, with the cursor of the next page; null on the last page. */
export interface Page<T, C> {
  readonly rows: readonly T[];
  readonly next: C | null;
}

/** Reads all pages of rows. @throws ProviderFailure "unsupported" for more than `maxPages` */
export async function readPages<T, C>(
  read: (cursor: C | null) => Promise<Page<T, C>>,
  { maxPages, unit }: { readonly maxPages: number; readonly unit: string },
): Promise<readonly T[]> {
  const all: T[] = [];
  let cursor: C | null = null;
  for (let page = 0; page < maxPages; page++) {
    const { rows, next }: Page<T, C> = await read(cursor);
    for (const row of rows) all.push(row);
    if (next === null) return all;
    cursor = next;
  }
  throw new ProviderFailure("unsupported", `more than ${maxPages} pages of ${unit} in one request`);
}

/** Returns a check that throws ProviderFailure "malformed" for a key that an earlier row had. */
export function createRepeatCheck(unit: string): (key: string) => void {
  const seen = new Set<string>();
  return (key) => {
    if (seen.has(key)) throw new ProviderFailure("malformed", `a page of repeated ${unit}`);
    seen.add(key);
  };
}
