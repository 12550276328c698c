import type { Tool } from "../../kernel/tool.ts";
import { shellQuoted } from "../../lib/shell-quote.ts";
import { endpointsOf } from "../http/paths.ts";

/** Returns a shell-safe curl command that calls a tool with this input. */
export function curlOf(tool: Tool, input: Readonly<Record<string, unknown>>, publicUrl: string): string {
  const { verb, path } = endpointsOf([tool])[0]!;
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name!));
  const where = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const rest = Object.entries(input).filter(([name, value]) => !inPath.has(name) && value !== undefined);
  const asBody = verb === "POST" || verb === "PUT";
  const query = rest.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  return [
    `curl ${shellQuoted(`${publicUrl}${where}${asBody || query.length === 0 ? "" : `?${query.join("&")}`}`)}`,
    ...(verb === "GET" || (verb === "POST" && rest.length > 0) ? [] : [`-X ${verb}`]),
    ...(tool.plan === "open" ? [] : ['-H "Authorization: Bearer $MARKET_SIGNAL_KEY"']),
    ...(asBody && rest.length > 0
      ? ["-H 'Content-Type: application/json'", `-d ${shellQuoted(JSON.stringify(Object.fromEntries(rest)))}`]
      : []),
  ].join(" \\\n  ");
}
