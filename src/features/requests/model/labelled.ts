import type { Symbols } from "../../../domain/ports.ts";
import { QuestionIntent } from "../../../domain/requests/interpretation.ts";
import type { Tool } from "../../../kernel/tool.ts";
import { readMentions } from "../../../market/symbols/mentions/read-mentions.ts";
import { questionWords } from "../language/question-words.ts";
import asks from "../learnt/asks.json" with { type: "json" };
import choices from "../learnt/intent-choices.json" with { type: "json" };
import intents from "../learnt/intents.json" with { type: "json" };
import outside from "../learnt/outside.json" with { type: "json" };
import requests from "../learnt/requests.json" with { type: "json" };
import { OUTSIDE } from "./model.ts";
import type { LabelledRequest } from "./train.ts";

/** What people ask for, by the tool that answers it: in full sentences, and as they speak. */
const REQUESTS: readonly Readonly<Record<string, readonly string[]>>[] = [requests, asks];

/** Returns the requests from which the classifier learns: those of each tool, and those that no tool answers. */
export const labelledRequests = (tools: readonly Tool[]): readonly LabelledRequest[] => [
  ...tools.flatMap((tool) => requestsOf(tool).map((request) => ({ label: tool.name, request }))),
  ...outside.map((request) => ({ label: OUTSIDE, request })),
];

/** Returns the texts by which a tool is found: its name, title, topics, the sentences on its use, and requests. */
function requestsOf({ name, title, description, topics = [], examples }: Tool): readonly string[] {
  const [siblings, ...sentences] = description.split(/(?<=[.:;])\s/).reverse();
  const own = sentences.length === 0 ? [siblings!] : sentences;
  return [
    ...[name.replaceAll("_", " "), title],
    ...topics,
    ...own,
    ...examples.map(({ ask }) => ask),
    ...REQUESTS.flatMap((byTool) => byTool[name] ?? []),
  ];
}

/** Maximum number of questions from one sentence with choices, spread evenly over them. */
const MAX_OF_CHOICES = 24;

/** Returns the questions from which the classifier of intents learns, with placeholders for the names in them. */
export const labelledQuestions = (symbols: Symbols): readonly LabelledRequest[] =>
  QuestionIntent.options.flatMap((label) =>
    [...intents[label], ...choices[label].flatMap(questionsOf)].map((question) => {
      const { text, spans } = readMentions(question, symbols);
      return { label, request: questionWords(text, { spans }) };
    }),
  );

function questionsOf(sentence: string): readonly string[] {
  const all = expanded(sentence);
  return all.filter((_, i) => i % Math.ceil(all.length / MAX_OF_CHOICES) === 0);
}

/** Returns the sentences that one with choices stands for: `(best|top) stocks( today)?`. */
function expanded(sentence: string): readonly string[] {
  const choice = /\(([^()]*)\)(\?)?/.exec(sentence);
  if (choice === null) return [sentence];
  const [found, words, optional] = choice;
  const options = [...words!.split("|"), ...(optional === undefined ? [] : [""])];
  const [before, after] = [sentence.slice(0, choice.index), sentence.slice(choice.index + found.length)];
  return options.flatMap((option) => expanded(`${before}${option}${after}`));
}
