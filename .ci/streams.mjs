// Opens more event streams in turn than an account may have open, waits for an event of each and leaves it: fails if a proxy
// holds events back or keeps streams open whose reader left. Usage: streams.mjs <URL> <key>, with 127.0.0.1 as its address.
import http from "node:http";
import https from "node:https";

const STREAMS = 25;
const TIMEOUT_MS = 20_000;
const [, , url, key] = process.argv;
const { protocol, hostname, host, port } = new URL(url);

const firstEvent = () =>
  new Promise((resolve, reject) => {
    const request = (protocol === "https:" ? https : http).get({
      host: "127.0.0.1",
      port,
      servername: hostname,
      rejectUnauthorized: false,
      path: "/api/v1/quotes/stream?symbols=AAPL",
      headers: { host, authorization: `Bearer ${key}` },
      timeout: TIMEOUT_MS,
    });
    request.on("timeout", () => request.destroy(new Error(`no event within ${TIMEOUT_MS / 1000} s`)));
    request.on("error", reject);
    request.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part) => {
        text += part;
        if (response.statusCode === 200 && !text.includes("event: quote")) return;
        response.destroy();
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${response.statusCode}: ${text}`));
      });
    });
  });

for (let opened = 0; opened < STREAMS; opened++) await firstEvent();
