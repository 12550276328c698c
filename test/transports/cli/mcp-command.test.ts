import { describe, expect, it } from "vitest";
import { CLIENTS } from "../../../src/transports/cli/mcp-config.ts";
import { testCli } from "./test-host.ts";

describe("mcp config", () => {
  it("lists every client with its name, its title and where the settings belong", async () => {
    const { code, out } = await testCli().runLine("mcp config --list");
    expect(code).toBe(0);
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/\s/)[0]),
    ).toEqual(Object.keys(CLIENTS));
    expect(out).toContain("codex                 Codex               ~/.codex/config.toml\n");
    const listed = JSON.parse((await testCli().runLine("mcp config --list --json")).out);
    expect(listed.clients[0]).toEqual({
      name: "claude-code",
      title: "Claude Code",
      place: ".mcp.json in the project",
    });
  });

  it("prints settings that are not JSON as they are, or as a text in JSON", async () => {
    const { out } = await testCli().runLine("mcp config codex");
    expect(out).toMatch(/^\[mcp_servers\.market-signal\]\nurl = ".*\/api\/mcp"\nbearer_token_env_var/);
    expect(JSON.parse((await testCli().runLine("mcp config codex --json")).out)).toEqual({ text: out });
  });

  it("takes the client as argument or option, once", async () => {
    const asArgument = await testCli().runLine("mcp config cursor");
    expect(await testCli().runLine("mcp config --client cursor")).toEqual(asArgument);
    expect(await testCli().runLine("mcp config cursor --client vscode")).toMatchObject({
      code: 2,
      err: "INVALID_INPUT Two clients are named\nName the client once: mcp config <client>.\n",
    });
  });

  it("writes a key only if it is asked to, and only a key", async () => {
    const { out } = await testCli().runLine("mcp config windsurf --key ms_live_abc");
    expect(JSON.parse(out).mcpServers["market-signal"].headers).toEqual({
      Authorization: "Bearer ms_live_abc",
    });
    const { code, err } = await testCli().run("mcp", "config", "windsurf", "--key", "");
    expect({ code, err: err.split("\n")[0] }).toEqual({
      code: 2,
      err: "INVALID_INPUT --key is not an API key",
    });
  });
});
