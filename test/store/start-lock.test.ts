import { describe, expect, it } from "vitest";
import { withStartLock } from "../../src/store/start-lock.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("the start lock", () => {
  it("runs one start after another", async () => {
    const dataDir = tempDir();
    const steps: string[] = [];
    const start = (name: string) =>
      withStartLock(dataDir, async () => {
        steps.push(`${name} in`);
        await new Promise((resolve) => setTimeout(resolve, 30));
        steps.push(`${name} out`);
      });
    await Promise.all([start("a"), start("b")]);
    expect(steps).toEqual(["a in", "a out", "b in", "b out"]);
  });

  it("is released after a failed start", async () => {
    const dataDir = tempDir();
    const failing = withStartLock(dataDir, async () => {
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await expect(withStartLock(dataDir, async () => "in")).resolves.toBe("in");
  });
});
