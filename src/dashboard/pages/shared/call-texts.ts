import { requestOf } from "../../../client/request.ts";
import { ROUTES } from "../../../client/tools.ts";
import { shellQuoted, shellWord } from "../../../lib/shell-quote.ts";

type Given = Readonly<Record<string, unknown>>;

/** One way to make the call of a panel from elsewhere. */
export interface CallText {
  readonly name: string;
  readonly text: string;
}

const KEY = "$MARKET_SIGNAL_KEY";

/** Returns a call of a tool as text for a shell, an agent, the command line and a program. */
export function callTexts(tool: string, given: object, origin: string): readonly CallText[] {
  const input = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== null),
  );
  return [
    { name: "curl", text: curlText(tool, input, origin) },
    {
      name: "MCP call",
      text: JSON.stringify({ method: "tools/call", params: { name: tool, arguments: input } }),
    },
    { name: "Command", text: commandText(tool, input) },
    { name: "TypeScript", text: typescriptText(tool, input, origin) },
  ];
}

function curlText(tool: string, input: Given, origin: string): string {
  const { method, url, body } = requestOf(origin, ROUTES[tool] ?? "", input);
  return [
    `curl ${shellWord(url)}`,
    ...(method === "GET" || (method === "POST" && body !== undefined) ? [] : [`-X ${method}`]),
    `-H "Authorization: Bearer ${KEY}"`,
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${shellQuoted(body)}`]),
  ].join(" ");
}

/** The fields of the path are arguments of the command, the others its options. */
function commandText(tool: string, input: Given): string {
  const inPath = [...(ROUTES[tool] ?? "").matchAll(/:(\w+)/g)].map(([, name]) => name!);
  const word = (value: unknown) =>
    shellWord(typeof value === "object" ? JSON.stringify(value) : String(value));
  return [
    `market-signal ${tool.replaceAll("_", "-")}`,
    ...inPath.map((name) => word(input[name])),
    ...Object.entries(input)
      .filter(([name]) => !inPath.includes(name))
      .map(([name, value]) => `--${name.replaceAll("_", "-")} ${word(value)}`),
  ].join(" ");
}

const typescriptText = (tool: string, input: Given, origin: string): string =>
  [
    `import { createClient } from "market-signal/client";`,
    `const client = createClient({ url: ${JSON.stringify(origin)}, key: "<your key>" });`,
    `const answer = await client.call(${JSON.stringify(tool)}, ${JSON.stringify(input)});`,
  ].join("\n");
