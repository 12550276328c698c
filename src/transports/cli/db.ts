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

/** Maximum number of values that are listed. */
const MAX_LISTED = 20;
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
      "address of an empty PostgreSQL database, or sqlite for one in the data folder",
    )
    .addHelpText("after", COPY_HELP)
    .action(async ({ to, json = false }: Output & { to: string }) => {
      err.write(wrapToScreen(err, `${EXCLUSIVE_USE}\n`));
      const database = await host.database();
      const report = await withProgressBar(err, clock, (progress) => database.copy({ to, progress }));
      writeOutput(out, { json: report, lines: formatCopy(report, paint) }, json);
      finish(report.copied ? 0 : 1);
    });

  const check = commandWithExamples(
    "check",
    "check migrations, row numbers and the audit log of the database, or compare it with another one",
    ["market-signal db check", `PGPASSWORD=… market-signal db check --against ${POSTGRES}`],
  )
    .option(
      "--against <database>",
      "database to compare every table with: an address of PostgreSQL, or sqlite",
    )
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

const EXCLUSIVE_USE =
  "No server or other command may use either database during the copy. If one does, the copy is refused; one that is started meanwhile waits.";

const COPY_HELP = `
Copies the database of DATABASE_URL or, without it, that of the data folder in
one transaction: all of it or nothing. Compares the number of rows and a hash of
every table on both sides. Row numbers and daily quotas continue. The source is
not changed. The master key, settings and imported bars stay in the data folder.
Values that PostgreSQL cannot store are listed, and then nothing is written. Set
the password as PGPASSWORD or in ~/.pgpass, not on the command line.`;

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

/** Formats the tables that have rows. */
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
        .slice(0, MAX_LISTED)
        .map(
          ({ table, key, column, reason }) =>
            `  ${table} ${plainText(JSON.stringify(key), 200)}: ${column}: ${reason}`,
        ),
      ...(unstorable.length > MAX_LISTED ? [`  and ${unstorable.length - MAX_LISTED} more`] : []),
      "Change or delete these rows in the source, then run the command again.",
    ];
  return [
    ...formatTables(tables, paint),
    `Copied ${rowsOf(tables)} rows of ${tables.length} tables from ${from} to ${to} in ${seconds} s; every table is equal by count and hash.`,
    `Row numbers continue: ${sequences.map(({ table, last }) => `${table} after ${last}`).join(", ")}. Daily quotas copied: ${counters}.`,
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
      fault(`Row numbers of ${table}: the next is ${last + 1}, but a row already has ${highest}.`),
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
