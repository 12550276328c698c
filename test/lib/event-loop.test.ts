import { describe, expect, it } from "vitest";
import { continueAs, isBusy, mustWait, postponeWork, yieldToEventLoop } from "../../src/lib/event-loop.ts";

const nextIteration = () => new Promise((next) => setImmediate(next));
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe("yieldToEventLoop", () => {
  it("lets timers run", async () => {
    const order: string[] = [];
    setTimeout(() => order.push("timer"), 0);
    for (let turn = 0; turn < 50 && order.length === 0; turn++) {
      await yieldToEventLoop();
      await new Promise((next) => setTimeout(next, 1));
    }
    expect(order).toEqual(["timer"]);
  });

  it("resumes one computation in each iteration, in order of arrival", async () => {
    const order: string[] = [];
    const all = ["a", "b", "c"].map(async (name) => {
      await yieldToEventLoop();
      order.push(name);
      setTimeout(() => order.push(`after ${name}`), 0);
      work(2);
    });
    await Promise.all(all);
    await new Promise((next) => setTimeout(next, 5));
    expect(order.indexOf("after a")).toBeLessThan(order.indexOf("c"));
    expect(order.filter((name) => name.length === 1)).toEqual(["a", "b", "c"]);
  });
});

describe("owners of waiting work", () => {
  it("take turns, so that much work of one delays another by one piece", async () => {
    const order: string[] = [];
    const wait = async (owner: string, name: string) => {
      await yieldToEventLoop(owner);
      order.push(name);
    };
    await Promise.all([
      ...["a1", "a2", "a3", "a4"].map((name) => wait("a", name)),
      wait("b", "b1"),
      wait("b", "b2"),
    ]);
    expect(order).toEqual(["a1", "b1", "a2", "b2", "a3", "a4"]);
  });

  it("go on in the same iteration until it is busy", async () => {
    let iteration = 0;
    const resumedIn: Record<string, number> = {};
    const wait = async (owner: string, ms: number) => {
      await yieldToEventLoop(owner);
      resumedIn[owner] = iteration;
      await null;
      work(ms);
    };
    await nextIteration();
    const count = () => {
      iteration++;
      if (iteration < 20) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all([wait("a", 0), wait("b", 10), wait("c", 0)]);
    expect(resumedIn.b).toBe(resumedIn.a);
    expect(resumedIn.c).toBeGreaterThan(resumedIn.b!);
  });

  it("wait while earlier work of the same owner waits", async () => {
    await nextIteration();
    await nextIteration();
    const earlier = yieldToEventLoop("a");
    expect([mustWait("a"), mustWait("b")]).toEqual([true, false]);
    await earlier;
    expect(mustWait("a")).toBe(false);
  });
});

describe("continueAs", () => {
  it("lets computations of different owners take turns", async () => {
    await nextIteration();
    const order: string[] = [];
    const computation = async (owner: string, name: string, steps: number) => {
      await continueAs(owner);
      for (let step = 1; step <= steps; step++) {
        await yieldToEventLoop();
        order.push(`${name}${step}`);
      }
    };
    await Promise.all([
      ...["a", "b", "c", "d"].map((name) => computation("attacker", name, 3)),
      computation("other", "x", 3),
    ]);
    const position = (step: string) => order.indexOf(step);
    expect(position("x1"), "after one step of the attacker").toBeLessThanOrEqual(2);
    expect(position("x3"), "after three steps of the attacker").toBeLessThanOrEqual(6);
    expect(order).toHaveLength(15);
  });

  it("separates owners that continue after the same event", async () => {
    await nextIteration();
    const event = nextIteration();
    const order: string[] = [];
    const computation = async (owner: string, name: string) => {
      await event;
      await continueAs(owner);
      await null;
      await yieldToEventLoop();
      order.push(name);
    };
    const all = [
      ...["a1", "a2", "a3", "a4", "a5"].map((name) => computation("a", name)),
      computation("b", "b1"),
    ];
    await Promise.all(all);
    expect(order.indexOf("b1")).toBeLessThanOrEqual(2);
  });

  it("counts work outside of turns for no account", async () => {
    await nextIteration();
    const order: string[] = [];
    const step = async (name: string) => {
      await yieldToEventLoop();
      order.push(name);
    };
    const account = (async () => {
      await continueAs("a");
      await Promise.all(["a1", "a2", "a3"].map(step));
    })();
    await nextIteration();
    await Promise.all([account, step("job")]);
    expect(order.at(-1)).toBe("a3");
  });
});

describe("postponeWork", () => {
  it("keeps work waiting for an iteration, at most twenty times in a row", async () => {
    await nextIteration();
    let iteration = 0;
    let isDone = false;
    const count = () => {
      iteration++;
      postponeWork();
      if (!isDone) setImmediate(count);
    };
    count();
    expect(mustWait("a")).toBe(true);
    await yieldToEventLoop("a");
    isDone = true;
    expect(iteration).toBeGreaterThanOrEqual(20);
    expect(iteration).toBeLessThan(25);
  });
});

describe("isBusy", () => {
  it("is false while an iteration is short, and true after eight milliseconds of work", async () => {
    await nextIteration();
    await nextIteration();
    expect(isBusy()).toBe(false);
    expect(isBusy()).toBe(false);
    work(9);
    expect(isBusy()).toBe(true);
    await yieldToEventLoop();
    expect(isBusy(), "a new iteration").toBe(false);
  });
});
