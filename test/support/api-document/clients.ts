import { a2aCall, hasResult, rpcErrorCode } from "../../proofs/a2a.ts";
import { mcpCall } from "../../proofs/proof-server.ts";
import { mcpData } from "../mcp-data.ts";
import type { DocumentedRequest } from "./routes.ts";

/** Status and JSON body of a response, and the error code of a refusal; null if the call succeeded. */
export interface DocumentedAnswer {
  readonly status: number;
  readonly code: string | null;
  readonly data: any;
  readonly headers: Headers;
}

/** One request over HTTP. The key is sent as line 226 of the document writes it. */
export async function fetchJson(
  url: string,
  key: string | null,
  given: {
    readonly method?: string;
    readonly path: string;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  },
) {
  const { method = given.body === undefined ? "GET" : "POST", path, body } = given;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...given.headers,
      ...(key !== null && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const raw = await response.text();
  // MCP may answer with an event stream of one message
  const json = raw.startsWith("{") ? raw : (/^data: (\{.*)$/m.exec(raw)?.[1] ?? "null");
  return { status: response.status, headers: response.headers, body: JSON.parse(json) };
}

/** Calls the route as the document writes it. */
export async function overRest(
  url: string,
  key: string | null,
  { path, body }: DocumentedRequest,
): Promise<DocumentedAnswer> {
  const response = await fetchJson(url, key, { path, ...(body !== undefined && { body }) });
  return { ...response, data: response.body, code: response.status === 200 ? null : response.body.code };
}

/** Calls the tool over MCP. */
export async function overMcp(
  url: string,
  key: string | null,
  { input }: DocumentedRequest,
  tool: string,
): Promise<DocumentedAnswer> {
  const { status, headers, body } = await fetchJson(url, key, mcpCall(tool, input) as { path: string });
  if (body.result === undefined)
    return { status, headers, data: body, code: String(body.code ?? body.error?.code) };
  const { isError, content } = body.result;
  const code = isError === true ? /^\w+/.exec(content[0].text)![0] : null;
  return { status, headers, data: code === null ? mcpData(body.result) : undefined, code };
}

/** Calls the skill over A2A. Default path: the JSON-RPC endpoint. */
export async function overA2a(
  url: string,
  key: string | null,
  { input }: DocumentedRequest,
  tool: string,
  path?: string,
): Promise<DocumentedAnswer> {
  return sendA2a(url, key, a2aCall(tool, input, path) as { path: string });
}

/** Sends an A2A message and returns the data of its task. */
export async function sendA2a(
  url: string,
  key: string | null,
  message: Parameters<typeof fetchJson>[2],
): Promise<DocumentedAnswer> {
  const { status, headers, body } = await fetchJson(url, key, message);
  if (body.result === undefined)
    return { status, headers, data: body, code: body.error ? rpcErrorCode(body.error) : String(body.code) };
  const { status: state, artifacts = [] } = body.result.task;
  const dataIn = (parts: readonly { data?: unknown }[] = []) =>
    parts.find(({ data }) => data !== undefined)?.data;
  if (hasResult(body.result.task)) return { status, headers, data: dataIn(artifacts[0]?.parts), code: null };
  const data = dataIn(state.message?.parts) as { code?: string } | undefined;
  return { status, headers, data, code: data?.code ?? state.state };
}
