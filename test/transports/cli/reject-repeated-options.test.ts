import { describe, expect, it } from "vitest";
import { getMirror, runList, stand } from "./stand.ts";

const tools = [getMirror, runList];

describe("an option given twice", () => {
  it.each([
    [["mirror", "x", "1", "--size", "small", "--size", "large"], "--size <text>"],
    [["mirror", "x", "1", "--note-text=a", "--note_text=b"], "--note-text <text>"],
    [["mirror", "1", "--first-word", "a", "--first-word", "b"], "--first-word <text>"],
    [["mirror", "x", "1", "--is-deep", "--no-is-deep"], "--no-is-deep"],
    [["mirror", "x", "1", "--is_kept=false", "--is_kept=true"], "--is-kept"],
    [["mcp", "config", "--client", "cursor", "--client", "vscode"], "--client <name>"],
    [["keys", "create", "--plan", "pro", "--plan", "member"], "--plan <plan>"],
  ])("with another value is refused with exit 2, opening nothing: %j", async (argv, option) => {
    const { run, counts } = stand({ tools });
    const { code, out, err } = await run(...argv);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(`option '${option}' argument`);
    expect(err).toContain("It was given before with another value.");
    expect(counts.opened).toBe(0);
  });

  it("with the same value says it once", async () => {
    const words = "mirror x 1 --size large --size large --is-deep --is-deep --json".split(" ");
    const { code, out } = await stand({ tools }).run(...words);
    expect(code).toBe(0);
    expect(JSON.parse(out).got).toMatchObject({ size: "large", is_deep: true, is_kept: true });
  });

  it("in place of a default is no second value", async () => {
    const { code, out } = await stand({ tools }).run("mcp", "config", "--client", "cursor");
    expect(code).toBe(0);
    expect(out).toContain("env:MARKET_SIGNAL_KEY");
  });
});
