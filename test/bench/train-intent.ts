import { readFileSync, writeFileSync } from "node:fs";
import { QuestionIntent } from "../../src/domain/questions/interpretation.ts";
import { intentFeatures } from "../../src/features/questions/language/intent-features.ts";
import { createDirectory } from "../../src/market/symbols/directory.ts";
import { readMentions } from "../../src/market/symbols/mentions/read-mentions.ts";
import { LISTINGS } from "../../src/providers/sample/listing.ts";
import { readQueries } from "./tool-choice/choice.ts";

interface Example {
  readonly query: string;
  readonly intent: QuestionIntent;
  /** Relative weight of its error in each step. */
  readonly weight: number;
}

const MODEL = new URL("../../src/features/questions/data/intent-model.json", import.meta.url);
const INTENTS = QuestionIntent.options;
/** Maximum number of questions from one template, spread evenly over its choices. */
const MAX_OF_TEMPLATE = 24;
const MIN_EXAMPLES_OF_PAIR = 4;
const EPOCHS = 40;
const LEARNING_RATE = 0.5;
const DECAY = 0.15;
const L2 = 5e-4;
/** Weights below this are omitted from the model. */
const MIN_WEIGHT = 0.3;
const LINE_LENGTH = 100;
/** Weight of a question that is labelled one by one. */
const LABELLED_WEIGHT = 3;
const FOLDS = 5;

/** Intents by tool in the labelled requests of the tool-choice benchmark; other tools are skipped. */
const INTENT_OF_TOOL: Readonly<Record<string, QuestionIntent>> = {
  detect_edge: "signal",
  explain_signal: "signal",
  get_analysis: "signal",
  get_signal: "signal",
  get_quote: "signal",
  get_signal_index: "signal",
  get_prediction_markets: "signal",
  get_enhanced_signal: "signal",
  create_subscription: "signal",
  get_congress_trades: "flow",
  get_congress_signal: "flow",
  get_darkpool_prints: "flow",
  get_political_trades: "flow",
  get_options_flow: "flow",
  get_market_tide: "flow",
  get_earnings: "earnings",
  get_news: "news",
  screen_universe: "scan",
  scan_symbols: "scan",
  list_positions: "portfolio",
  review_portfolio: "portfolio",
  preview_trade: "portfolio",
  sync_positions: "portfolio",
  execute_trade: "unknown",
  cancel_order: "unknown",
  get_health: "unknown",
  connect_broker: "unknown",
};

const read = <Data>(file: string): Data =>
  JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8")) as Data;

/** Expands the choices of a template: `(best|top) stocks( today)?`. */
function expand(template: string): readonly string[] {
  const choice = /\(([^()]*)\)(\?)?/.exec(template);
  if (choice === null) return [template.replace(/\s+/g, " ").trim()];
  const options = [...choice[1]!.split("|"), ...(choice[2] === undefined ? [] : [""])];
  const [before, after] = [template.slice(0, choice.index), template.slice(choice.index + choice[0].length)];
  return options.flatMap((option) => expand(`${before}${option}${after}`));
}

/**
 * The training half: questions of language/tuned*.json, further questions, our templates, and requests of the
 * tool-choice benchmark.
 */
function examples(): readonly Example[] {
  const labelled = ["language/tuned.json", "language/tuned-2.json"].flatMap((file) =>
    read<readonly { query: string; intent: QuestionIntent }[]>(file),
  );
  const further = read<Record<QuestionIntent, readonly string[]>>("train-intent/questions.json");
  const templates = read<Record<QuestionIntent, readonly string[]>>("train-intent/templates.json");
  return [
    ...labelled.map(({ query, intent }) => ({ query, intent, weight: LABELLED_WEIGHT })),
    ...INTENTS.flatMap((intent) =>
      further[intent].map((query) => ({ query, intent, weight: LABELLED_WEIGHT })),
    ),
    ...INTENTS.flatMap((intent) =>
      templates[intent].flatMap((template) => {
        const all = expand(template);
        const taken = all.filter((_, i) => i % Math.ceil(all.length / MAX_OF_TEMPLATE) === 0);
        return taken.map((query) => ({ query, intent, weight: LABELLED_WEIGHT / Math.sqrt(taken.length) }));
      }),
    ),
    ...readQueries("tuned").flatMap(({ query, tool }) => {
      const intent = INTENT_OF_TOOL[tool];
      return intent === undefined ? [] : [{ query, intent, weight: 0.4 }];
    }),
  ];
}

interface Row {
  readonly features: readonly string[];
  readonly intent: QuestionIntent;
  readonly weight: number;
}

/** Trains a multinomial logistic regression by stochastic gradient descent in a fixed order. */
function train(rows: readonly Row[]) {
  const frequency = new Map<string, number>();
  for (const { features } of rows)
    for (const feature of features) frequency.set(feature, (frequency.get(feature) ?? 0) + 1);
  const weights = new Map<string, Float64Array>();
  for (const [feature, count] of frequency)
    if (!feature.includes(" ") || count >= MIN_EXAMPLES_OF_PAIR)
      weights.set(feature, new Float64Array(INTENTS.length));
  const bias = new Float64Array(INTENTS.length);
  let seed = 1;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  const order = rows.map((_, i) => i);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [order[i], order[j]] = [order[j]!, order[i]!];
    }
    const rate = LEARNING_RATE / (1 + epoch * DECAY);
    for (const i of order) {
      const { features, intent, weight } = rows[i]!;
      const known = features.flatMap((feature) => weights.get(feature) ?? []);
      const scale = 1 / Math.sqrt(features.length + 1);
      const scores = INTENTS.map(
        (_, c) => bias[c]! + known.reduce((sum, values) => sum + values[c]! * scale, 0),
      );
      const highest = Math.max(...scores);
      const odds = scores.map((score) => Math.exp(score - highest));
      const total = odds.reduce((sum, value) => sum + value, 0);
      for (const [c, label] of INTENTS.entries()) {
        const error = (odds[c]! / total - (label === intent ? 1 : 0)) * weight;
        bias[c]! -= rate * error * 0.1;
        for (const values of known) values[c]! -= rate * (error * scale + L2 * values[c]!);
      }
    }
  }
  return { weights, bias };
}

/** Packs entries into lines of about 100 characters. */
function linesOf(entries: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const entry of entries) {
    const last = lines.at(-1);
    if (last === undefined || last.length + entry.length > LINE_LENGTH) lines.push(entry);
    else lines[lines.length - 1] = `${last}; ${entry}`;
  }
  return lines;
}

/**
 * Returns the share of questions with the right intent, 0-1, each read by the model of the other folds, without the
 * rules. Only questions written one by one are counted; those of templates with choices stay in every fold.
 */
function crossValidated(rows: readonly Row[]): number {
  const counted = rows.filter(({ weight }) => weight === LABELLED_WEIGHT);
  const foldOf = new Map(counted.map((row, i) => [row, i % FOLDS]));
  let right = 0;
  for (let fold = 0; fold < FOLDS; fold++) {
    const { weights, bias } = train(rows.filter((row) => foldOf.get(row) !== fold));
    for (const row of counted.filter((one) => foldOf.get(one) === fold)) {
      const scale = 1 / Math.sqrt(row.features.length + 1);
      const known = row.features.flatMap((feature) => weights.get(feature) ?? []);
      const scores = INTENTS.map((_, c) => known.reduce((sum, values) => sum + values[c]! * scale, bias[c]!));
      if (INTENTS[scores.indexOf(Math.max(...scores))] === row.intent) right++;
    }
  }
  return right / counted.length;
}

/**
 * Trains the intent model on the training half and writes it; with `--folds` only prints its cross-validated share of
 * right intents. Never reads language/held-out*.json.
 */
export function run(): void {
  const symbols = createDirectory({ members: LISTINGS.map(({ instrument }) => instrument) });
  const rows = examples().map(({ query, intent, weight }) => {
    const { text, spans, mentions, unresolved } = readMentions(query, symbols);
    const named = mentions.length + unresolved.length;
    return { features: intentFeatures(text, { spans, named }), intent, weight };
  });
  if (process.argv.includes("--folds")) {
    console.log(`${(100 * crossValidated(rows)).toFixed(1)} % right in ${FOLDS} folds`);
    return;
  }
  const { weights, bias } = train(rows);
  const model = Object.fromEntries(
    INTENTS.map((intent, c) => {
      const entries = [...weights]
        .filter(([, values]) => Math.abs(values[c]!) >= MIN_WEIGHT)
        .map(([feature, values]) => `${feature}=${Math.round(values[c]! * 10)}`)
        .sort();
      return [intent, linesOf([`=${Math.round(bias[c]! * 10)}`, ...entries])];
    }),
  );
  writeFileSync(MODEL, `${JSON.stringify(model, null, 2)}\n`);
  console.log(`${rows.length} questions, ${weights.size} features`);
}
