import { appliedAt, describeUrl, migrateAt } from "../postgres/open-store.ts";
import { assertEmpty, copyRows } from "./copy.ts";
import { openPostgresSource, openPostgresTarget } from "./postgres-side.ts";
import type { CopySource } from "./side.ts";

/** Applies missing migrations to an empty PostgreSQL database and copies all rows into it. Returns what was copied. */
export async function copyToPostgres(
  source: CopySource,
  url: string,
  onProgress?: Parameters<typeof copyRows>[2],
) {
  await migrateAt(url);
  const target = await openPostgresTarget(url);
  try {
    return { to: describeUrl(url), ...(await copyRows(source, target, onProgress)) };
  } finally {
    await target.close();
  }
}

/** @throws SetupError if a PostgreSQL database has rows or is in use, so that nothing can be copied into it */
export async function assertEmptyAt(url: string): Promise<void> {
  if ((await appliedAt(url)).length === 0) return;
  const target = await openPostgresSource(url, { isAlone: true });
  try {
    await assertEmpty(target);
  } finally {
    await target.close();
  }
}
