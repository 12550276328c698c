import { Hono } from "hono";
import { raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { ERROR_CODES } from "../../kernel/errors.ts";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import { TOOLSETS, type Tool } from "../../kernel/tool.ts";
import { TOOLSET_DESCRIPTIONS } from "../../kernel/toolsets.ts";
import { mapInSteps } from "../../lib/event-loop.ts";
import { A2A_PATH, A2A_REST_PATH, A2A_ROUTE_PATH, CARD_PATH } from "../a2a/card.ts";
import { endpointsOf } from "../http/paths.ts";
import { isRetryable, PROBLEMS, routeGet } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { serveStatic } from "../http/static-file.ts";
import { FORMAT_PARAMETER, fileOutputOf } from "../rest/response-format.ts";
import { DOCS_CSS } from "./docs-css.ts";
import { curlOf } from "./docs-curl.ts";
import { FieldsTable, type Shape } from "./docs-fields.tsx";
import { FollowNote } from "./docs-follow.tsx";
import { pageOf } from "./page.tsx";

/** Serves the HTML reference of all connected tools at /docs; renders it at the first request, then caches it. */
export function docsRoutes(server: HttpServerDeps): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  routeGet(
    app,
    "/docs",
    serveStatic("text/html; charset=UTF-8", () => pageOfDocs(server)),
  );
  return routeGet(
    app,
    "/docs.css",
    serveStatic("text/css; charset=utf-8", () => DOCS_CSS),
  );
}

async function pageOfDocs({ registry, settings }: HttpServerDeps): Promise<string> {
  const articles = await mapInSteps(registry.tools, (tool): [string, HtmlEscapedString] => [
    tool.name,
    raw((<Article tool={tool} publicUrl={settings.publicUrl} />).toString()),
  ]);
  const children = <Docs registry={registry} settings={settings} articles={new Map(articles)} />;
  return pageOf({ title: "Market Signal API", style: "/docs.css", children });
}

interface DocsProps extends Pick<HttpServerDeps, "registry" | "settings"> {
  /** Rendered articles by the name of the tool. */
  readonly articles: ReadonlyMap<string, HtmlEscapedString>;
}

function Docs({ registry, settings, articles }: DocsProps) {
  const toolsets = TOOLSETS.map((name) => ({
    name,
    tools: registry.tools.filter(({ toolset }) => toolset === name),
  })).filter(({ tools }) => tools.length > 0);
  return (
    <>
      <nav aria-label="Contents">
        <p>
          <a href="/">
            <strong>Market Signal</strong>
          </a>{" "}
          {settings.version}
        </p>
        <ul>
          <li>
            <a href="#authentication">Authentication</a>
          </li>
          <li>
            <a href="#limits">Limits</a>
          </li>
          {toolsets.map(({ name, tools }) => (
            <li>
              <a href={`#${name}`}>{name}</a>
              <ul>
                {tools.map((tool) => (
                  <li>
                    <a href={`#${tool.name}`}>{tool.title}</a>
                  </li>
                ))}
              </ul>
            </li>
          ))}
          <li>
            <a href="#a2a">A2A</a>
          </li>
          <li>
            <a href="#errors">Errors</a>
          </li>
        </ul>
      </nav>
      <main>
        <h1>Market Signal API</h1>
        <p>
          Every tool below is available as JSON at its path, and over MCP by its name at{" "}
          <code>{settings.publicUrl}/api/mcp</code>. The same reference as{" "}
          <a href="/openapi.json">OpenAPI 3.1</a>.
        </p>
        <Rules />
        <A2a publicUrl={settings.publicUrl} />
        {toolsets.map(({ name, tools }) => (
          <section>
            <h2 id={name}>{name}</h2>
            <p>{TOOLSET_DESCRIPTIONS[name]}.</p>
            {tools.map(({ name }) => articles.get(name))}
          </section>
        ))}
        <Errors />
      </main>
    </>
  );
}

const Rules = () => (
  <section>
    <h2 id="authentication">Authentication</h2>
    <p>
      Send the key as <code>Authorization: Bearer &lt;key&gt;</code>; it is never read from the URL. Tools
      marked <em>open</em> require no key. Each tool shows the lowest plan that includes it.
    </p>
    <h2 id="limits">Limits</h2>
    <p>
      An account has one quota for all its keys and all transports. <code>RateLimit-Policy</code> names the
      windows, <code>RateLimit</code> the remaining calls; after a 429, <code>Retry-After</code> is the time
      to wait in seconds. Refused calls do not count against the daily quota. The maximum body size is 1 MiB.
    </p>
    <p>
      <code>Market-Data</code> is the kind of prices in a response: <code>sample</code> (simulated),{" "}
      <code>files</code> or <code>live</code>.
    </p>
  </section>
);

const A2a = ({ publicUrl }: { readonly publicUrl: string }) => (
  <section>
    <h2 id="a2a">A2A</h2>
    <p>
      The <a href={CARD_PATH}>agent card</a> lists every tool below as a skill for other agents. JSON-RPC of
      versions 1.0 and 0.3 is available at <code>{A2A_PATH}</code>, HTTP+JSON of 1.0 at{" "}
      <code>{A2A_REST_PATH}</code> (plan: pro), the same JSON-RPC at <code>{A2A_ROUTE_PATH}</code> (plan:
      enterprise). A message is one data part or plain text:
    </p>
    <pre>
      <code>{`curl '${publicUrl}${A2A_PATH}' \\
  -H "Authorization: Bearer $MARKET_SIGNAL_KEY" -H 'A2A-Version: 1.0' -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(MESSAGE)}'`}</code>
    </pre>
  </section>
);

/** Example message. */
const MESSAGE = {
  jsonrpc: "2.0",
  id: 1,
  method: "SendMessage",
  params: {
    message: { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "What is the signal on Apple?" }] },
  },
};

/** Renders how to get the file of a response; renders nothing for tools without a file. */
function FileNote({ tool }: { readonly tool: Tool }) {
  const fileOutput = fileOutputOf(tool);
  if (fileOutput === null) return null;
  const { mime, extension } = fileOutput.file;
  return (
    <p>
      Returns the file itself for <code>Accept: {mime}</code>
      {fileOutput.byQuery && (
        <>
          {" "}
          and for <code>{`?${FORMAT_PARAMETER}=${extension}`}</code>
        </>
      )}
      ; JSON responses contain it in base64.
    </p>
  );
}

function Article({ tool, publicUrl }: { readonly tool: Tool; readonly publicUrl: string }) {
  const example = tool.examples[0]!;
  return (
    <article>
      <h3 id={tool.name}>
        {tool.title} <code>{tool.name}</code>
      </h3>
      <ul class="routes">
        {endpointsOf([tool]).map(({ verb, path }) => (
          <li>
            <b>{verb}</b> <code>{path}</code>
          </li>
        ))}
      </ul>
      <p class="facts">
        <span>{tool.plan === "open" ? "open, no key" : `plan: ${tool.plan}`}</span> <span>{tool.effect}</span>
      </p>
      <p>{tool.description}</p>
      <FieldsTable caption="Parameters" shape={jsonSchemaOf(tool.input, "input") as Shape} isInput />
      <FileNote tool={tool} />
      <FollowNote tool={tool} publicUrl={publicUrl} />
      <p class="ask">{example.ask}</p>
      <pre>
        <code>{curlOf(tool, example.input, publicUrl)}</code>
      </pre>
      <details>
        <summary>Response</summary>
        <FieldsTable caption="Fields of the response" shape={jsonSchemaOf(tool.output, "output") as Shape} />
      </details>
    </article>
  );
}

const Errors = () => (
  <section>
    <h2 id="errors">Errors</h2>
    <p>
      Every failure is <code>application/problem+json</code> with <code>type</code>, <code>title</code>,{" "}
      <code>status</code>, <code>detail</code>, <code>instance</code>, <code>ok: false</code>,{" "}
      <code>code</code>, <code>request_id</code> and <code>retryable</code>; some also have <code>hint</code>,
      or <code>errors</code> with the invalid fields.
    </p>
    <div class="table">
      <table>
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">Status</th>
            <th scope="col">Meaning</th>
            <th scope="col">Retry</th>
          </tr>
        </thead>
        <tbody>
          {ERROR_CODES.map((code) => (
            <tr id={code}>
              <td>
                <code>{code}</code>
              </td>
              <td>{PROBLEMS[code].status}</td>
              <td>{PROBLEMS[code].title}</td>
              <td>{isRetryable(code) ? "yes" : "no"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
);
