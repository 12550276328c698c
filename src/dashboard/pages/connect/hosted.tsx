import { Card } from "@mantine/core";
import { Snippet } from "../shared/snippet.tsx";

const LOCAL = /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/;

/** Says what a client that runs elsewhere needs. */
export function Hosted({ mcp }: { readonly mcp: string }) {
  const isPublic = location.protocol === "https:" && !LOCAL.test(location.host);
  return (
    <Card withBorder className="hosted last">
      <h2 className="card-title">Hosted clients</h2>
      <p>
        Assistants that run in the cloud, such as ChatGPT or Claude in a browser, call from the internet.{" "}
        {isPublic ? "They can use this address:" : `They cannot reach ${location.host}.`}
      </p>
      {isPublic ? (
        <Snippet text={mcp} what="address for hosted clients" />
      ) : (
        <ol>
          <li>
            Give the server a public https address: a reverse proxy with a certificate, or a tunnel to port{" "}
            <code>{location.port || "443"}</code>.
          </li>
          <li>
            Start it with <code>PUBLIC_URL=https://…</code> and, behind your own proxy,{" "}
            <code>TRUST_PROXY=1</code>.
          </li>
          <li>
            Add <code>https://…/api/mcp</code> as a custom connector. It opens the sign-in of this server in
            your browser and needs no key.
          </li>
        </ol>
      )}
    </Card>
  );
}
