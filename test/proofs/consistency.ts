import { catalogue } from "../../src/app/catalogue.ts";
import { formatScore } from "../../src/domain/signal/score.text.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { install } from "../support/installation.ts";
import { movingClock } from "../support/store.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { openTransportClients } from "../support/transport-clients.ts";
import type { Proof } from "./proof.ts";

const SYMBOLS = { quick: 4, full: 30 } as const;
const TIMEFRAMES = { quick: ["1d"], full: ["1d", "4h", "1h"] } as const;
const MINUTE_MS = 60_000;

/** The same figure at the paths at which answers of a tool have it. */
type Paths = Readonly<Record<string, string>>;
const ODDS: readonly string[] = [
  "version",
  "bars",
  "from",
  "stop_first",
  "target_first",
  "neither",
  "expected_r.mean",
  "expected_r.at_stop",
  "expected_r.at_target",
  "expected_r.at_neither",
  "base.stop_first",
  "base.target_first",
  "base.neither",
  "base.windows",
  "base.n_eff",
  "base.margin",
  "base.mean_r",
];
/** Figures of odds that lists leave out. */
const LONG_ANSWERS = new Set([
  "expected_r.at_stop",
  "expected_r.at_target",
  "expected_r.at_neither",
  "base.margin",
]);
const oddsAt = (path: string): Paths =>
  Object.fromEntries(ODDS.map((name) => [`odds ${name}`, `${path}.${name}`]));
const listedOddsAt = (path: string): Paths =>
  Object.fromEntries(
    ODDS.filter((name) => !LONG_ANSWERS.has(name)).map((name) => [`odds ${name}`, `${path}.${name}`]),
  );
const levelsAt = (path: string): Paths => ({
  "entry low": `${path}.entry_zone.low`,
  "entry high": `${path}.entry_zone.high`,
  stop: `${path}.stop_loss`,
  target: `${path}.targets.0`,
  ratio: `${path}.reward_to_risk`,
});
const verdictAt = (path: string): Paths => ({
  direction: `${path}direction`,
  score: `${path}score`,
  grade: `${path}grade`,
});

interface Answering {
  readonly tool: Tool;
  /** `known`: returns a figure of the tools before it. */
  readonly input: (
    symbol: string,
    timeframe: string,
    known: (figure: string) => unknown,
  ) => Readonly<Record<string, unknown>>;
  readonly paths: Paths;
}
const bySymbol = (symbol: string, timeframe: string) => ({ symbol, timeframe });

/** Every tool that answers figures of a signal. */
const ANSWERING: readonly Answering[] = [
  {
    tool: catalogue.getSignal,
    input: bySymbol,
    paths: {
      ...verdictAt("data.signal."),
      ...levelsAt("data.signal"),
      ...oddsAt("data.signal.odds"),
      tier: "data.signal.tier",
      confidence: "data.signal.confidence",
      agreement: "data.signal.agreement",
      ics: "data.signal.ics_score",
      model: "data.signal.model_version",
    },
  },
  {
    tool: catalogue.getSignalCard,
    input: bySymbol,
    paths: {
      ...verdictAt("data."),
      ...oddsAt("data.odds"),
      tier: "data.tier",
      stop: "data.stop",
      target: "data.target",
      ratio: "data.rr",
      confidence: "data.confidence",
      agreement: "data.agreement",
      ics: "data.ics.score",
    },
  },
  {
    tool: catalogue.getAnalysis,
    input: (sym, timeframe) => ({ sym, timeframe }),
    paths: {
      ...verdictAt(""),
      ...levelsAt("levels"),
      model: "model_version",
      rsi: "analysis.technicals.rsi",
      atr: "analysis.technicals.atr",
    },
  },
  {
    tool: catalogue.explainSignal,
    input: bySymbol,
    paths: { ...verdictAt(""), ...oddsAt("odds"), model: "model_version" },
  },
  {
    tool: catalogue.renderChart,
    input: bySymbol,
    paths: { ...verdictAt(""), ...levelsAt("levels"), ...oddsAt("odds"), close: "last_close" },
  },
  {
    tool: catalogue.getEnhancedSignal,
    input: (sym, timeframe) => ({ sym, timeframe }),
    paths: {
      ...verdictAt("technical.signal."),
      tier: "technical.signal.tier",
      confidence: "technical.signal.confidence",
      model: "technical.signal.model_version",
    },
  },
  {
    tool: catalogue.scanSymbols,
    input: (symbol, timeframe) => ({ symbols: [symbol], timeframe }),
    paths: {
      score: "results.0.score",
      grade: "results.0.grade",
      tier: "results.0.tier",
      stop: "results.0.stop",
      target: "results.0.target",
      ratio: "results.0.rr",
      close: "results.0.close",
      ...listedOddsAt("results.0.odds"),
    },
  },
  {
    tool: catalogue.getOdds,
    input: (symbol, timeframe, known) => ({
      symbol,
      timeframe,
      stop: String(known("stop")),
      target: String(known("target")),
    }),
    paths: oddsAt("plan"),
  },
];

const at = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value);

/** Fields bound to one call. */
const OWN = new Set(["request_id", "latency_ms", "base64"]);
function leavesOf(value: unknown, path = ""): readonly (readonly [string, unknown])[] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    OWN.has(key) ? [] : leavesOf(inner, `${path}.${key}`),
  );
}

/** Compares every figure that several tools, texts and transports show of one signal. */
export const consistency: Proof = {
  name: "consistency",
  claim: "One figure is the same number in every tool, text and transport that shows it",

  async run({ scale, report }) {
    const { dir, remove } = suiteDir();
    const clock = movingClock(new Date("2026-07-01T14:00:00.000Z"));
    const server = await install(dir, "sample", {}, { clock });
    const clients = await openTransportClients(server);
    const members = server.app.ports.symbols!.members().map(({ symbol }) => symbol);
    const step = members.length / SYMBOLS[scale];
    const symbols = Array.from({ length: SYMBOLS[scale] }, (_, i) => members[Math.floor(i * step)]!);
    const broken: string[] = [];
    let compared = 0;
    const equal = (name: string, found: unknown, expected: unknown) => {
      compared++;
      if (!Object.is(found, expected)) broken.push(`${name}: ${String(found)} against ${String(expected)}`);
    };
    for (const timeframe of TIMEFRAMES[scale])
      for (const symbol of symbols) {
        const known = new Map<string, readonly [unknown, string]>();
        for (const { tool, input, paths } of ANSWERING) {
          clock.pass(timeframe === "1d" ? MINUTE_MS : 0);
          const name = `${symbol} ${timeframe} ${tool.name}`;
          const given = {
            ...input(symbol, timeframe, (figure) => known.get(figure)?.[0]),
            ...("detail" in tool.input.shape && { detail: "full" }),
          };
          const answers = [];
          for (const client of clients) answers.push(await client.call(tool, given));
          const first = answers[0]!;
          if (!("data" in first)) {
            broken.push(`${name}: ${first.code}`);
            continue;
          }
          const leaves = leavesOf(first.data);
          for (const [i, other] of answers.entries())
            if (i > 0)
              for (const [path, value] of leaves)
                equal(
                  `${name} ${path} ${clients[i]!.name}`,
                  at("data" in other ? other.data : {}, path.slice(1)),
                  value,
                );
          for (const [figure, path] of Object.entries(paths)) {
            const value = at(first.data, path);
            const before = known.get(figure);
            if (before === undefined) known.set(figure, [value, tool.name]);
            else equal(`${name} ${figure} against ${before[1]}`, value, before[0]);
          }
          const score = known.get("score")?.[0];
          const text = [
            ...leaves.map(([, value]) => String(value)),
            tool.terminal?.(first.data as never, (_, part) => part) ?? "",
          ];
          if (typeof score === "number" && tool !== catalogue.getEnhancedSignal)
            for (const line of text)
              for (const [, said] of line.matchAll(/, score (\d+\.\d+)/g))
                equal(`${name} text`, said, formatScore(score));
        }
        report(`${symbol} ${timeframe}: ${compared} compared, ${broken.length} unequal`);
      }
    await Promise.all(clients.map((client) => client.close()));
    await server.stop();
    remove();
    return { figure: `${symbols.length} symbols: ${compared} comparisons, ${broken.length} unequal`, broken };
  },
};
