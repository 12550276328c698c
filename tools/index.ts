/** The catalogue: one line per capability, nothing else. */
export { explainSignal } from "./explain-signal.ts";
export { getAnalysis } from "./get-analysis.ts";
export { getDemo } from "./get-demo.ts";
export { getHealth } from "./get-health.ts";
export { getHistory } from "./get-history.ts";
export { getQuota } from "./get-quota.ts";
export { getQuote } from "./get-quote.ts";
export { getServiceIndex } from "./get-service-index.ts";
export { getSignal } from "./get-signal.ts";
export { getSignalCard } from "./get-signal-card.ts";
export { getSignalIndex } from "./get-signal-index.ts";
export { interpretQuery } from "./interpret-query.ts";
export { renderChart } from "./render-chart.ts";
export { resolveSymbol } from "./resolve-symbol.ts";
export { runTask } from "./run-task.ts";
export { scanSymbols } from "./scan-symbols.ts";
export { screenUniverse } from "./screen-universe.ts";
