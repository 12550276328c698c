import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { listen } from "../../../src/transports/http/listen.ts";

// Bare Hono handlers that return the response of each path in a JSON file, through the listener of the program.
const answers: Record<string, object> = JSON.parse(readFileSync(process.argv[2]!, "utf8"));
const app = new Hono();
for (const [path, answer] of Object.entries(answers)) app.get(path, (c) => c.json(answer));
const { port } = await listen((request) => app.fetch(request), { host: "127.0.0.1", port: 0 });
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
