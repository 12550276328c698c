import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@hey-api/openapi-ts";

export async function connect(_transport, { url, key }) {
  const folder = join(process.cwd(), "market-signal");
  await createClient({
    input: `${url}/openapi.json`,
    output: { path: folder, importFileExtension: ".ts" },
    plugins: ["@hey-api/client-fetch", "@hey-api/sdk"],
    logs: { level: "silent" },
  });
  const sdk = await import(pathToFileURL(join(folder, "sdk.gen.ts")).href);
  const { client } = await import(pathToFileURL(join(folder, "client.gen.ts")).href);
  // docs:start
  // npx @hey-api/openapi-ts -i http://127.0.0.1:8787/openapi.json -o market-signal -c @hey-api/client-fetch
  // import * as sdk from "./market-signal/sdk.gen"; import { client } from "./market-signal/client.gen";
  client.setConfig({ baseUrl: url, auth: key });
  const calls = {
    get_quote: ({ symbol }) => sdk.getQuote({ path: { symbol } }),
    render_chart: ({ symbol }) =>
      sdk.renderChart({ path: { symbol }, headers: { Accept: "image/png" }, parseAs: "blob" }),
    run_backtest: (body, { signal }) => sdk.runBacktest({ body, signal }),
  };
  // docs:end
  return {
    list: async () =>
      Object.keys(sdk).map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    async call(name, input, options) {
      const { data, error, response } = await calls[name](input, options);
      if (!(data instanceof Blob)) return { text: JSON.stringify(data ?? error), images: [] };
      const bytes = Buffer.from(await data.arrayBuffer());
      return {
        text: "",
        images: [{ mime: response.headers.get("content-type"), base64: bytes.toString("base64") }],
      };
    },
  };
}
