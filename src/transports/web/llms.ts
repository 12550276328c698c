import { Hono } from "hono";
import { TOOLSETS, type Tool } from "../../kernel/tool.ts";
import { TOOLSET_DESCRIPTIONS } from "../../kernel/toolsets.ts";
import { A2A_PATH, CARD_PATH } from "../a2a/card.ts";
import { endpointsOf } from "../http/paths.ts";
import { routeGet } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { serveStatic } from "../http/static-file.ts";

/**
 * Serves /llms.txt: what this server answers, for language models that read a page instead of a list of tools.
 * @see https://llmstxt.org
 */
export function llmsRoutes(server: HttpServerDeps): Hono<HttpEnv> {
  const serve = serveStatic("text/markdown; charset=utf-8", () => llmsText(server));
  return routeGet(new Hono<HttpEnv>({ strict: false }), "/llms.txt", serve);
}

/** Returns the Markdown of /llms.txt: the interfaces, and every connected tool with its topics, by toolset. */
export function llmsText({ registry, settings }: Pick<HttpServerDeps, "registry" | "settings">): string {
  const url = settings.publicUrl;
  const toolsets = TOOLSETS.flatMap((toolset) => {
    const tools = registry.tools.filter((tool) => tool.toolset === toolset);
    return tools.length === 0 ? [] : [`## ${TOOLSET_DESCRIPTIONS[toolset]}`, tools.map(lineOf).join("\n")];
  });
  return `${[
    "# Market Signal",
    "> Trading analytics for US stocks, ETFs and crypto. Every figure names its source and time; simulated prices are labelled.",
    [
      `- [Dashboard](${url}/): charts with the structure, the watchlist and the screener, for people in a browser`,
      `- [OpenAPI document](${url}/openapi.json): every REST route`,
      `- [Documentation](${url}/docs): every tool with its fields and examples`,
      `- [MCP](${url}/api/mcp): Streamable HTTP`,
      `- [A2A](${url}${A2A_PATH}): its agent card is at ${url}${CARD_PATH}`,
    ].join("\n"),
    ...toolsets,
  ].join("\n\n")}\n`;
}

function lineOf(tool: Tool): string {
  const { verb, path } = endpointsOf([tool])[0]!;
  const topics = tool.topics ?? [];
  return `- ${tool.name}: ${tool.title}${topics.length === 0 ? "" : ` (${topics.join(", ")})`}. ${verb} ${path}`;
}
