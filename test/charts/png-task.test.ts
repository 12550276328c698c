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
