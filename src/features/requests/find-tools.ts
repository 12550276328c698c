import type { Principal } from "../../domain/accounts/access.ts";
import type {
  FoundTool,
  KnownTool,
  RankedTool,
  RefusedTool,
  ToolSearch,
} from "../../domain/requests/tool-search-port.ts";
import { asToolError } from "../../kernel/errors.ts";
import { authorize } from "../../kernel/invoke.ts";
import { modelSchemaOf } from "../../kernel/model-schema.ts";
import { maxEffect, type Tool } from "../../kernel/tool.ts";
import { lazy } from "../../lib/lazy.ts";
import { wordStem } from "../../lib/word-stem.ts";
import { likeliestOf, OUTSIDE, type RequestModels, rankerOf } from "./model/model.ts";

/** Factor by which a topic in a request makes its tool likelier. */
const TOPIC_ODDS = 3;

/**
 * Creates the `ToolSearch` port over the connected tools of this server. `models` loads the trained classifiers;
 * `unconnected` are the other tools.
 */
export function createToolSearch(
  tools: () => readonly Tool[],
  models: () => RequestModels,
  unconnected: () => readonly Tool[] = () => [],
): ToolSearch {
  const rankers = lazy(() => {
    const { tools, intents } = models();
    return { rank: rankerOf(tools), intentOf: likeliestOf(intents) as ToolSearch["intentOf"] };
  });
  const index = lazy(() => ({
    rank: rankers().rank,
    byName: new Map(tools().map((tool) => [tool.name, tool])),
    withTopicIn: topicMatcher(tools()),
    topicWords: new Set(
      tools().flatMap(({ topics = [] }) => topics.flatMap((topic) => stemsOf(topic).split(" "))),
    ),
  }));
  /** Returns the ranked tools; those whose topics the request contains count more than by its words alone. */
  const ranked = (request: string) => {
    const { rank, byName, withTopicIn } = index();
    const named = withTopicIn(request);
    const all = rank(request).map(({ label, share }) => ({
      label,
      isNamed: named.has(label),
      weight: named.has(label) ? TOPIC_ODDS * share : share,
    }));
    const total = all.reduce((sum, { weight }) => sum + weight, 0);
    return all
      .flatMap(({ label, isNamed, weight }) => {
        const tool = label === OUTSIDE ? null : byName.get(label);
        return tool === undefined ? [] : { tool, share: weight / total, isNamed };
      })
      .sort((a, b) => b.share - a.share);
  };
  return {
    find(query, { principal, limit, readonly }) {
      const found: FoundTool[] = [];
      const refused: RefusedTool[] = [];
      for (const { tool } of ranked(query)) {
        if (found.length === limit) break;
        if (tool === null || tool.role === "finder" || (readonly && maxEffect(tool) !== "read")) continue;
        const reason = refusalOf(tool, principal);
        if (reason === null) found.push(foundTool(tool));
        else refused.push({ name: tool.name, title: tool.title, reason });
      }
      return { tools: found, refused: refused.slice(0, limit) };
    },
    rank: (request) =>
      ranked(request)
        .filter(({ tool }) => tool?.role !== "interpreter") // it answers sentences, also this one
        .map(({ tool, ...rest }): RankedTool => ({ tool: tool && knownTool(tool), ...rest })),
    intentOf: (words) => rankers().intentOf(words),
    knows: (word) => index().topicWords.has(wordStem(word)),
    names: () => [...tools(), ...unconnected()].map(({ name, cli }) => ({ name, command: cli?.command })),
  };
}

const knownTool = (tool: Tool): KnownTool => {
  const { name, title, input } = tool;
  return { name, title, effect: maxEffect(tool), input };
};

/** Returns a function that returns the tools of which a request contains a topic: all of its words, in order. */
function topicMatcher(tools: readonly Tool[]): (request: string) => ReadonlySet<string> {
  const topics = tools.flatMap(({ name, topics = [] }) =>
    topics.map((topic) => ({ name, words: ` ${stemsOf(topic)} ` })),
  );
  return (request) => {
    const text = ` ${stemsOf(request)} `;
    return new Set(topics.flatMap(({ name, words }) => (text.includes(words) ? name : [])));
  };
}

const stemsOf = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{N}/-]+/gu) ?? []).map(wordStem).join(" ");

function foundTool(tool: Tool): FoundTool {
  const { name, title, description, toolset, input, examples } = tool;
  return {
    name,
    title,
    description,
    toolset,
    effect: maxEffect(tool),
    input_schema: modelSchemaOf(input),
    example: examples[0]!,
  };
}

/** Returns why the caller may not call the tool; null if it may. */
function refusalOf(tool: Tool, principal: Principal): string | null {
  try {
    authorize(tool, principal);
    return null;
  } catch (cause) {
    return asToolError(cause).message;
  }
}
