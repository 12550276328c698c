import { a2aCall } from "./a2a.ts";
import { type ProofServer, responseJson, sendRequest } from "./proof-server.ts";
import type { Finding } from "./tenants.ts";

/** Requests the task of one account as another, in every binding. */
export async function foreignTask(
  server: ProofServer,
  owner: string,
  other: string,
): Promise<readonly Finding[]> {
  const [tool] = server.app.registry.tools.filter(
    ({ examples }) => Object.keys(examples[0]!.input).length === 0,
  );
  const sent = await sendRequest(server, { ...a2aCall(tool!.name, {}), authorization: owner });
  const { id } = (await responseJson(sent)).result.task;
  const headers = { "a2a-version": "1.0" };
  const rpc = async (method: string, params: object, authorization: string) => {
    const body = { jsonrpc: "2.0", id: 1, method, params };
    return responseJson(
      await sendRequest(server, { method: "POST", path: "/api/a2a", headers, body, authorization }),
    );
  };
  const rest = async (method: string, path: string) =>
    (await sendRequest(server, { method, path: `/api/a2a/rest${path}`, headers, authorization: other }))
      .status;
  const [own, ...foreign] = await Promise.all([
    rpc("GetTask", { id }, owner),
    ...["GetTask", "CancelTask", "SubscribeToTask"].map((method) => rpc(method, { id }, other)),
  ]);
  const listed = await rpc("ListTasks", {}, other);
  return [
    ["GetTask of the account's own task", own.result?.id === id ? null : JSON.stringify(own)],
    ...foreign.map(
      (fault): Finding => [
        "another account's task over A2A",
        fault.error?.code === TASK_NOT_FOUND ? null : JSON.stringify(fault),
      ],
    ),
    [
      "ListTasks of another account",
      listed.result?.tasks.some((task: any) => task.id === id) === false ? null : JSON.stringify(listed),
    ],
    ...(await Promise.all(
      (
        [
          ["GET", ""],
          ["POST", ":cancel"],
          ["GET", ":subscribe"],
        ] as const
      ).map(async ([method, verb]): Promise<Finding> => {
        const status = await rest(method, `/tasks/${id}${verb}`);
        return [
          `${method} of another account's task${verb} over A2A`,
          status === 404 ? null : `status ${status}`,
        ];
      }),
    )),
  ];
}
const TASK_NOT_FOUND = -32001;

/** Posts a message into the stream of another account. */
export async function foreignStream(
  server: ProofServer,
  owner: string,
  other: string,
): Promise<readonly Finding[]> {
  const stream = await sendRequest(server, { method: "GET", path: "/api/mcp/sse", authorization: owner });
  const reader = stream.body!.getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  const path = /data: (\S+)/.exec(first)![1]!;
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const [own, foreign] = await Promise.all(
    [owner, other].map(
      async (authorization) =>
        (await sendRequest(server, { method: "POST", path, body, authorization })).status,
    ),
  );
  await reader.cancel();
  return [
    ["a message into the account's own stream", own === 202 ? null : `status ${own}`],
    ["a message into another account's stream", foreign === 404 ? null : `status ${foreign}`],
  ];
}
