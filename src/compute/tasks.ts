import { pngTask } from "../charts/png-task.ts";
import type { ComputeTask } from "../domain/compute-port.ts";
import { backtestTask } from "../features/backtest/compute.ts";
import { outcomesTask } from "../features/nightly/outcomes-task.ts";
import { oddsTask } from "../features/odds/odds-task.ts";
import { pictureTask } from "../features/signal/picture-task.ts";
import { tradeOddsTask } from "../features/signal/trade-odds.ts";

/** All tasks that a thread can run, by name. */
export const TASKS: ReadonlyMap<string, ComputeTask<any, object>> = new Map(
  [pictureTask, oddsTask, tradeOddsTask, outcomesTask, backtestTask, pngTask].map((task) => [
    task.name,
    task,
  ]),
);
