/** Benchmarks in bench/<name>.ts and what each prints. */
const BENCHES: Readonly<Record<string, string>> = {
  table: "every figure of docs/benchmarks.md beside its peers; the default; --write updates the page",
  indicators: "speed of five indicators, and agreement with two other libraries",
  backtest: "speed of backtests in CPU time, and how many seeded biases the look-ahead detector finds",
  "look-ahead": "seeded biases that the look-ahead detector finds, and its false positives",
  signal: "time of one signal, its structure and explanation; tests the prices at which it flips",
  tape: "time of the signal at every bar of 58 symbols over 1,357 days",
  memory: "memory of the built server after ten minutes of cold, varied requests; --minutes",
  engines: "time of warm calls with PostgreSQL against SQLite; in .ci/postgres",
  locks: "idempotent calls a second in PostgreSQL by locks of accounts, against one lock; in .ci/postgres",
  capacity:
    "costs of calls, nightly runs and writes; --record: reads beside a long record; --write updates the costs of docs/scaling.md; in .ci/postgres",
  traces: "time of a call with traces off and on",
  replicas: "times between two servers: a request, a revoked key, a new leader; in .ci/postgres",
  subscribers:
    "delay of a signal change to 2,000 event streams of two servers; --subscribers, --changes, --per-second; in .ci/postgres",
  engine: "time and memory of nightly runs over synthetic stocks",
  chart: "time and size of one chart as SVG and PNG",
  mcp: "calls per second over MCP beside the bare SDK",
  access: "time to check a key, an access token and a session, and what sign-in adds to a start",
  "live-import": "time and memory that live mode adds to a start",
  "live-signal": "time of one signal over REST with the delays of real providers",
  dashboard: "speed of the pages in Chromium; --write updates docs/results/dashboard.md",
  detectors: "recall and precision of the structure detectors; --write updates docs/results/detectors.md",
  splits: "splits that are found and real moves taken for splits; --write updates docs/results/splits.md",
  witness: "how often a true price needs a second provider; --write updates docs/results/witness.md",
  odds: "cover and skill of past odds over daily files; --data <folder>; --write updates docs/odds.md",
  entries:
    "odds of orders that wait for their price over daily files; --write updates docs/results/entries.md",
  gaps: "overnight gaps and daily moves against the bars after them; --write updates docs/results/gaps.md",
  track: "the track record over real files; --write updates docs/results/track-record.md",
  "sample-record": "the track record that comes with the simulated market; --write updates it",
  edge: "Brier scores of both sides of detect_edge on the simulated market",
  "edge-bands": "the bands of detect_edge from the simulated market; --write updates them",
  sentiment: "accuracy of the headline classifier; --write writes its weights",
  requests:
    "share of requests in words for which the right tool is found and called; --list names the others",
  language: "share of labelled questions parsed correctly; --misses lists the others",
  "tool-choice": "share of labelled questions for which a simple search finds the tool; --misses, --lint",
};

const HELP = `Usage: npm run bench -- [name]

${Object.entries(BENCHES)
  .map(([name, what]) => `  ${name.padEnd(14)}${what}`)
  .join("\n")}

They take from seconds (language) to several minutes (table). gaps, odds, splits, track, witness and sentiment need the recorded data in
MARKET_SIGNAL_TEST_DATA (default ../shared/data); backtest, chart, detectors, signal and tape use it where it exists.`;

const name = process.argv[2] ?? "table";
if (name in BENCHES) {
  const bench: { run(): void | Promise<void> } = await import(`./${name}.ts`);
  await bench.run();
} else if (name === "--help" || name === "--list") console.log(HELP);
else {
  console.error(`No benchmark named ${name}.\n\n${HELP}`);
  process.exitCode = 2;
}
