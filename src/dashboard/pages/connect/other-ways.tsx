import { Card } from "@mantine/core";
import type { ClientSetup } from "../../../transports/connect.ts";
import { Snippet } from "../shared/snippet.tsx";

/** The ways to connect besides MCP. */
export function OtherWays({ setup }: { readonly setup: ClientSetup }) {
  return (
    <Card withBorder className="last">
      <h2 className="card-title">Other ways to connect</h2>
      <h3 className="client-title">REST</h3>
      <Snippet text={setup.curl} what="curl command" />
      <p className="muted">
        Every tool is a route: <a href="/docs">reference</a>, <a href="/openapi.json">OpenAPI 3.1</a>.
      </p>
      <h3 className="client-title">A2A, for other agents</h3>
      <Snippet text={setup.agentCard} what="address of the agent card" />
      <p className="muted">The card names the endpoints and lists every tool as a skill.</p>
    </Card>
  );
}

/** The frame that shows the widget in another page. */
export function Widget({ symbol }: { readonly symbol: string | null }) {
  const frame = `<iframe src="${location.origin}/widget" title="Market Signal${symbol === null ? "" : `: ${symbol}`}" width="360" height="700" loading="lazy"></iframe>`;
  return (
    <Card withBorder className="last">
      <h2 className="card-title">Widget for a web page</h2>
      <Snippet text={frame} what="frame of the widget" />
      <p className="muted">
        {symbol === null
          ? "The public demo is not available now."
          : `Shows the card of ${symbol}, refreshed every minute.`}{" "}
        It needs no key; its symbol is <code>DEMO_SYMBOL</code>. <a href="/widget">Open it</a>
      </p>
    </Card>
  );
}
