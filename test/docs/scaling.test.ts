import { expect, it } from "vitest";
import { readCosts } from "../bench/capacity/costs.ts";
import { SECTIONS } from "../bench/capacity/page.ts";
import { documentText, withSection } from "./documents.ts";

it("docs/scaling.md states what the model computes from the measured costs", async () => {
  const costs = readCosts();
  const path = "docs/scaling.md";
  const page = Object.entries(SECTIONS).reduce(
    (text, [name, section]) => withSection(text, name, section(costs)),
    documentText(path),
  );
  await expect(page).toMatchFileSnapshot(`../../${path}`);
});
