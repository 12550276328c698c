import { describe, expect, it } from "vitest";
import type { ToolFilter } from "../../../src/kernel/registry.ts";
import { SetupError } from "../../../src/lib/setup-error.ts";
import { getHealth } from "../../support/http-tools.ts";
import { directoryOf } from "../../support/market.ts";
import { stand } from "./stand.ts";

const bearer = (variable: string): string => `Bearer \${${variable}}`;
describe("stdio", () => {
  it.each([
    [[], { readonly: false }],
    [["--toolsets", "signal, flow", "--readonly"], { readonly: true, toolsets: ["signal", "flow"] }],
  ])("with %j asks for the shelf and prints nothing", async (options, shelf) => {
    const asked: ToolFilter[] = [];
    const { run } = stand({ host: { stdio: async (given) => void asked.push(given) } });
    expect(await run("stdio", ...options)).toEqual({ code: 0, out: "", err: "" });
    expect(asked).toEqual([shelf]);
  });
});

describe("serve", () => {
  it("takes no words, and exits 2 where it cannot run", async () => {
    let served = 0;
    const serve = async () => {
      served++;
      throw new SetupError("127.0.0.1:8787 is in use; set PORT to another one");
    };
    const { run } = stand({ host: { serve } });
    expect((await run("serve", "9000")).code).toBe(2);
    expect(served).toBe(0);
    expect(await run("serve")).toEqual({
      code: 2,
      out: "",
      err: "market-signal: 127.0.0.1:8787 is in use; set PORT to another one\n",
    });
  });
});

describe("config", () => {
  const settings = () => [
    { name: "PORT", value: "9000", source: "environment", purpose: "Port of the HTTP server" },
    { name: "PUBLIC_URL", value: null, source: "default", purpose: "Where clients reach it" },
  ];

  it("lists every setting as it stands", async () => {
    expect(await stand({ host: { settings } }).run("config")).toEqual({
      code: 0,
      out: [
        "PORT        9000  from the environment",
        "            Port of the HTTP server",
        "PUBLIC_URL  not set",
        "            Where clients reach it",
        "",
      ].join("\n"),
      err: "",
    });
  });

  it("lists them for a program, and opens nothing", async () => {
    const { run, counts } = stand({ host: { settings } });
    expect(JSON.parse((await run("config", "--json")).out)).toEqual({ ok: true, settings: settings() });
    expect(counts.opened).toBe(0);
  });

  it("marks a bad setting among the others and exits 2", async () => {
    const port = { name: "PORT", value: "ht\u001b[2Jtp", source: "environment", purpose: "Port" };
    const bad = [{ ...port, fault: "must be a port number" }, settings()[1]!];
    const { run } = stand({ host: { settings: () => bad } });
    expect(await run("config")).toEqual({
      code: 2,
      out: [
        "PORT        ht tp  from the environment",
        "            bad: must be a port number",
        "            Port",
        "PUBLIC_URL  not set",
        "            Where clients reach it",
        "",
      ].join("\n"),
      err: "",
    });
    const json = await run("config", "--json");
    expect({ code: json.code, ...JSON.parse(json.out) }).toEqual({ code: 2, ok: false, settings: bad });
  });
});

describe("doctor", () => {
  const well = { tools: [getHealth], ports: { symbols: directoryOf(["AAPL"]) } };

  it("prints a line a finding and exits 0 where none is a failure", async () => {
    const { code, out } = await stand(well).run("doctor");
    expect(code).toBe(0);
    expect(out.split("\n").at(-4)).toBe("ok   market: SAMPLE (simulated), 1 symbols");
    const json = JSON.parse((await stand(well).run("doctor", "--json")).out);
    expect(json.ok).toBe(true);
    expect(json.checks.at(-2)).toEqual({ name: "tools", state: "ok", detail: "1 connected" });
  });

  it("exits 1 where one is", async () => {
    const open = async () => {
      throw new SetupError("DATA_DIR /x is a file");
    };
    const { run } = stand({ host: { open } });
    const { code, out, err } = await run("doctor");
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(out).toContain("fail installation: DATA_DIR /x is a file\n");
    expect(JSON.parse((await run("doctor", "--json")).out).ok).toBe(false);
  });
});

describe("mcp config", () => {
  it("prints valid settings for Claude unless told otherwise", async () => {
    const { code, out, err } = await stand().run("mcp", "config");
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

  it("lets the client start this very program", async () => {
    const launch = () => ({ command: "/bin/node", args: ["/opt/main.js"], env: { DATA_DIR: "/data" } });
    const { out } = await stand({ host: { launchCommand: launch } }).run(
      "mcp",
      "config",
      "--client",
      "vscode",
      "--stdio",
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

  it("refuses a client it does not know with exit 2", async () => {
    const { run } = stand();
    expect(await run("mcp", "config", "--client", "emacs")).toEqual({
      code: 2,
      out: "",
      err: 'INVALID_INPUT There is no client "emacs"\nClients: claude, cursor, vscode.\n',
    });
    expect((await run("mcp")).code).toBe(2);
  });
});
