import type { ComponentType } from "react";
import { call } from "../api/client.ts";
import { View as Backtest } from "../views/backtest/backtest.tsx";
import { View as Check } from "../views/check/check.tsx";
import { View as Dial } from "../views/dial/dial.tsx";
import { View as Explain } from "../views/explain/explain.tsx";
import { View as Odds } from "../views/odds/odds.tsx";
import { View as Screener } from "../views/screener/screener.tsx";
import { View as Signal } from "../views/signal/signal.tsx";
import type { ViewProps } from "../views/view.ts";
import type { DrawnResult, ViewName } from "./answer-views.ts";

// The output of an answer is that of the tool that its view draws. All views are in the chunk of the answer, because one
// chunk for each would split the code of the pages into many small files.
const VIEWS: Readonly<Record<ViewName, ComponentType<ViewProps<any>>>> = {
  backtest: Backtest,
  check: Check,
  dial: Dial,
  explain: Explain,
  odds: Odds,
  screener: Screener,
  signal: Signal,
};

/** Draws a result with the view of its tool. */
export function AnswerView({ view, output }: DrawnResult) {
  const View = VIEWS[view];
  return <View output={output} call={call} />;
}
