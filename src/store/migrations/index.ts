import type { Migration } from "kysely";
import { initial } from "./0001-initial.ts";
import { baseResults } from "./0002-base-results.ts";
import { printDays } from "./0003-prints.ts";
import { oddsForecaster } from "./0004-odds-forecasts.ts";
import { oddsAnswers } from "./0005-odds-answers.ts";
import { noSplitDeclarations } from "./0006-no-splits.ts";
import { symbolIndexes } from "./0007-signals-of-symbol.ts";
import { plainNames } from "./0008-plain-names.ts";
import { usage } from "./0009-usage.ts";
import { restores } from "./0010-restores.ts";
import { calls } from "./0011-calls.ts";
import { browserSessions } from "./0012-browser-sessions.ts";
import { drawnLevels } from "./0013-drawn-levels.ts";
import { signIn } from "./0014-sign-in.ts";
import { barAnswerTables } from "./0015-bar-answers.ts";
import { replicas } from "./0016-replicas.ts";
import { jobs } from "./0017-jobs.ts";
import { runIndex } from "./0018-runs-by-bar.ts";

/** Every migration by name, in the order of the names. A released migration never changes. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-initial": initial,
  "0002-base-results": baseResults,
  "0003-prints": printDays,
  "0004-odds-forecasts": oddsForecaster,
  "0005-odds-answers": oddsAnswers,
  "0006-no-splits": noSplitDeclarations,
  "0007-signals-of-symbol": symbolIndexes,
  "0008-plain-names": plainNames,
  "0009-usage": usage,
  "0010-restores": restores,
  "0011-calls": calls,
  "0012-browser-sessions": browserSessions,
  "0013-drawn-levels": drawnLevels,
  "0014-sign-in": signIn,
  "0015-bar-answers": barAnswerTables,
  "0016-replicas": replicas,
  "0017-jobs": jobs,
  "0018-runs-by-bar": runIndex,
};
