import { defineConfig } from "vitest/config";

/** Their files share a worker: no module keeps a memory, and none of them starts processes or times out on purpose. */
const SHARED = [
  "test/{access,agents,alerts,analytics,automation,charts,domain,kernel,lib,market,outgoing}/**/*.test.ts",
  "test/{providers,signals,sources,store,tools,trading}/**/*.test.ts",
];

export default defineConfig({
  test: {
    setupFiles: ["test/support/seed.ts"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: "shared", include: SHARED, isolate: false } },
      { extends: true, test: { name: "whole", include: ["test/**/*.test.ts"], exclude: SHARED } },
    ],
  },
});
