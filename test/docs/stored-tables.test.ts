import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { testStore } from "../support/store.ts";

/** Tables of the library that migrates the database. */
const MIGRATION_TABLE = /^kysely_/;

it("docs/operations.md names the bound of every table once", async () => {
  const text = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");
  const [, table = ""] = /<!-- tables -->(.*?)<!-- \/tables -->/s.exec(text) ?? [];
  const named = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  );
  const { db } = await testStore({ inMemory: true });
  const { rows } = await sql<{
    name: string;
  }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`.execute(db);
  const stored = rows.map(({ name }) => name).filter((name) => !MIGRATION_TABLE.test(name));
  expect(named.toSorted()).toEqual(stored.sort());
});
