import { writeFileSync } from "node:fs";
import { join } from "node:path";
import createClient from "openapi-fetch";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

export async function connect(_transport, { url, key }) {
  // docs:start
  // npx openapi-typescript http://127.0.0.1:8787/openapi.json -o market-signal.d.ts
  // in TypeScript: createClient<paths>(...), with paths of market-signal.d.ts
  const client = createClient({ baseUrl: url, headers: { Authorization: `Bearer ${key}` } });
  const calls = {
    get_quote: ({ symbol }) => client.GET("/api/v1/quote/{symbol}", { params: { path: { symbol } } }),
    render_chart: ({ symbol }) =>
      client.GET("/api/v1/chart/{symbol}", {
        params: { path: { symbol } },
        headers: { Accept: "image/png" },
        parseAs: "blob",
      }),
    run_backtest: (body, { signal }) => client.POST("/api/v1/backtest", { body, signal }),
  };
  // docs:end
  return {
    /** Operations of the generated types, with which the calls above must compile. */
    async list() {
      const types = astToString(await openapiTS(new URL(`${url}/openapi.json`)));
      checkTypes(types);
      const [, operations] = types.split("export interface operations {\n");
      return [...operations.matchAll(/^ {4}(\w+): \{$/gm)].map(([, name]) => name);
    },
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

const USE = `import type createClient from "openapi-fetch";
import type { paths } from "./market-signal.d.ts";
declare const client: ReturnType<typeof createClient<paths>>;
const { data } = await client.GET("/api/v1/quote/{symbol}", { params: { path: { symbol: "AAPL" } } });
export const symbol: string | undefined = data?.symbol;
await client.POST("/api/v1/backtest", { body: { symbol: "AAPL", strategy: "ema_cross" } });
`;

/** Throws the first error of the TypeScript compiler. */
function checkTypes(types) {
  const folder = join(import.meta.dirname, "..");
  writeFileSync(join(process.cwd(), "market-signal.d.ts"), types);
  const file = join(process.cwd(), "use.ts");
  writeFileSync(file, USE);
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    allowImportingTsExtensions: true,
    strict: true,
    noEmit: true,
    types: [],
    paths: { "openapi-fetch": [join(folder, "node_modules/openapi-fetch")] },
  });
  const [fault] = ts.getPreEmitDiagnostics(program);
  if (fault) throw new Error(`types: ${ts.flattenDiagnosticMessageText(fault.messageText, " ")}`);
}
