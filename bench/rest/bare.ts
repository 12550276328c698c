import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { listen } from "../../src/doors/http/listen.ts";

// One Hono handler that gives these bytes: behind the listener of this program, or as the library serves it by itself.
const [how, path, bytes] = process.argv.slice(2) as [string, string, string];
const app = new Hono().get(path, (c) => c.body(bytes, 200, { "content-type": "application/json" }));
const say = (port: number) =>
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
if (how === "own") say((await listen((request) => app.fetch(request), { host: "127.0.0.1", port: 0 })).port);
else serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => say(port));
