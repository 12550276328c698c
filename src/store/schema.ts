import type { INITIAL_TABLES } from "./migrations/0001-initial.ts";
import type { BASE_TABLES } from "./migrations/0002-base-results.ts";
import type { PRINT_TABLES } from "./migrations/0003-prints.ts";
import type { ODDS_TABLES, OUTCOME_COLUMNS } from "./migrations/0004-odds-forecasts.ts";
import type { ANSWER_TABLES } from "./migrations/0005-odds-answers.ts";
import type { NO_SPLIT_TABLES } from "./migrations/0006-no-splits.ts";
import type { WithPlainNames } from "./migrations/0008-plain-names.ts";
import type { ACCOUNT_COLUMNS, KEY_COLUMNS, USAGE_TABLES } from "./migrations/0009-usage.ts";
import type { RESTORE_TABLES } from "./migrations/0010-restores.ts";
import type { CALL_TABLES } from "./migrations/0011-calls.ts";
import type { BROWSER_TABLES } from "./migrations/0012-browser-sessions.ts";
import type { DRAWN_LEVEL_TABLES } from "./migrations/0013-drawn-levels.ts";
import type { LINK_COLUMNS, SIGN_IN_TABLES, TICKET_COLUMNS } from "./migrations/0014-sign-in.ts";
import type { BAR_ANSWER_TABLES } from "./migrations/0015-bar-answers.ts";
import type { REPLICA_TABLES } from "./migrations/0016-replicas.ts";
import type { JOB_TABLES } from "./migrations/0017-jobs.ts";
import type { RowsOf, Table } from "./table.ts";

type Tables = typeof INITIAL_TABLES &
  typeof BASE_TABLES &
  typeof PRINT_TABLES &
  typeof ODDS_TABLES &
  typeof ANSWER_TABLES &
  typeof NO_SPLIT_TABLES &
  typeof USAGE_TABLES &
  typeof RESTORE_TABLES &
  typeof CALL_TABLES &
  Omit<typeof BROWSER_TABLES, "browser_sessions" | "browser_links"> &
  typeof DRAWN_LEVEL_TABLES &
  typeof SIGN_IN_TABLES &
  typeof BAR_ANSWER_TABLES &
  typeof REPLICA_TABLES &
  typeof JOB_TABLES;
type Outcomes = Tables["signal_outcomes"];

/**
 * Rows of the current tables: text, integers and doubles only, times as ISO 8601 UTC text unless a comment says
 * otherwise. The types are those of the tables that each migration adds; if a later migration changes a table, its type
 * is overridden here.
 */
export type Schema = RowsOf<
  WithPlainNames<
    Omit<Tables, "signal_outcomes" | "keys" | "accounts" | "trade_tickets"> & {
      readonly keys: Table<Tables["keys"]["columns"] & typeof KEY_COLUMNS>;
      readonly browser_links: Table<
        (typeof BROWSER_TABLES)["browser_links"]["columns"] & typeof LINK_COLUMNS
      >;
      readonly trade_tickets: Table<Tables["trade_tickets"]["columns"] & typeof TICKET_COLUMNS>;
      readonly accounts: Table<Tables["accounts"]["columns"] & typeof ACCOUNT_COLUMNS>;
      readonly signal_outcomes: Table<Outcomes["columns"] & typeof OUTCOME_COLUMNS>;
    }
  >
>;
