import { describe, expect, it } from "vitest";
import { getMirror, runList, testCli } from "./test-host.ts";

const tools = [getMirror, runList];

describe("an option given twice", () => {
  it.each([
    [["mirror", "x", "1", "--size", "small", "--size", "large"], "--size <text>"],
    [["mirror", "x", "1", "--note-text=a", "--note_text=b"], "--note-text <text>"],
    [["mirror", "1", "--first-word", "a", "--first-word", "b"], "--first-word <text>"],
    [["mirror", "x", "1", "--is-deep", "--no-is-deep"], "--no-is-deep"],
    [["mirror", "x", "1", "--is_saved=false", "--is_saved=true"], "--is-saved"],
    [["mcp", "config", "--client", "cursor", "--client", "vscode"], "--client <name>"],
    [["keys", "create", "--plan", "pro", "--plan", "member"], "--plan <plan>"],
  ])("with another value is rejected with exit 2 before anything is opened: %j", async (argv, option) => {
    const { run, counts } = testCli({ tools });
    const { code, out, err } = await run(...argv);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(`option '${option}' argument`);
    expect(err).toContain("It was already given with another value.");
    expect(counts.opened).toBe(0);
  });

  it("is accepted if both values are equal", async () => {
    const words = "mirror x 1 --size large --size large --is-deep --is-deep --json".split(" ");
    const { code, out } = await testCli({ tools }).run(...words);
    expect(code).toBe(0);
    expect(JSON.parse(out).got).toMatchObject({ size: "large", is_deep: true, is_saved: true });
  });

  it("does not count the default as the first value", async () => {
    const { code, out } = await testCli({ tools }).run("mcp", "config", "--client", "cursor");
    expect(code).toBe(0);
    expect(out).toContain("env:MARKET_SIGNAL_KEY");
  });
});
