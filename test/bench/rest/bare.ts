import { Hono } from "hono";
import { listen } from "../../../src/transports/http/listen.ts";

// A single Hono handler that returns the given bytes through the program's listener.
const [path, bytes] = process.argv.slice(2) as [string, string];
const app = new Hono().get(path, (c) => c.body(bytes, 200, { "content-type": "application/json" }));
const { port } = await listen((request) => app.fetch(request), { host: "127.0.0.1", port: 0 });
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
