import { expect, it } from "vitest";
import { nodeNotes } from "../../src/app/node-notes.ts";

it("notes that Node 20 gets no security fixes, and how long it is supported", () => {
  expect(nodeNotes("20.20.2")).toEqual([
    "Node 20 (here 20.20.2) reached its end in April 2026: the server works, but Node gets no security fixes. The first release after April 2027 will need Node 22 or later",
  ]);
});

it.each(["22.16.0", "24.1.0", "200.1.0"])("notes nothing on Node %s", (version) => {
  expect(nodeNotes(version)).toEqual([]);
});
