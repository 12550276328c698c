import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/app/config.ts";

// Opens the program as its settings say, tells how long that took since the process began and what it holds, and ends.
const app = await createApp(readConfig());
const ms = performance.now();
globalThis.gc?.();
process.stdout.write(`${JSON.stringify({ ms, bytes: process.memoryUsage.rss() })}\n`);
await app.close();
