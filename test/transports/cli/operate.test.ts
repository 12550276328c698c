import { describe, expect, it } from "vitest";
import type { ToolFilter } from "../../../src/kernel/registry.ts";
import { SetupError } from "../../../src/lib/setup-error.ts";
import type { CliHost } from "../../../src/transports/cli/host.ts";
import { getHealth } from "../../support/http-tools.ts";
import { directoryOf } from "../../support/market.ts";
import { testCli } from "./test-host.ts";

const bearer = (variable: string): string => `Bearer \${${variable}}`;
describe("stdio", () => {
  it.each([
    [[], { readonly: false }],
    [["--toolsets", "signal, flow", "--readonly"], { readonly: true, toolsets: ["signal", "flow"] }],
  ])("with %j passes the filter and prints nothing", async (options, filter) => {
    const filters: ToolFilter[] = [];
    const { run } = testCli({ host: { stdio: async (given) => void filters.push(given) } });
    expect(await run("stdio", ...options)).toEqual({ code: 0, out: "", err: "" });
    expect(filters).toEqual([filter]);
  });
});

describe("serve", () => {
  it("takes no arguments, and exits 2 if it cannot run", async () => {
    let served = 0;
    const serve = async () => {
      served++;
      throw new SetupError("127.0.0.1:8787 is in use; set PORT to another one");
    };
    const { run } = testCli({ host: { serve } });
    expect((await run("serve", "9000")).code).toBe(2);
    expect(served).toBe(0);
    expect(await run("serve")).toEqual({
      code: 2,
      out: "",
      err: "market-signal: 127.0.0.1:8787 is in use; set PORT to another one\n",
    });
  });
});

describe("the options of serve", () => {
  const settingOptions = [
    { name: "PORT", option: "port", purpose: "Port of the HTTP server" },
    { name: "MARKET_DATA", option: "market-data", purpose: "Market" },
    { name: "PROVIDER_URL_A", option: "provider-url-a", purpose: "Replaces the URL of A" },
  ];
  const served: object[] = [];
  const serve: CliHost["serve"] = async (options) => {
    served.push(options);
    return 0;
  };
  const { run, runLine } = testCli({ host: { settingOptions, serve } });

  it.each([
    ["serve", {}],
    ["serve --port 9000 --live", { PORT: "9000", MARKET_DATA: "live" }],
    ["serve --sample", { MARKET_DATA: "sample" }],
    ["serve --market-data files:bars", { MARKET_DATA: "files:bars" }],
    ["serve --provider-url-a http://a.test", { PROVIDER_URL_A: "http://a.test" }],
  ])("are settings: %s", async (line, options) => {
    served.length = 0;
    expect((await runLine(line)).code).toBe(0);
    expect(served).toEqual([{ processes: 1, options }]);
  });

  it.each(["serve --live --sample", "serve --live --market-data sample"])(
    "name one market: %s",
    async (line) => {
      expect(await runLine(line)).toMatchObject({
        code: 2,
        err: "INVALID_INPUT Two options name the market\nUse one of --live, --sample and --market-data.\n",
      });
    },
  );

  it("are listed by the help, except those of tests", async () => {
    const { out } = await run("serve", "--help");
    expect(out).toMatch(/--port <value> +Port of the HTTP server/);
    expect(out).toMatch(/--live +the same as --market-data live/);
    expect(out).not.toContain("provider-url");
  });
});

describe("doctor", () => {
  const well = { tools: [getHealth], ports: { symbols: directoryOf(["AAPL"]) } };

  it("prints one line per finding and exits 0 without a failure", async () => {
    const { code, out } = await testCli(well).run("doctor");
    expect(code).toBe(0);
    expect(out.split("\n").at(-4)).toBe("ok   market: SAMPLE (simulated), 1 symbols");
    const json = JSON.parse((await testCli(well).run("doctor", "--json")).out);
    expect(json.ok).toBe(true);
    expect(json.checks.at(-2)).toEqual({ name: "tools", state: "ok", detail: "1 connected" });
  });

  it("exits 1 with a failure", async () => {
    const open = async () => {
      throw new SetupError("DATA_DIR /x is a file");
    };
    const { run } = testCli({ host: { open } });
    const { code, out, err } = await run("doctor");
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(out).toContain("fail installation: DATA_DIR /x is a file\n");
    expect(JSON.parse((await run("doctor", "--json")).out).ok).toBe(false);
  });
});

describe("mcp config", () => {
  it("prints settings for Claude by default", async () => {
    const { code, out, err } = await testCli().run("mcp", "config");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toEqual({
      mcpServers: {
        "market-signal": {
          type: "http",
          url: "http://127.0.0.1:8787/api/mcp",
          headers: { Authorization: bearer("MARKET_SIGNAL_KEY") },
        },
      },
    });
  });

  it("makes the client start this program", async () => {
    const launch = () => ({ command: "/bin/node", args: ["/opt/main.js"], env: { DATA_DIR: "/data" } });
    const { out } = await testCli({ host: { launchCommand: launch } }).runLine(
      "mcp config --client vscode --stdio",
    );
    expect(JSON.parse(out)).toEqual({
      servers: {
        "market-signal": {
          type: "stdio",
          command: "/bin/node",
          args: ["/opt/main.js", "stdio"],
          env: { DATA_DIR: "/data" },
        },
      },
    });
  });

  it("rejects an unknown client with exit 2", async () => {
    const { run } = testCli();
    expect(await run("mcp", "config", "--client", "emacs")).toEqual({
      code: 2,
      out: "",
      err: expect.stringMatching(
        /^INVALID_INPUT There is no client "emacs"\nClients: claude-code, claude-desktop, cursor, vscode, .*mastra\.\n$/,
      ),
    });
    expect((await run("mcp")).code).toBe(2);
  });
});
