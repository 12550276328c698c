import type { Child } from "hono/jsx";
import { type ClientSetup, CREATE_KEY_COMMAND, RESTORE_COMMAND } from "../connect.ts";
import type { AgentCall } from "./agent-calls.ts";
import { UtcTime } from "./home-card.tsx";

interface Connect {
  readonly to: ClientSetup;
  readonly agent: AgentCall | null;
}

/** Renders how to connect each client and whether an agent has called. Commands refer to the key by its variable. */
export function Connect({ to, agent }: Connect) {
  return (
    <section id="connect" aria-labelledby="connect-title">
      <h2 id="connect-title">Connect your agent</h2>
      <p id="sign" class={agent === null ? "sign" : "sign on"} role="status">
        <span id="sign-text">
          {agent === null ? (
            "Waiting for an agent's first call"
          ) : (
            <>
              Connected: {agent.tool} over {agent.transport}, <UtcTime time={agent.at} />
            </>
          )}
        </span>
      </p>
      <ol>
        <li>
          Set a variable to your key. The first start saved it in <code>first-key.txt</code> in the data
          folder.
          <Snippet text="export MARKET_SIGNAL_KEY=ms_live_..." what="line that sets the key" />
          Create another key: <Snippet text={CREATE_KEY_COMMAND} what="command that makes a key" />
        </li>
        <li>
          Connect a client.
          <Client name="Claude Code" open>
            <Snippet text={to.claude} what="Claude Code command" />
          </Client>
          <Client name="Cursor">
            <p>
              <a class="button" href={to.cursorLink}>
                Add to Cursor
              </a>{" "}
              or put this into <code>~/.cursor/mcp.json</code>. Start Cursor with the variable set, or replace
              the variable with the key.
            </p>
            <Snippet text={to.cursor} what="Cursor settings" />
          </Client>
          <Client name="VS Code">
            <p>
              Put this into <code>.vscode/mcp.json</code>. VS Code prompts for the key.
            </p>
            <Snippet text={to.vscode} what="VS Code settings" />
          </Client>
          <Client name="Any other MCP client">
            <p>
              Use this URL with the header <code>Authorization: Bearer</code> and the key. For clients that
              start a child process: <code>npx market-signal mcp config --stdio</code>
            </p>
            <Snippet text={to.mcp} what="MCP URL" />
          </Client>
          <Client name="A2A">
            <p>The agent card lists all endpoints and skills.</p>
            <Snippet text={to.agentCard} what="agent card URL" />
          </Client>
          <Client name="curl">
            <Snippet text={to.curl} what="curl command" />
          </Client>
        </li>
        <li>
          Ask it about a market. <span class="quiet">The status above turns green without a reload.</span>
        </li>
      </ol>
      {agent === null && (
        <p class="quiet">
          To continue an earlier installation, stop this server and restore its backup:{" "}
          <code>{RESTORE_COMMAND}</code>
        </p>
      )}
    </section>
  );
}

const Client = (client: { readonly name: string; readonly open?: boolean; readonly children: Child }) => (
  <details name="client" open={client.open ?? false}>
    <summary>{client.name}</summary>
    {client.children}
  </details>
);

/** Renders text to paste, with a copy button that the script enables. */
export const Snippet = ({ text, what }: { readonly text: string; readonly what: string }) => (
  <div class="snippet">
    <pre>
      <code>{text}</code>
    </pre>
    <button type="button" class="copy" aria-label={`Copy the ${what}`} hidden>
      Copy
    </button>
  </div>
);
