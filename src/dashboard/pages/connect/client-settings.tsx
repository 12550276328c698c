import { Button, Chip } from "@mantine/core";
import { useState } from "react";
import { CLIENTS, clientConfig } from "../../../transports/cli/mcp-config.ts";
import { SNIPPETS } from "../../../transports/cli/mcp-snippets.ts";
import type { ClientSetup } from "../../../transports/connect.ts";
import { Snippet } from "../shared/snippet.tsx";

const IN_PROGRAM = "in a program, ";

/** Returns the title of a client; the clients of one title differ in their language. */
function titleOf(name: string): string {
  const { title, place } = CLIENTS[name]!;
  return place.startsWith(IN_PROGRAM) ? `${title}, ${place.slice(IN_PROGRAM.length)}` : title;
}

const GROUPS = [
  ["Assistants and editors", Object.keys(CLIENTS).filter((name) => !Object.hasOwn(SNIPPETS, name))],
  ["Agents in programs", Object.keys(SNIPPETS)],
] as const;

/** Shows the settings of the chosen client, as the command line prints them. */
export function ClientSettings({
  setup,
  secret,
  toolsets,
}: {
  readonly setup: ClientSetup;
  /** Key to write into the settings; null for a reference to a variable. */
  readonly secret: string | null;
  readonly toolsets: readonly string[];
}) {
  const [client, setClient] = useState("claude-code");
  const settings = clientConfig(client, {
    stdio: false,
    url: location.origin,
    toolsets,
    ...(secret !== null && { key: secret }),
  });
  const text = typeof settings === "string" ? settings : JSON.stringify(settings, null, 2);
  const { place } = CLIENTS[client]!;
  const title = titleOf(client);
  return (
    <>
      {GROUPS.map(([group, names]) => (
        <fieldset key={group} className="clients">
          <legend>{group}</legend>
          <Chip.Group value={client} onChange={setClient}>
            {names.map((name) => (
              <Chip key={name} value={name} size="xs" variant="light">
                {titleOf(name)}
              </Chip>
            ))}
          </Chip.Group>
        </fieldset>
      ))}
      <h3 className="client-title">{title}</h3>
      <OneClick client={client} setup={setup} hasKey={secret !== null} />
      <p>
        {place.startsWith(IN_PROGRAM) ? "In the program" : "Settings in "}
        {!place.startsWith(IN_PROGRAM) && <b>{place}</b>}
      </p>
      <Snippet text={text} what={`settings of ${title}`} />
      <p className="muted">
        The same from a shell: <code>npx market-signal mcp config {client}</code>; with <code>--stdio</code>{" "}
        the client starts the program itself and needs no key.
      </p>
    </>
  );
}

/** What adds the server without a file: a link, or a command. */
function OneClick({
  client,
  setup,
  hasKey,
}: {
  readonly client: string;
  readonly setup: ClientSetup;
  readonly hasKey: boolean;
}) {
  if (client === "claude-code")
    return (
      <>
        <p>In one command:</p>
        <Snippet text={setup.claude} what="command of Claude Code" />
      </>
    );
  const link = LINKS[client];
  if (link === undefined) return null;
  return (
    <p>
      <Button component="a" href={setup[link.href]} size="sm">
        Add to {CLIENTS[client]!.title}
      </Button>{" "}
      <span className="muted">{hasKey ? "The link contains the key created above." : link.withoutKey}</span>
    </p>
  );
}

const LINKS: Readonly<
  Record<string, { readonly href: "cursorLink" | "vscodeLink"; readonly withoutKey: string }>
> = {
  cursor: {
    href: "cursorLink",
    withoutKey:
      "Cursor reads the key from the variable MARKET_SIGNAL_KEY. After you create a key above, the link contains it.",
  },
  vscode: { href: "vscodeLink", withoutKey: "The editor asks for the key and stores it." },
};
