import { describe, expect, it } from "vitest";
import { SetupError } from "../../../src/lib/setup-error.ts";
import { getHealth, runScan } from "../../support/http-tools.ts";
import { forever, getMirror, runList, testCli } from "./test-host.ts";

const tools = [getHealth, runScan, getMirror, runList];
const failing = (cause: unknown) => ({
  tools,
  host: {
    open: async () => {
      throw cause;
    },
  },
});

describe("the command line", () => {
  it("shows examples, the operating commands and the tools by toolset", async () => {
    const { code, out, err } = await testCli({ tools }).run("--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(`Examples:
  market-signal serve
  market-signal mirror 'it'\\''s' 2 --is-deep --tags a,b --max 1
  market-signal mirror x -1 --no-is-saved
  market-signal keys create --account owner

Usage: market-signal [options] [command]

Trading analytics for agents and people. Every tool is a command; run it with
--help for details.

Options:
  -V, --version                              output the version number
  -h, --help                                 display help for command

Operate:
  serve                                      run the HTTP server
  stdio                                      serve MCP on stdin and stdout
  config                                     list every setting with its current value
  doctor                                     check this installation and its data providers
  mcp [command]                              print settings for MCP clients
  keys [command]                             create, list, revoke or rotate API keys; change accounts
  vault [command]                            change the master key that encrypts broker credentials
  audit [command]                            verify and export the audit log of trading
  limits [command]                           show or change trading limits, or stop live orders
  trades [command]                           show and confirm live trades that need the owner's confirmation
  data [command]                             import and export bars as CSV
  engine [command]                           run the nightly engine by hand, or list its runs
  track [command]                            build the track record of signals
  agent [command]                            run agents once or on a schedule, and show their decisions

Tools, market:
  get-mirror|mirror <first-word> <how-many>  Get mirror

Tools, signal:
  run-scan <symbols...>                      Scan
  run-list <kind> <symbols...>               List

Tools, system:
  get-health                                 Health

Commands:
  help [command]                             display help for command
`);
  });

  it("shows the help without a command", async () => {
    const { run } = testCli({ tools });
    const help = await run("--help");
    expect(await run()).toEqual(help);
  });

  it("prints its version", async () => {
    expect(await testCli().run("--version")).toEqual({ code: 0, out: "9.9.9\n", err: "" });
  });

  it.each([
    ["get-helth", "(Did you mean get-health?)"],
    ["miror", "(Did you mean mirror?)"],
    ["sreve", "(Did you mean serve?)"],
  ])("suggests the command nearest to %s", async (word, nearest) => {
    const { code, out, err } = await testCli({ tools }).run(word);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toBe(`error: unknown command '${word}'\n${nearest}\n(--help shows the usage)\n`);
  });

  it.each([
    ["sreve", "(Did you mean serve?)\n"],
    ["x'\n(Did you mean keys revoke?)", ""],
    ["\u001b]0;x\u0007\r\nerror: \u202ey", ""],
  ])("repeats %j on one line without control characters", async (word, suggestion) => {
    const { run } = testCli({ tools });
    const { code, err } = await run(word);
    expect(code).toBe(2);
    const [first, ...rest] = err.split("\n");
    expect(first).toMatch(/^error: unknown command '[^\p{Cc}\p{Cf}]*'$/u);
    expect(rest.join("\n")).toBe(`${suggestion}(--help shows the usage)\n`);
    expect(JSON.parse((await run(word, "--json")).out).message).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  });

  it("prints a usage error as JSON with --json", async () => {
    const { run } = testCli({ tools });
    const { code, out, err } = await run("mirror", "--json");
    expect(code).toBe(2);
    expect(JSON.parse(out)).toEqual({
      ok: false,
      code: "INVALID_INPUT",
      message: "missing required argument 'first-word'",
    });
    expect(err).toContain("error: missing required argument 'first-word'");
  });

  it("reports an invalid setting in one line and exits 2", async () => {
    const { run } = testCli(failing(new SetupError("PORT: must be a port number")));
    expect(await run("get-health")).toEqual({
      code: 2,
      out: "",
      err: "market-signal: PORT: must be a port number\n",
    });
    expect(JSON.parse((await run("get-health", "--json")).out)).toEqual({
      ok: false,
      code: "SETUP",
      message: "PORT: must be a port number",
    });
  });

  it("prints the stack of an unexpected error on stderr only", async () => {
    const { code, out, err } = await testCli(failing(new Error("broken pipework"))).run(
      "get-health",
      "--json",
    );
    expect(code).toBe(1);
    expect(err).toMatch(/^Error: broken pipework\n\s+at /);
    expect(JSON.parse(out)).toMatchObject({ ok: false, code: "INTERNAL" });
    expect(out).not.toContain("pipework");
  });

  it("exits with 130 when interrupted, even if the work ignores it", async () => {
    const { run, interrupt } = testCli({ tools, host: { open: forever } });
    const ended = run("get-health");
    interrupt.abort();
    expect(await ended).toEqual({ code: 130, out: "", err: "" });
  });

  it("lets an interrupted command print its own error", async () => {
    const { run, interrupt } = testCli({ tools: [{ ...getMirror, handler: forever }] });
    const ended = run("mirror", "x", "1");
    setTimeout(() => interrupt.abort(), 20);
    expect(await ended).toMatchObject({ code: 130, err: expect.stringMatching(/^CANCELLED /) });
  });

  it("waits for a server to drain, and exits 0", async () => {
    let drained = false;
    const { run, interrupt } = testCli({
      host: {
        serve: async () => {
          await new Promise((resolve) => setTimeout(resolve, 700));
          drained = true;
          return 0;
        },
      },
    });
    const ended = run("serve");
    interrupt.abort();
    expect(await ended).toEqual({ code: 0, out: "", err: "" });
    expect(drained).toBe(true);
  });
});
