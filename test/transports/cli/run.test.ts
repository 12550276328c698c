import { describe, expect, it } from "vitest";
import { SetupError } from "../../../src/lib/setup-error.ts";
import { getHealth, runScan } from "../../support/http-tools.ts";
import { forever, getMirror, runList, stand } from "./stand.ts";

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
  it("shows examples, the operator's commands and the tools by shelf", async () => {
    const { code, out, err } = await stand({ tools }).run("--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(`Examples:
  market-signal serve
  market-signal mirror 'it'\\''s' 2 --is-deep --tags a,b --max 1
  market-signal mirror x -1 --no-is-kept
  market-signal keys create --plan pro

Usage: market-signal [options] [command]

Trading analytics for agents and people. Every tool is a command; run it with
--help for details.

Options:
  -V, --version                              output the version number
  -h, --help                                 display help for command

Operate:
  serve                                      run the HTTP server
  stdio                                      speak MCP on stdin and stdout
  config                                     list every setting with its current value
  doctor                                     check this installation
  mcp [command]                              help MCP clients to connect
  keys [command]                             create, list, revoke or rotate API keys; change accounts
  vault [command]                            change the key that seals broker credentials
  audit [command]                            verify and export the log of what was done in the name of accounts
  limits [command]                           show and change what an account may trade; stop its live orders
  trades [command]                           show live trades that wait for the owner's confirmation, and confirm them
  data [command]                             move bars in and out as CSV
  engine [command]                           run the nightly engine by hand, see its runs
  track [command]                            make the track record of signals
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

  it("says the same to whoever says nothing", async () => {
    const { run } = stand({ tools });
    const help = await run("--help");
    expect(await run()).toEqual(help);
  });

  it("tells its version", async () => {
    expect(await stand().run("--version")).toEqual({ code: 0, out: "9.9.9\n", err: "" });
  });

  it.each([
    ["get-helth", "(Did you mean get-health?)"],
    ["miror", "(Did you mean mirror?)"],
    ["sreve", "(Did you mean serve?)"],
  ])("names what %s is near to", async (word, nearest) => {
    const { code, out, err } = await stand({ tools }).run(word);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toBe(`error: unknown command '${word}'\n${nearest}\n(--help shows the usage)\n`);
  });

  it.each([
    ["sreve", "(Did you mean serve?)\n"],
    ["x'\n(Did you mean keys revoke?)", ""],
    ["\u001b]0;x\u0007\r\nerror: \u202ey", ""],
  ])("repeats of %j only what a terminal can bear, on one line", async (word, suggestion) => {
    const { run } = stand({ tools });
    const { code, err } = await run(word);
    expect(code).toBe(2);
    const [first, ...rest] = err.split("\n");
    expect(first).toMatch(/^error: unknown command '[^\p{Cc}\p{Cf}]*'$/u);
    expect(rest.join("\n")).toBe(`${suggestion}(--help shows the usage)\n`);
    expect(JSON.parse((await run(word, "--json")).out).message).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  });

  it("tells a program what was asked wrongly", async () => {
    const { run } = stand({ tools });
    const { code, out, err } = await run("mirror", "--json");
    expect(code).toBe(2);
    expect(JSON.parse(out)).toEqual({
      ok: false,
      code: "INVALID_INPUT",
      message: "missing required argument 'first-word'",
    });
    expect(err).toContain("error: missing required argument 'first-word'");
  });

  it("says in one line which setting to mend, and exits 2", async () => {
    const { run } = stand(failing(new SetupError("PORT: must be a port number")));
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

  it("tells a fault of its own with where it happened, on stderr alone", async () => {
    const { code, out, err } = await stand(failing(new Error("broken pipework"))).run("get-health", "--json");
    expect(code).toBe(1);
    expect(err).toMatch(/^Error: broken pipework\n\s+at /);
    expect(JSON.parse(out)).toMatchObject({ ok: false, code: "INTERNAL" });
    expect(out).not.toContain("pipework");
  });

  it("ends with 130 when interrupted, even where the work hears nothing", async () => {
    const { run, interrupt } = stand({ tools, host: { open: forever } });
    const ended = run("get-health");
    interrupt.abort();
    expect(await ended).toEqual({ code: 130, out: "", err: "" });
  });

  it("lets an interrupted command end in its own words", async () => {
    const { run, interrupt } = stand({ tools: [{ ...getMirror, handler: forever }] });
    const ended = run("mirror", "x", "1");
    setTimeout(() => interrupt.abort(), 20);
    expect(await ended).toMatchObject({ code: 130, err: expect.stringMatching(/^CANCELLED /) });
  });

  it("waits for a server to end in order, and exits 0", async () => {
    let drained = false;
    const { run, interrupt } = stand({
      host: {
        serve: async () => {
          await new Promise((resolve) => setTimeout(resolve, 700));
          drained = true;
        },
      },
    });
    const ended = run("serve");
    interrupt.abort();
    expect(await ended).toEqual({ code: 0, out: "", err: "" });
    expect(drained).toBe(true);
  });
});
