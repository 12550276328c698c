import { describe, expect, it } from "vitest";
import { invocationOf } from "../../src/app/invocation.ts";

const facts = { folder: "/home/ann/signal", byNpm: false, script: undefined, container: null };

describe("invocationOf", () => {
  it.each([
    [
      "npm start",
      { file: "/home/ann/signal/dist/main.js", byNpm: true, script: "start" },
      "npx market-signal",
      "npm start",
    ],
    [
      "npx",
      { file: "/home/ann/.npm/_npx/1a/node_modules/.bin/market-signal", byNpm: true, script: "npx" },
      "npx market-signal",
      "npx market-signal serve",
    ],
    ["a link", { file: "/usr/local/bin/market-signal" }, "market-signal", "market-signal serve"],
    [
      "the link of a local package",
      { file: "/home/ann/signal/node_modules/.bin/market-signal" },
      "npx market-signal",
      "npx market-signal serve",
    ],
    ["Node", { file: "/home/ann/signal/dist/main.js" }, "node dist/main.js", "node dist/main.js serve"],
    [
      "Node, from elsewhere",
      { file: "/opt/my signal/dist/main.js" },
      "node '/opt/my signal/dist/main.js'",
      "node '/opt/my signal/dist/main.js' serve",
    ],
    [
      "Node, from the root folder",
      { file: "/opt/signal/dist/main.js", folder: "/" },
      "node /opt/signal/dist/main.js",
      "node /opt/signal/dist/main.js serve",
    ],
    [
      "Node, from a folder far above",
      { file: "/opt/market-signal/dist/main.js", folder: "/opt" },
      "node /opt/market-signal/dist/main.js",
      "node /opt/market-signal/dist/main.js serve",
    ],
    [
      "a container engine",
      { file: "/app/dist/main.js", container: "docker exec 4f2a" },
      "docker exec 4f2a node /app/dist/main.js",
      "docker exec 4f2a node /app/dist/main.js serve",
    ],
  ])("names the program as %s starts it", (_, given, program, serve) => {
    expect(invocationOf({ ...facts, ...given })).toEqual({ program, serve });
  });
});
