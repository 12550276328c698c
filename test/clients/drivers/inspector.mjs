import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { answerOf } from "./mcp-answer.mjs";
import { onAbort } from "./on-abort.mjs";

const PROGRAM = fileURLToPath(
  new URL("../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", import.meta.url),
);

export async function connect(transport, { url, key, stdio }) {
  // docs:start
  // npx @modelcontextprotocol/inspector --cli <server> --method tools/list
  const environment = Object.entries(stdio.env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const header = ["--header", `Authorization: Bearer ${key}`];
  const server = {
    "Streamable HTTP": [`${url}/api/mcp`, "--transport", "http", ...header],
    SSE: [`${url}/api/mcp/sse`, "--transport", "sse", ...header],
    stdio: [stdio.command, ...stdio.args, ...environment],
  }[transport];
  // docs:end
  const run = (args, signal) => inspect([...server, "--method", ...args], signal);
  return {
    list: async () => (await run(["tools/list"])).tools.map(({ name }) => name),
    call: async (name, input, { signal } = {}) => {
      const values = Object.entries(input).flatMap(([field, value]) => [
        "--tool-arg",
        `${field}=${typeof value === "string" ? value : JSON.stringify(value)}`,
      ]);
      return answerOf(await run(["tools/call", "--tool-name", name, ...values], signal));
    },
  };
}

/** Runs the command line of the Inspector; an abort interrupts it as Ctrl-C does. */
function inspect(args, signal) {
  const child = spawn(process.execPath, [PROGRAM, "--cli", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  onAbort(signal, () => child.kill("SIGINT"));
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  return new Promise((resolve, reject) =>
    child.on("close", () => {
      try {
        resolve(JSON.parse(out));
      } catch {
        reject(new Error(out + err));
      }
    }),
  );
}
