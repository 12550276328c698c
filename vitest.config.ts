import { defineConfig } from "vitest/config";

/** What they test keeps no state between calls: their files share a worker. */
const PURE = ["test/{analytics,charts,domain,lib}/**/*.test.ts", "test/signals/language/**/*.test.ts"];

export default defineConfig({
  test: {
    setupFiles: ["test/support/seed.ts"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: "pure", include: PURE, isolate: false } },
      { extends: true, test: { name: "whole", include: ["test/**/*.test.ts"], exclude: PURE } },
    ],
  },
});
