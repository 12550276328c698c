import { randomUUID } from "node:crypto";
import { SendMessageRequest } from "@a2a-js/sdk";
import { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } from "@a2a-js/sdk/client";
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
  const client = await factory.createFromUrl(url);
  const message = (skill, input) =>
    SendMessageRequest.fromJSON({
      message: { messageId: randomUUID(), role: "ROLE_USER", parts: [{ data: { skill, input } }] },
    });
  // docs:end
  return {
    list: async () => (await client.getAgentCard()).skills.map(({ id }) => id),
    async call(skill, input, { signal, onProgress = () => {} } = {}) {
      const parts = [];
      for await (const { payload } of client.sendMessageStream(message(skill, input))) {
        const { $case, value } = payload;
        if ($case === "task")
          onAbort(signal, () => client.cancelTask({ id: value.id, tenant: "", metadata: {} }));
        if ($case === "artifactUpdate") parts.push(...value.artifact.parts);
        if ($case === "statusUpdate") {
          const said = value.status.message?.parts ?? [];
          parts.push(...said);
          for (const { content } of said) onProgress({ progress: Number.parseInt(content.value, 10) });
        }
      }
      return {
        text: parts.flatMap(({ content }) => (content.$case === "text" ? content.value : [])).join("\n"),
        images: parts.flatMap(({ content, mediaType }) =>
          content.$case === "raw" ? [{ mime: mediaType, base64: content.value.toString("base64") }] : [],
        ),
      };
    },
  };
}
