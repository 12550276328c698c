import { responseJson, type SiteRequest } from "./proof-server.ts";

const MESSAGE = "00000000-0000-4000-8000-00000000a2a0";

/** A call of a skill over A2A 1.0. */
export const a2aCall = (
  skill: string,
  input: Readonly<Record<string, unknown>>,
  path = "/api/a2a",
): Pick<SiteRequest, "method" | "path" | "headers" | "body"> => ({
  method: "POST",
  path,
  headers: { "a2a-version": "1.0" },
  body: {
    jsonrpc: "2.0",
    id: 1,
    method: "SendMessage",
    params: {
      message: {
        messageId: MESSAGE,
        role: "ROLE_USER",
        parts: [{ data: { skill, input }, mediaType: "application/json" }],
      },
    },
  },
});

/** Error code of an A2A call; null when the task has a result, even if it asks for a confirmation. */
export async function a2aErrorCode(response: Response): Promise<string | null> {
  const body = await responseJson(response);
  if (body.error !== undefined) return rpcErrorCode(body.error);
  if (body.code !== undefined) return String(body.code);
  const { task } = body.result;
  if (hasResult(task)) return null;
  const { state, message } = task.status;
  const [facts] = message.parts.flatMap((part: any) => (part.data === undefined ? [] : [part.data]));
  return String(facts?.code ?? state);
}

/** Returns the problem of a refused request, which a JSON-RPC error carries as its data. */
export const problemIn = (body: any): Record<string, unknown> => body.error?.data?.[0] ?? body;

/** Code of the refusal that a JSON-RPC error carries, otherwise its own code. */
export const rpcErrorCode = ({ code, data }: { readonly code: unknown; readonly data?: any }): string =>
  String(data?.[0]?.code ?? code);

/** Returns true for a completed task, and for one with an artifact that asks for a confirmation. */
export const hasResult = ({
  status,
  artifacts,
}: {
  readonly status: any;
  readonly artifacts?: readonly unknown[];
}) =>
  status.state === "TASK_STATE_COMPLETED" ||
  (status.state === "TASK_STATE_INPUT_REQUIRED" && (artifacts ?? []).length > 0);
