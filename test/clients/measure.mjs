import { setTimeout as sleep } from "node:timers/promises";

// Runs in a separate process: measures what one client library does over one transport, and sends each outcome to the
// parent as `{ operation, outcome }`. Usage: node measure.mjs <driver> <transport>; the server is in SERVER, as JSON.

const OPERATIONS = ["list", "call", "picture", "error", "cancel", "progress"];
const LISTED = ["get_quote", "get_signal", "render_chart"];
const PNG = Buffer.from("89504e470d0a1a0a", "hex");
/** Time after which an operation counts as hanging, in milliseconds. */
const PATIENCE_MS = 60_000;

const [, , driver, transport] = process.argv;
const server = JSON.parse(process.env.SERVER);
const { connect } = await import(`./drivers/${driver}.mjs`);

const send = (message) => new Promise((resolve) => process.send(message, () => resolve(undefined)));
const messageOf = (thrown) => String(thrown?.message ?? thrown);
const no = (reason) => `no: ${reason.split("\n")[0].trim().slice(0, 100)}`;
/** A backtest that no other row runs: a stored result would be returned without any work. */
const backtest = (sweep) => ({
  symbol: "AAPL",
  strategy: "ema_cross",
  sweep,
  folds: 5,
  cash: 10_000 + server.row,
  picture: false,
});
const LONG_SWEEP = "fast=5..49:1; slow=51..90:1";
const SHORT_SWEEP = "fast=5..24:1; slow=51..70:1";

/** Runs a backtest, over MCP through the tool that calls others: it is not in the default list. */
async function runBacktest(client, input, options) {
  const names = await client.list();
  return names.includes("call_tool")
    ? client.call("call_tool", { name: "run_backtest", arguments: JSON.stringify(input) }, options)
    : client.call("run_backtest", input, options);
}

const measures = {
  async list(client) {
    const names = await client.list();
    const missing = LISTED.filter((name) => !names.includes(name));
    return missing.length === 0 ? "yes" : no(`the list lacks ${missing.join(", ")}`);
  },

  async call(client) {
    const { text } = await client.call("get_quote", { symbol: "AAPL" });
    return text.includes("AAPL") && /\d\.\d/.test(text) ? "yes" : no("no price in the answer");
  },

  async picture(client) {
    const { images } = await client.call("render_chart", { symbol: "AAPL" });
    if (images.length === 0) return no("no image in the answer");
    const [{ mime, base64 }] = images;
    const bytes = Buffer.from(base64, "base64");
    return mime === "image/png" && bytes.subarray(0, PNG.length).equals(PNG)
      ? "yes"
      : no("the image is no PNG");
  },

  async error(client) {
    const text = await client.call("get_quote", { symbol: "ZZZZ" }).then(
      (answer) => answer.text,
      (thrown) => messageOf(thrown),
    );
    return text.includes(server.hint) ? "yes" : no(`the hint is missing: ${text}`);
  },

  /** The first step is reported at once, long before the result. */
  async progress(client) {
    const steps = [];
    await runBacktest(client, backtest(SHORT_SWEEP), {
      onProgress: ({ progress }) => steps.push(progress),
    });
    return steps.some(Number.isFinite) ? "yes" : no("no progress arrives");
  },

  /** The parent says when the server has the request, and reads from the log of the server how the call ended. */
  async cancel(client) {
    const controller = new AbortController();
    const message = () => new Promise((resolve) => process.once("message", resolve));
    const allowed = message();
    await send({ started: true });
    await allowed;
    message().then(() => controller.abort());
    const ended = await runBacktest(client, backtest(LONG_SWEEP), { signal: controller.signal }).then(
      ({ text }) => text,
      messageOf,
    );
    // a call that ends before the abort has failed for another reason
    return controller.signal.aborted ? "aborted" : no(`the call is not running: ${ended}`);
  },
};

async function measured(operation, client) {
  if (operation in server.notOffered) return "not offered";
  const hanging = sleep(PATIENCE_MS, no("hangs"), { ref: false });
  return Promise.race([measures[operation](client), hanging]).catch((thrown) => no(messageOf(thrown)));
}

const client = await connect(transport, server).catch((thrown) => send({ failed: messageOf(thrown) }));
if (client)
  for (const operation of OPERATIONS) await send({ operation, outcome: await measured(operation, client) });
// connections stay open until the parent ends this process: to close them could cancel the long call
await send({ done: true });
