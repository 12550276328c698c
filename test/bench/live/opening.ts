import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/app/config.ts";

// Starts the program with its settings, prints the time since the process started and its memory, and exits.
const app = await createApp(readConfig());
const ms = performance.now();
globalThis.gc?.();
process.stdout.write(`${JSON.stringify({ ms, bytes: process.memoryUsage.rss() })}\n`);
await app.close();
