import { describe, expect, it } from "vitest";
import { isOfReader, readAsks } from "../../support/requests.ts";
import { toolsCalled } from "../../support/tools-called.ts";

/** Returns how many requests of a set call a right tool. */
async function right(name: string): Promise<{ readonly right: number; readonly of: number }> {
  const asks = readAsks(name).filter(isOfReader);
  let right = 0;
  for (const { ask, tools } of asks) {
    const called = await toolsCalled(ask);
    if (tools.some((tool) => called.tools.includes(tool))) right++;
  }
  return { right, of: asks.length };
}

describe("requests in plain words", () => {
  it.each([
    ["held-out", 80, 70],
    ["names-held-out", 148, 126],
    ["talk", 45, 34],
  ])("of the set %s call the right reading tool: of %i at least %i", async (name, of, least) => {
    const called = await right(name);
    expect(called.of).toBe(of);
    expect(called.right).toBeGreaterThanOrEqual(least);
  });

  it("that no tool answers are denied, and call none", async () => {
    const left: string[] = [];
    for (const { ask } of readAsks("outside")) {
      const { tools, answer } = await toolsCalled(ask);
      if (tools.length > 0 || !answer.includes("No tool here answers that")) left.push(ask);
    }
    expect(left).toEqual([]);
  });
});

describe("a request in another language", () => {
  it.each([
    "Wie steht es um Tesla?",
    "¿Cómo está AAPL hoy?",
    "Quel est le prix de l'action Apple",
    "Что с акциями Apple?",
    "Bitcoin fiyatı ne kadar",
  ])("gets the signal of the symbol that it names: %s", async (ask) => {
    expect((await toolsCalled(ask)).tools).toEqual(["get_signal"]);
  });

  it.each([
    "¿Qué acciones están sobrevendidas?",
    "Welche Aktien sind überverkauft?",
    "quelles actions sont survendues aujourd'hui",
    "アップルの株価",
  ])("without a symbol is told that English works best: %s", async (ask) => {
    const { tools, answer } = await toolsCalled(ask);
    expect(tools).toEqual([]);
    expect(answer).toMatch(/^Nothing was understood; English works best\./);
  });
});
