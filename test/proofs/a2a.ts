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

/** Error code of an A2A call; null when the task completed. */
export async function a2aErrorCode(response: Response): Promise<string | null> {
  const body = await responseJson(response);
  if (body.code !== undefined) return String(body.code);
  if (body.error !== undefined) return String(body.error.code);
  const { state, message } = body.result.task.status;
  if (state === "TASK_STATE_COMPLETED") return null;
  const [facts] = message.parts.flatMap((part: any) => (part.data === undefined ? [] : [part.data]));
  return String(facts?.code ?? state);
}
