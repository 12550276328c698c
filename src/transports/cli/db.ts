import type { Command } from "commander";
import type {
  CopyReport,
  DatabaseCheck,
  MigrationReport,
  TableComparison,
  TableContents,
} from "../../domain/backups/database-copy.ts";
import { type Column, formatTable } from "../../domain/table.text.ts";
import type { Paint } from "../../kernel/tool.ts";
import { plainText } from "../../lib/plain-text.ts";
import { type Cli, commandWithExamples, withJson, withProgressBar, writeOutput } from "./command.ts";

import { wrapToScreen } from "./screen.ts";

/** Maximum number of values that are named. */
const MAX_NAMED = 20;
const POSTGRES = "postgres://market_signal@db.example.com:5432/market_signal";

interface Output {
  readonly json?: boolean;
}

/** Creates the command db migrate | copy | check. */
export function dbCommand({ host, paint, finish }: Cli): Command {
  const { out, err } = host;
  const clock = { now: () => new Date() };

  const migrate = commandWithExamples(
    "migrate",
    "apply the missing migrations of this version, before the servers are updated one after another",
    ["market-signal db migrate"],
  ).action(async ({ json = false }: Output) => {
    const report = await (await host.database()).migrate();
    writeOutput(out, { json: report, lines: [formatMigrations(report)] }, json);
  });

  const copy = commandWithExamples(
    "copy",
    "copy all data between SQLite and PostgreSQL, while no server runs",
    [
      `PGPASSWORD=… market-signal db copy --to ${POSTGRES}`,
      "DATABASE_URL=… market-signal db copy --to sqlite",
    ],
  )
    .requiredOption(
      "--to <database>",
      "address of an empty database of PostgreSQL, or sqlite for one in the data folder",
    )
    .addHelpText("after", COPY_HELP)
    .action(async ({ to, json = false }: Output & { to: string }) => {
      err.write(wrapToScreen(err, `${READ_ONLY}\n`));
      const database = await host.database();
      const report = await withProgressBar(err, clock, (progress) => database.copy({ to, progress }));
      writeOutput(out, { json: report, lines: formatCopy(report, paint) }, json);
      finish(report.copied ? 0 : 1);
    });

  const check = commandWithExamples(
    "check",
    "check the database: migrations, numbers of rows, the audit log; or compare it with another one",
    ["market-signal db check", `PGPASSWORD=… market-signal db check --against ${POSTGRES}`],
  )
    .option("--against <database>", "address of PostgreSQL, or sqlite, to compare every table with")
    .action(async ({ against, json = false }: Output & { against?: string }) => {
      const database = await host.database();
      const report = await withProgressBar(err, clock, (progress) => database.check({ against, progress }));
      writeOutput(out, { json: report, lines: formatCheck(report, paint) }, json);
      finish(report.ok ? 0 : 1);
    });

  return commandWithExamples("db", "migrate, copy and check the database", [
    "market-signal db migrate",
    `market-signal db copy --to ${POSTGRES}`,
    "market-signal db check",
  ])
    .addCommand(withJson(migrate))
    .addCommand(withJson(copy))
    .addCommand(withJson(check));
}

const READ_ONLY =
  "Until the copy has ended, no server and no other command may use either database: a running one is refused now, and one that starts waits.";

const COPY_HELP = `
The database of the data folder, or that of DATABASE_URL, is copied in one
transaction: all of it or nothing. Every table is counted and hashed on both
sides, numbers of rows go on, and so do daily quotas. The source stays as it
is. Keys, settings and imported bars stay in the data folder. Text that
PostgreSQL cannot store is listed, and then nothing is written. Give the password
as PGPASSWORD or in ~/.pgpass rather than on the command line.`;

const formatMigrations = ({ database, applied, data_version }: MigrationReport): string =>
  applied.length === 0
    ? `${database} has all migrations, up to ${data_version}.`
    : `Applied ${applied.join(", ")} to ${database}.`;

const rowsOf = (tables: readonly TableContents[]): number => tables.reduce((sum, { rows }) => sum + rows, 0);

const TABLE_COLUMNS: readonly Column<TableContents>[] = [
  { head: "table", cell: ({ table }) => table },
  { head: "rows", cell: ({ rows }) => String(rows) },
  { head: "sha256", cell: ({ sha256 }) => sha256.slice(0, 16), rank: 1 },
];

/** Formats the tables with rows. */
function formatTables(tables: readonly TableContents[], paint: Paint): readonly string[] {
  const filled = tables.filter(({ rows }) => rows > 0).toSorted((a, b) => (a.table < b.table ? -1 : 1));
  return filled.length === 0 ? [] : formatTable(filled, TABLE_COLUMNS, paint);
}

function formatCopy(
  { from, to, copied, tables, sequences, counters, unstorable, seconds }: CopyReport,
  paint: Paint,
): string[] {
  if (!copied)
    return [
      paint("red", `Nothing was copied: ${to} cannot store these values of ${from}.`),
      ...unstorable
        .slice(0, MAX_NAMED)
        .map(
          ({ table, key, column, reason }) =>
            `  ${table} ${plainText(JSON.stringify(key), 200)}: ${column}: ${reason}`,
        ),
      ...(unstorable.length > MAX_NAMED ? [`  and ${unstorable.length - MAX_NAMED} more`] : []),
      "Change or delete these rows in the source, then run the command again.",
    ];
  return [
    ...formatTables(tables, paint),
    `Copied ${rowsOf(tables)} rows of ${tables.length} tables from ${from} to ${to} in ${seconds} s; every table is equal by count and hash.`,
    `Numbers go on: ${sequences.map(({ table, last }) => `${table} after ${last}`).join(", ")}. Quotas counted on: ${counters}.`,
    to.endsWith(".db")
      ? "Now start the server without DATABASE_URL."
      : "Now set DATABASE_URL to that address for the server and its commands, and start it.",
  ];
}

function formatCheck(
  { database, ok, migrations, sequences_behind, damage, audit, tables, against }: DatabaseCheck,
  paint: Paint,
): string[] {
  const fault = (text: string): string => paint("red", text);
  const different = against === null ? [] : against.tables.filter(({ equal }) => !equal);
  return [
    ...(against === null ? formatTables(tables, paint) : []),
    `${database}: ${rowsOf(tables)} rows in ${tables.length} tables.`,
    ...(migrations.missing.length > 0
      ? [fault(`Missing migrations: ${migrations.missing.join(", ")}; run \`market-signal db migrate\`.`)]
      : []),
    ...(migrations.newer.length > 0
      ? [fault(`Migrated by a newer version: ${migrations.newer.join(", ")}; update this program.`)]
      : []),
    ...(damage === null ? [] : [fault(`Damaged: ${damage}; run \`market-signal doctor\`.`)]),
    ...sequences_behind.map(({ table, last, highest }) =>
      fault(`Numbers of ${table}: the next is ${last + 1}, and a row has ${highest}.`),
    ),
    audit === null
      ? "Audit log: not checked."
      : audit.ok
        ? `Audit log: ${audit.entries} entries, all unchanged.`
        : fault(`Audit log: ${audit.fault_count} faults; run \`market-signal audit verify\`.`),
    ...(against === null
      ? []
      : different.length === 0
        ? [`${against.database}: equal in all ${against.tables.length} tables.`]
        : [
            fault(`${against.database}: ${different.length} of ${against.tables.length} tables differ.`),
            ...formatTable(different, comparisonColumns(), paint),
          ]),
    ok ? paint("green", "ok") : fault("not ok"),
  ];
}

function comparisonColumns(): readonly Column<TableComparison>[] {
  const contents = (side: "here" | "there") => (row: TableComparison) => {
    const { [side]: found } = row;
    return found === null ? "no such table" : `${found.rows} rows ${found.sha256.slice(0, 8)}`;
  };
  return [
    { head: "table", cell: ({ table }) => table },
    { head: "here", cell: contents("here") },
    { head: "there", cell: contents("there") },
  ];
}
