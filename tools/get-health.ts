import { z } from "zod";
import { MODEL_VERSION } from "../src/analytics/score/consensus.ts";
import { Iso, MarketMode } from "../src/domain/answers.ts";
import type { ComputeHealth } from "../src/domain/compute-port.ts";
import type { RunStatus } from "../src/domain/nightly/run-repository-port.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the status of the server and of each provider called so far. */
export const getHealth = defineTool({
  name: "get_health",
  title: "Get health",
  description:
    "Reports the health of this server: whether the service, API and data providers are working, up or down, their latency, and whether market data is sample, files or live. Use it for a status check, or when calls fail, are slow or time out, or data is stale. A quota is in get_quota.",
  topics: [
    "server health",
    "server status",
    "provider status",
    "latency",
    "api version",
    "engine version",
    "sample or live data",
  ],
  toolset: "system",
  plan: "open",
  effect: "read",
  role: "health",
  route: "GET /api/v1/health",
  cli: { command: "health" },
  needs: ["providerHealth", "market", "clock", "clockWatch", "storage", "runProgress", "compute"],
  input: z.object({}),
  output: z.object({
    ok: z.boolean().describe("false if every provider called so far fails or the database is damaged"),
    status: z.enum(["healthy", "degraded", "down"]),
    providers: z
      .array(
        z.object({
          name: z.string(),
          healthy: z.boolean(),
          latency_ms: z.number(),
          last_success: Iso.nullish().describe("Time of its last response"),
          limit_left: z
            .number()
            .optional()
            .describe("Calls left within this server's own limit for the provider"),
          breaker: z.enum(["closed", "open", "half_open"]).optional().describe("open: not called for now"),
          clock_skew_ms: z
            .number()
            .nullish()
            .describe("Offset of its clock from the clock of this server, ms"),
          terms: z
            .object({
              forbids_automation: z.boolean(),
              non_commercial: z.boolean(),
              no_redistribution: z.boolean().describe("true: the public demo shows none of its data"),
            })
            .optional()
            .describe("What the provider's terms of use forbid"),
          failure: z.string().nullish().describe("Kind of the last failure, if within the last minute"),
        }),
      )
      .describe("Providers called so far, with the result of their latest call"),
    market: MarketMode.describe("sample: simulated prices"),
    clock_jump: z
      .object({ at: Iso, ms: z.number().describe("Negative if it was set back") })
      .nullable()
      .describe("Last jump of the clock of this server within 24 hours, or time it slept; null if none"),
    storage: z
      .enum(["ok", "full", "damaged", "incomplete"])
      .describe(
        "full: calls that write fail; damaged: the owner has to restore a backup; incomplete: the newest changes before the start of the server are missing",
      ),
    nightly_runs: z
      .array(
        z.object({
          universe: z.string(),
          started_at: Iso,
          finished_at: Iso.nullable().describe("null while it runs or if it was interrupted"),
          computed: z.number().int().describe("Members with a result so far"),
          members: z.number().int(),
        }),
      )
      .describe("Newest nightly run over each universe"),
    notes: z
      .array(z.string())
      .optional()
      .describe("Notes, such as that market data ended long ago or that a restart is needed"),
    meta: z.object({ api_version: z.string(), engine_version: z.string(), checked_at: Iso }),
  }),
  examples: [{ ask: "Is the market data service up?", input: {} }],

  terminal({ status, providers, market, storage, notes = [], meta }, paint) {
    const failing = providers.filter(({ healthy }) => !healthy).map(({ name }) => name);
    return [
      `The server is ${paint("bold", status)}, its market data is ${market}, its storage is ${storage}.`,
      failing.length === 0
        ? `All ${providers.length} providers called so far are healthy.`
        : `Failing providers: ${failing.join(", ")}.`,
      ...notes.map((note) => paint("yellow", note)),
      paint("dim", `Model ${meta.engine_version}, checked at ${meta.checked_at}.`),
    ].join("\n");
  },

  async handler(_, { providerHealth, market, clock, clockWatch, storage, runProgress, compute }) {
    const reports = await providerHealth.report();
    const down = reports.filter(({ answering }) => !answering).length;
    const fault = storage.fault()?.kind ?? null;
    const isDown = fault === "damaged" || (down > 0 && down === reports.length);
    const threads = compute.health();
    const isHealthy = fault === null && threads.paused_s === null && reports.every(({ healthy }) => healthy);
    const status: "healthy" | "degraded" | "down" = isDown ? "down" : isHealthy ? "healthy" : "degraded";
    const notes = [...(market.notes?.() ?? []), ...computeNotes(threads)];
    return {
      ok: status !== "down",
      status,
      providers: reports.map(({ network, ...report }) => ({ ...report, ...network })),
      market: market.mode,
      clock_jump: clockWatch.lastJump(),
      storage: fault ?? ("ok" as const),
      ...(notes.length > 0 && { notes }),
      nightly_runs: fault === "damaged" ? [] : (await runProgress.recent()).map(progressOf),
      meta: {
        api_version: "v1",
        engine_version: MODEL_VERSION,
        checked_at: clock.now().toISOString(),
      },
    };
  },
});

const computeNotes = ({ paused_s, refused_for_memory: refused }: ComputeHealth): readonly string[] => [
  ...(paused_s === null
    ? []
    : [
        `The compute threads failed and are used again in ${paused_s} s; until then computations slow down other calls.`,
      ]),
  ...(refused === 0
    ? []
    : [`${refused} computations since the start needed more memory than allowed and were refused.`]),
];

const progressOf = ({ universe, started_at, runAt, rows, failures, members }: RunStatus) => ({
  // the name of a file is private to the operator
  universe: universe.startsWith("file:") ? "file" : universe,
  started_at,
  finished_at: runAt,
  computed: rows + failures,
  members,
});
