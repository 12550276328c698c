import { randomUUID } from "node:crypto";
import { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } from "@a2a-js/sdk-0.3/client";
import { onAbort } from "./on-abort.mjs";

export async function connect(transport, { url, key }) {
  // docs:start
  const fetchImpl = (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${key}`);
    return fetch(input, { ...init, headers });
  };
  const transports = {
    "JSON-RPC": new JsonRpcTransportFactory({ fetchImpl }),
    "HTTP+JSON": new RestTransportFactory({ fetchImpl }),
  };
  const factory = new ClientFactory({ transports: [transports[transport]] });
  const client = await factory.createFromUrl(`${url}/a2a/v0.3/`);
  const message = (skill, input) => ({
    message: {
      kind: "message",
      messageId: randomUUID(),
      role: "user",
      parts: [{ kind: "data", data: { skill, input } }],
    },
  });
  // docs:end
  return {
    list: async () => (await client.getAgentCard()).skills.map(({ id }) => id),
    async call(skill, input, { signal, onProgress = () => {} } = {}) {
      const parts = [];
      for await (const event of client.sendMessageStream(message(skill, input))) {
        if (event.kind === "task") onAbort(signal, () => client.cancelTask({ id: event.id }));
        if (event.kind === "artifact-update") parts.push(...event.artifact.parts);
        if (event.kind === "status-update") {
          const said = event.status.message?.parts ?? [];
          parts.push(...said);
          for (const { text } of said) onProgress({ progress: Number.parseInt(text, 10) });
        }
      }
      return {
        text: parts.flatMap(({ kind, text }) => (kind === "text" ? text : [])).join("\n"),
        images: parts.flatMap(({ kind, file }) =>
          kind === "file" ? [{ mime: file.mimeType, base64: file.bytes }] : [],
        ),
      };
    },
  };
}
