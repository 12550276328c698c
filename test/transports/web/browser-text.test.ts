import { expect, it } from "vitest";
import { browserText } from "../../../src/transports/web/browser-text.ts";

const MOZILLA = "Mozilla/5.0";
it.each([
  [`${MOZILLA} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, "Firefox on Linux"],
  [`${MOZILLA} (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0`, "Edge on Windows"],
  [
    `${MOZILLA} (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36`,
    "Chrome on Android",
  ],
  [`${MOZILLA} (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1`, "Safari on iPhone"],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1`, "Safari on macOS"],
  ["curl/8.5.0", "curl/8.5.0"],
  ["\u001b[31m<b>evil</b>\u202e", "<b>evil</b>"],
  ["x".repeat(200), `${"x".repeat(39)}…`],
  ["", "Unknown browser"],
  [null, "Unknown browser"],
])("names the browser of %j", (userAgent, text) => {
  expect(browserText(userAgent)).toBe(text);
});
