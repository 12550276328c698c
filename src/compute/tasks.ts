import { pngTask } from "../charts/png-task.ts";
import type { ComputeTask } from "../domain/compute-port.ts";
import { backtestTask } from "../features/backtest/compute.ts";
import { optionOddsTask } from "../features/check/check-option.ts";
import { orderFiguresTask } from "../features/check/order-figures.ts";
import { claimBaseTask } from "../features/claims/claim-base.ts";
import { outcomesTask } from "../features/nightly/outcomes-task.ts";
import { oddsTask } from "../features/odds/odds-task.ts";
import { explainTask } from "../features/signal/explain-task.ts";
import { forecastTask } from "../features/signal/forecast.ts";
import { oddsChangesTask } from "../features/signal/odds-changes-task.ts";
import { pictureTask } from "../features/signal/picture-task.ts";
import { rangeTask } from "../features/signal/range-task.ts";
import { tradeOddsTask } from "../features/signal/trade-odds.ts";
import { verdictTask } from "../features/signal/verdict-task.ts";

const ALL = [
  pictureTask,
  explainTask,
  verdictTask,
  rangeTask,
  forecastTask,
  oddsChangesTask,
  oddsTask,
  tradeOddsTask,
  orderFiguresTask,
  claimBaseTask,
  optionOddsTask,
  outcomesTask,
  backtestTask,
  pngTask,
] as const;

/** All tasks that a thread can run, by name. */
export const TASKS: ReadonlyMap<string, ComputeTask<any, object>> = new Map(
  ALL.map((task) => [task.name, task]),
);
