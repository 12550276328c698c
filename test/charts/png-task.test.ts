import { expect, it } from "vitest";
import { pngTask } from "../../src/charts/png-task.ts";
import { createCompute } from "../../src/compute/compute.ts";

const imageOf = (fill: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="${fill}"/></svg>`;

it("renders the same image once for all accounts, and another image anew", async () => {
  const compute = createCompute({ threads: 0, log: { warn() {} } });
  const red = await compute.of("a").run(pngTask, { svg: imageOf("#ff0000") });
  expect(await compute.of("b").run(pngTask, { svg: imageOf("#ff0000") })).toBe(red);
  const blue = await compute.of("b").run(pngTask, { svg: imageOf("#0000ff") });
  expect(blue.base64).not.toBe(red.base64);
  await compute.close();
});

it("renders several images with one signal, and rejects with its reason once it is aborted", async () => {
  const compute = createCompute({ threads: 0, log: { warn() {} } });
  const caller = new AbortController();
  const draw = (fill: string) => compute.run(pngTask, { svg: imageOf(fill) }, { signal: caller.signal });
  const [red, blue] = await Promise.all([draw("#ff0000"), draw("#0000ff")]);
  expect(blue.base64).not.toBe(red.base64);
  const reason = new Error("the caller left");
  const drawing = draw("#00ff00");
  caller.abort(reason);
  await expect(drawing).rejects.toBe(reason);
  await compute.close();
});
