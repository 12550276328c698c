import { describe, expect, it } from "vitest";
import { catalogue } from "../../../src/app/catalogue.ts";
import { SetupError } from "../../../src/lib/setup-error.ts";
import { getHealth, runScan } from "../../support/http-tools.ts";
import { forever, getMirror, runList, testCli } from "./test-host.ts";

const tools = [getHealth, runScan, getMirror, runList];
const everydayTool = { ...runScan, name: "watch", cli: { everyday: "Shows what matters today." } };
const failing = (cause: unknown) => ({
  tools,
  host: {
    open: async () => {
      throw cause;
    },
  },
});

describe("the command line", () => {
  it("shows the commands of every day, the names of all others by group, and examples", async () => {
    const { code, out, err } = await testCli({ tools: [everydayTool, ...tools] }).run("--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(`Usage: market-signal <command> [options]

Trading analytics for agents and people. A command with --help explains its
options.

Options:
  -V, --version       output the version number
  --all               with --help: describe all commands
  -h, --help          display help for command

Every day:
  watch <symbols...>  Shows what matters today.

More commands, described by --help --all:
  Market:       mirror
  Signal:       run-list, run-scan
  System:       get-health
  Operate:      serve, worker, stdio, setup, config, doctor, mcp, backup, restore, db, keys, open, accounts, vault, audit, limits, trades, data, engine, track, agent, completion

Examples:
  market-signal serve
  market-signal mirror 'it'\\''s' 2 --is-deep --tags a,b --max 1
  market-signal mirror x -1 --no-is-saved
  market-signal keys create --account owner

`);
  });

  it("describes all commands with --all, those of every day first", async () => {
    const { run } = testCli({ tools: [...tools, everydayTool] });
    const { out } = await run("--help", "--all");
    expect(out).toContain(`
Every day:
  watch <symbols...>              Shows what matters today.

Market:
  mirror <first-word> <how-many>`);
    expect(out).toContain("  trades [command]                Show and confirm live trades");
    expect(out).not.toContain("More commands");
    expect((await run("--all")).out).toBe(out);
    expect((await run("help", "--all")).out).toBe(out);
  });

  it("has ten commands of every day, each with a sentence, and fits 80 columns", async () => {
    const all = Object.values(catalogue);
    const everyday = all.flatMap(({ cli }) => cli?.everyday ?? []);
    expect(everyday).toHaveLength(10);
    expect(everyday.filter((sentence) => !/^[A-Z].{10,60}\.$/.test(sentence))).toEqual([]);
    const { run } = testCli({ tools: all, columns: 80 });
    const lines = [await run(), await run("--all")].flatMap(({ out }) => out.split("\n"));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
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
