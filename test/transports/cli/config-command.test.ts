import { describe, expect, it } from "vitest";
import type { CliHost, Prompt } from "../../../src/transports/cli/host.ts";
import { settingOf, testCli } from "./test-host.ts";

const PORT = settingOf("PORT", "9000", { purpose: "Port of the HTTP server" });
const PUBLIC_URL = settingOf("PUBLIC_URL", null, { source: "default", purpose: "Where clients reach it" });
const TOKEN = settingOf("METRICS_TOKEN", "set (sealed)", { source: "vault", secret: true });
const UNUSED = settingOf("REDIS_URL", null, { source: "default", purpose: "Not used", restart: false });
const RESTART = "A running server uses a changed setting after a restart.";

/** The command line over these settings; `stored` collects what is stored. */
function withSettings(settings = [PORT, PUBLIC_URL, TOKEN, UNUSED], host: Partial<CliHost> = {}) {
  const stored: (readonly [string, string | null])[] = [];
  const cli = testCli({
    host: {
      settings: async () => settings,
      storeSetting: async (name, text) => {
        stored.push([name, text]);
        return { place: "/data/config.toml", wasSet: true };
      },
      ...host,
    },
  });
  return { ...cli, stored };
}

describe.each([["config"], ["config list"]])("%s", (line) => {
  it("lists every setting with its value, source, purpose and what needs no restart", async () => {
    const { runLine, counts } = withSettings();
    expect(await runLine(line)).toEqual({
      code: 0,
      out: [
        "PORT           9000  from the environment",
        "               Port of the HTTP server",
        "PUBLIC_URL     not set",
        "               Where clients reach it",
        "METRICS_TOKEN  set (sealed)  from the vault",
        "               ",
        "REDIS_URL      not set",
        "               Not used (no restart needed)",
        RESTART,
        "",
      ].join("\n"),
      err: "",
    });
    expect(counts.opened).toBe(0);
  });

  it("prints JSON with --json", async () => {
    const { runLine } = withSettings([PORT, TOKEN]);
    expect(JSON.parse((await runLine(`${line} --json`)).out)).toEqual({ ok: true, settings: [PORT, TOKEN] });
  });

  it("marks an invalid setting and exits 2", async () => {
    const bad = { ...PORT, value: "ht\u001b[2Jtp", fault: "must be a port number" };
    const { runLine } = withSettings([bad]);
    expect(await runLine(line)).toEqual({
      code: 2,
      out: [
        "PORT  ht tp  from the environment",
        "      invalid: must be a port number",
        "      Port of the HTTP server",
        RESTART,
        "",
      ].join("\n"),
      err: "",
    });
    const json = await runLine(`${line} --json`);
    expect({ code: json.code, ...JSON.parse(json.out) }).toEqual({ code: 2, ok: false, settings: [bad] });
  });
});

describe("config get", () => {
  it.each(["PORT", "port", "public-url"])("finds %s", async (name) => {
    const { run } = withSettings();
    const out = name === "public-url" ? "not set\n" : "9000\n";
    expect(await run("config", "get", name)).toEqual({ code: 0, out, err: "" });
  });

  it("names the nearest setting for an unknown one", async () => {
    expect(await withSettings().run("config", "get", "prot")).toEqual({
      code: 2,
      out: "",
      err: "INVALID_INPUT There is no setting prot\nThe nearest name is PORT. `market-signal config` lists all.\n",
    });
  });

  it("shows no secret", async () => {
    expect((await withSettings().run("config", "get", "METRICS_TOKEN")).out).toBe("set (sealed)\n");
  });
});

describe("config set", () => {
  it("stores a value, and names a source that takes precedence", async () => {
    const { run, stored } = withSettings();
    expect(await run("config", "set", "port", "9001")).toEqual({
      code: 0,
      out: [
        "PORT is stored in /data/config.toml.",
        "The environment takes precedence: PORT is 9000.",
        "A running server uses the new value after a restart.",
        "",
      ].join("\n"),
      err: "",
    });
    expect(stored).toEqual([["PORT", "9001"]]);
  });

  it("reads a secret, which it does not show", async () => {
    const questions: string[] = [];
    const readSecret = async ({ question }: Prompt) => {
      questions.push(question);
      return " hunter2-and-more\n";
    };
    const { run, stored } = withSettings(undefined, { readSecret });
    const { code, out, err } = await run("config", "set", "METRICS_TOKEN");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).not.toContain("hunter2");
    expect(questions).toEqual(["METRICS_TOKEN: "]);
    expect(stored).toEqual([["METRICS_TOKEN", "hunter2-and-more"]]);
  });

  it.each([
    [
      ["METRICS_TOKEN", "hunter2-and-more"],
      "METRICS_TOKEN is a secret, which a command line would show to others",
    ],
    [["METRICS_TOKEN"], "The value of METRICS_TOKEN is empty"],
    [["PORT"], "The value of PORT is missing"],
    [["PORT", " "], "The value of PORT is empty"],
    [["PROT", "1"], "There is no setting PROT"],
  ])("refuses %j", async (words, message) => {
    const { run, stored } = withSettings(undefined, { readSecret: async () => "" });
    const { code, err } = await run("config", "set", ...words);
    expect({ code, first: err.split("\n")[0] }).toEqual({ code: 2, first: `INVALID_INPUT ${message}` });
    expect(err).not.toContain("hunter2");
    expect(stored).toEqual([]);
  });
});

describe("config unset", () => {
  it("removes a setting from the data folder", async () => {
    const { run, stored } = withSettings();
    expect((await run("config", "unset", "REDIS_URL")).out).toBe(
      "Removed REDIS_URL from /data/config.toml.\n",
    );
    expect(stored).toEqual([["REDIS_URL", null]]);
  });

  it("says that a setting was not set", async () => {
    const storeSetting = async () => ({ place: "/data/config.toml", wasSet: false });
    const { run } = withSettings(undefined, { storeSetting });
    expect((await run("config", "unset", "PUBLIC_URL")).out).toBe(
      "PUBLIC_URL was not set in /data/config.toml.\n",
    );
    expect(JSON.parse((await run("config", "unset", "PUBLIC_URL", "--json")).out)).toMatchObject({
      ok: true,
      name: "PUBLIC_URL",
      removed: false,
    });
  });
});
