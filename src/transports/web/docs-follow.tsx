import type { Tool } from "../../kernel/tool.ts";
import { LAST_EVENT_ID } from "../rest/stream.ts";
import { curlOf } from "./docs-curl.ts";

/**
 * Renders how to stream what a tool reads and how to read its result as an MCP resource; renders nothing if it
 * supports neither.
 */
export function FollowNote({ tool, publicUrl }: { readonly tool: Tool; readonly publicUrl: string }) {
  const { http: { stream } = {}, resource } = tool;
  if (stream === undefined && resource === undefined) return null;
  const { symbols, timeframe } = tool.examples[0]!.input as Readonly<Record<string, unknown>>;
  const query = { ...(symbols !== undefined && { symbols }), ...(timeframe !== undefined && { timeframe }) };
  return (
    <>
      {resource && (
        <p>
          Over MCP the result is also available as the resource <code>{resource.template}</code>.{" "}
          {resource.description}
        </p>
      )}
      {stream && (
        <>
          <p>
            <b>GET</b> <code>{stream.route.split(" ")[1]}</code> accepts the same fields. {stream.description}{" "}
            Server-sent events: <code>hello</code>, then{" "}
            {stream.of === "quotes" ? (
              <>
                one <code>quote</code> per new price; after a disconnect the newest prices come first.
              </>
            ) : (
              <>
                one <code>change</code> per change; to resume after a disconnect, send{" "}
                <code>{LAST_EVENT_ID}</code>.
              </>
            )}
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
