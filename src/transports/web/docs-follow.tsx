import type { Tool } from "../../kernel/tool.ts";
import { LAST_EVENT_ID } from "../rest/stream.ts";
import { curlOf } from "./docs-curl.ts";

/** How the changes of a tool arrive by themselves, and under which address its answer is read over MCP, where there is either. */
export function FollowNote({ tool, publicUrl }: { readonly tool: Tool; readonly publicUrl: string }) {
  const { http: { stream } = {}, resource } = tool;
  if (stream === undefined && resource === undefined) return null;
  const { symbols, timeframe } = tool.examples[0]!.input as Readonly<Record<string, unknown>>;
  const query = { ...(symbols !== undefined && { symbols }), ...(timeframe !== undefined && { timeframe }) };
  return (
    <>
      {resource && (
        <p>
          Over MCP its answer is also the resource <code>{resource.template}</code>. {resource.description}
        </p>
      )}
      {stream && (
        <>
          <p>
            <b>GET</b> <code>{stream.route.split(" ")[1]}</code> takes the same fields. {stream.description}{" "}
            Server-sent events: <code>hello</code>, then <code>change</code> each; a reader that was cut off
            goes on with <code>{LAST_EVENT_ID}</code>.
          </p>
          <pre>
            <code>
              {curlOf({ ...tool, route: stream.route }, query, publicUrl).replace("curl ", "curl -N ")}
            </code>
          </pre>
        </>
      )}
    </>
  );
}
