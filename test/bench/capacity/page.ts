import type { CapacityCosts } from "./costs.ts";
import {
  bytesANight,
  callMs,
  FREE_CALLS_A_MINUTE,
  needsOf,
  ROWS_A_NIGHT,
  USE,
  USERS,
  wallsOf,
  YEARS,
} from "./model.ts";

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** A number with two significant digits, and all digits before the point. */
function short(value: number): string {
  if (value === 0) return "0";
  const rounded = Number(value.toPrecision(2));
  return rounded.toLocaleString("en-US", { maximumFractionDigits: 4 });
}

/** The tables of docs/scaling.md by the name of their section. */
export const SECTIONS: Readonly<Record<string, (costs: CapacityCosts) => string>> = {
  calls: ({ calls }) =>
    table(
      [
        "Call",
        "Calls per second and core of a server",
        "Calls per second and core of PostgreSQL",
        "Statements",
        "Writing transactions",
        "of them with the lock of the store",
        "of them with the lock of records",
      ],
      Object.entries(calls).map(([name, cost]) => [
        name,
        short(1_000 / cost.serverMs),
        short(1_000 / cost.databaseMs),
        short(cost.statements),
        short(cost.transactions),
        short(cost.storeLocks),
        short(cost.recordLocks),
      ]),
    ),

  parts: ({ night, writes }) =>
    table(
      ["Part", "Cost"],
      [
        ["signal that no process has computed", `${short(night.firstSignalMs)} ms of a core`],
        [
          "nightly run",
          `${short(1_000 / night.serverMs)} symbols per second and core; for each, ${short(night.databaseMs)} ms of a core of PostgreSQL and ${short(night.statements)} statements`,
        ],
        ["transaction of one statement with the lock of the store", `${short(writes.storeLockMs)} ms`],
        ["with the lock of records", `${short(writes.recordLockMs)} ms`],
        ["with the lock of an account", `${short(writes.accountLockMs)} ms`],
        ["request to another process and its response (two notifications)", `${short(writes.requestMs)} ms`],
        ["8 kB written and synced to this disk", `${short(writes.syncMs)} ms`],
      ],
    ),

  rows: (costs) =>
    table(
      [
        "Table",
        "Rows per symbol and night",
        "Bytes per row, with indexes",
        `GB for ${USE.maxSymbols.toLocaleString("en-US")} symbols and ${YEARS} years`,
      ],
      [
        ...Object.entries(ROWS_A_NIGHT).map(([name, rows]) => {
          const bytes = costs.bytesPerRow[name]!;
          return [`\`${name}\``, short(rows), short(bytes), short(gigabytes(rows * bytes))];
        }),
        ["all", "", short(bytesANight(costs)), short(gigabytes(bytesANight(costs)))],
      ],
    ),

  filled: ({ filled }) =>
    table(
      ["Table", "Rows"],
      Object.entries(filled.rows).map(([name, rows]) => [
        `\`${name}\``,
        Math.round(rows).toLocaleString("en-US"),
      ]),
    ),

  reads: ({ reads }) =>
    table(
      ["Read", "Without a past, ms", "With the record, ms", "Ratio"],
      reads.map(({ name, empty, filled }) => [
        name,
        short(empty),
        short(filled),
        (filled / empty).toFixed(2),
      ]),
    ),

  needs: (costs) => {
    const needs = USERS.map((users) => needsOf(users, costs));
    const row = (name: string, of: (one: (typeof needs)[number]) => string) => [name, ...needs.map(of)];
    return table(
      ["", ...USERS.map((users) => `${users.toLocaleString("en-US")} users`)],
      [
        row("calls a day", ({ callsADay }) => short(callsADay)),
        row("calls a second in the busiest hour", ({ callsASecond }) => short(callsASecond)),
        row("cores that servers use then", ({ serverCores }) => short(serverCores)),
        row("processes of servers", ({ processes }) => short(processes)),
        row("cores that PostgreSQL uses then", ({ databaseCores }) => short(databaseCores)),
        row("connections to PostgreSQL", ({ connections }) => short(connections)),
        row("symbols", ({ symbols }) => short(symbols)),
        row("core hours of a nightly run", ({ nightHours }) => short(nightHours)),
        row("record, GB a year", ({ gigabytesAYear }) => short(gigabytesAYear)),
        row("counts of calls, GB", ({ gigabytesOfUse }) => short(gigabytesOfUse)),
        row("provider calls a minute, of one symbol each", ({ providerCalls }) => short(providerCalls)),
      ],
    );
  },

  walls: (costs) =>
    table(
      ["Limit", "Reached at about"],
      Object.entries(wallsOf(costs))
        .sort(([, a], [, b]) => a - b)
        .map(([name, users]) => [LIMITS[name]!, `${short(users)} users`]),
    ),

  mean: (costs) => `The mean call of these users takes ${short(callMs(costs))} ms of a core of a server.`,
};

const gigabytes = (bytesANight: number): number =>
  (bytesANight * USE.maxSymbols * USE.sessions * YEARS) / 1e9;

const LIMITS: Readonly<Record<string, string>> = {
  "free key of a provider": `${FREE_CALLS_A_MINUTE} calls a minute of one free key, if each call needs a provider`,
  "one process": "one process of a server",
  "8 cores of PostgreSQL": "PostgreSQL on 8 cores",
};
