import type { CallCost } from "./calls.ts";
import type { CapacityCosts } from "./costs.ts";

/** What a day of use looks like. All are assumptions: put your own here. */
export const USE = {
  /** Calls of a user on a day, by kind. */
  calls: { quote: 80, signal: 60, "MCP quote": 40, screener: 10, "watchlist write": 10 },
  /** Share of the calls of a day in its busiest hour. */
  busiestHour: 0.2,
  /** Share of a core or lock that may be used in the busiest hour; the rest is for seconds above the mean. */
  planned: 0.5,
  /** Share of the signals that no process has computed yet. */
  firstSignals: 0.1,
  /** Symbols that a number of users ask for on a day, of at most 10,000. */
  symbolsPerUser: 3,
  maxSymbols: 10_000,
  /** Kinds of calls that a user makes on a day, each a row of usage. */
  toolsPerUser: 4,
  /** Sessions a year. */
  sessions: 252,
} as const;

/** Numbers of daily users for which the document states what they need. */
export const USERS = [100, 10_000, 100_000] as const;
/** Years of record. */
export const YEARS = 10;

/** Time for which the price of a symbol is used while its market is open, seconds. */
const QUOTE_S = 5;
/** Connections of a process to PostgreSQL: 8, and the listener. */
const CONNECTIONS = 9;
/** Calls to providers of prices in a minute: the limit of the program for a free key of Alpaca. */
export const FREE_CALLS_A_MINUTE = 150;
const USAGE_DAYS = 400;
const CALLS_A_DAY = Object.values(USE.calls).reduce((sum, calls) => sum + calls, 0);

/** Rows that are stored for good for each symbol and night, by table: a signal with its odds, and outcomes after 5, 20 and 60 bars. */
export const ROWS_A_NIGHT: Readonly<Record<string, number>> = {
  engine_results: 1,
  signals: 1,
  odds_forecasts: 1,
  signal_outcomes: 3,
  base_results: 1,
};

/** What a number of daily users needs. */
export interface Needs {
  readonly callsADay: number;
  /** In the busiest hour. */
  readonly callsASecond: number;
  /** Cores that servers, and PostgreSQL, use in the mean of the busiest hour. */
  readonly serverCores: number;
  readonly databaseCores: number;
  /** Processes of servers, each of which is planned to use a share of a core. */
  readonly processes: number;
  readonly connections: number;
  readonly symbols: number;
  /** Core hours of a nightly run. */
  readonly nightHours: number;
  readonly gigabytesAYear: number;
  readonly gigabytesOfUse: number;
  /** Calls to providers of prices in a minute of the busiest hour, with one call for each symbol. */
  readonly providerCalls: number;
}

type Mean = (of: (cost: CallCost) => number) => number;
const meanOf =
  (costs: CapacityCosts): Mean =>
  (of) =>
    Object.entries(USE.calls).reduce((sum, [kind, calls]) => sum + calls * of(costs.calls[kind]!), 0) /
    CALLS_A_DAY;

/** Processor time of the servers for the mean call, with the signals that are computed for it, ms. */
export function callMs(costs: CapacityCosts): number {
  const first = (USE.firstSignals * USE.calls.signal * costs.night.firstSignalMs) / CALLS_A_DAY;
  return meanOf(costs)(({ serverMs }) => serverMs) + first;
}

/** Returns the bytes that are stored for good for each symbol and night. */
export const bytesANight = (costs: CapacityCosts): number =>
  Object.entries(ROWS_A_NIGHT).reduce((sum, [table, rows]) => sum + rows * costs.bytesPerRow[table]!, 0);

/** Computes from the measured costs what a number of daily users needs. */
export function needsOf(users: number, costs: CapacityCosts): Needs {
  const mean = meanOf(costs);
  const { night } = costs;
  const callsASecond = (users * CALLS_A_DAY * USE.busiestHour) / 3_600;
  const serverCores = (callsASecond * callMs(costs)) / 1_000;
  const processes = Math.max(1, Math.ceil(serverCores / USE.planned));
  const symbols = Math.min(USE.maxSymbols, users * USE.symbolsPerUser);
  return {
    callsADay: users * CALLS_A_DAY,
    callsASecond,
    serverCores,
    databaseCores: (callsASecond * mean(({ databaseMs }) => databaseMs)) / 1_000,
    processes,
    connections: processes * CONNECTIONS,
    symbols,
    nightHours: (symbols * night.serverMs) / 3_600_000,
    gigabytesAYear: (symbols * USE.sessions * bytesANight(costs)) / 1e9,
    gigabytesOfUse: (users * USE.toolsPerUser * USAGE_DAYS * USAGE_ROW_BYTES) / 1e9,
    providerCalls: Math.min(callsASecond * 60, (symbols * 60) / QUOTE_S),
  };
}

/** A row of `usage_days` with its indexes, estimated from its columns. */
const USAGE_ROW_BYTES = 350;

/** Returns the number of daily users at which each limit is reached. */
export function wallsOf(costs: CapacityCosts): Readonly<Record<string, number>> {
  const one = needsOf(1_000_000, costs);
  const perUser = one.callsASecond / 1_000_000;
  return {
    "free key of a provider": FREE_CALLS_A_MINUTE / 60 / perUser,
    "one process": (USE.planned / (perUser * callMs(costs))) * 1_000,
    "8 cores of PostgreSQL": (1_000_000 * 8 * USE.planned) / one.databaseCores,
  };
}
