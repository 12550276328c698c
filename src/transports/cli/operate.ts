import type { Command } from "commander";
import { ToolError } from "../../kernel/errors.ts";
import { plainText } from "../../lib/plain-text.ts";
import { type Cli, commandWithExamples, withJson, writeOutput } from "./command.ts";
import { configCommand } from "./config-command.ts";
import { checkInstallation } from "./doctor.ts";
import { mcpCommand } from "./mcp-command.ts";
import { addSettingOptions, type GivenOptions, optionValues } from "./setting-options.ts";
import { setupCommand } from "./setup.ts";

const STATE_COLOURS = { ok: "green", note: "yellow", fail: "red" } as const;

const MAX_PROCESSES = 64;
const parseList = (text: string): readonly string[] => text.split(",").map((name) => name.trim());

/** Parses a number of processes. Throws INVALID_INPUT. */
function parseProcesses(text: string): number {
  const processes = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (processes < 1 || processes > MAX_PROCESSES)
    throw new ToolError("INVALID_INPUT", `"${plainText(text, 40)}" is not a number of processes`, {
      hint: `Use a whole number from 1 to ${MAX_PROCESSES}; more than the number of cores is no faster.`,
    });
  return processes;
}

/** Creates the commands that run or inspect an installation: serve, worker, stdio, setup, config, doctor, mcp. */
export function operatingCommands(cli: Cli): readonly Command[] {
  const { host, paint, finish } = cli;
  const { out } = host;

  const serve = commandWithExamples("serve", "run the HTTP server", [
    "market-signal serve",
    "market-signal serve --live --port 9000",
    "market-signal serve --market-data files:./bars --data-dir /srv/market-signal",
    "market-signal serve --processes 4",
  ]).option(
    "--processes <n>",
    `processes that share the port and the data folder, 1 to ${MAX_PROCESSES}`,
    "1",
  );
  addSettingOptions(serve, host.settingOptions).action(
    async ({ processes, ...given }: { processes: string } & GivenOptions) => {
      const options = optionValues(given, host.settingOptions);
      finish(await host.serve({ processes: parseProcesses(processes), options }));
    },
  );

  const worker = commandWithExamples("worker", "do background jobs of a server, without a port", [
    "market-signal worker",
    "DATABASE_URL=postgres://user@db.example/market_signal market-signal worker",
  ]).action(async () => {
    await host.work();
    finish(0);
  });

  const stdioCommand = commandWithExamples("stdio", "serve MCP on stdin and stdout", [
    "market-signal stdio",
    "market-signal stdio --toolsets all --readonly",
  ])
    .option("--toolsets <list>", "toolsets to list, comma-separated, or all")
    .option("--readonly", "list only tools that change nothing")
    .action(async ({ toolsets, readonly = false }: { toolsets?: string; readonly?: boolean }) => {
      await host.stdio({ readonly, ...(toolsets !== undefined && { toolsets: parseList(toolsets) }) });
      finish(0);
    });

  const doctor = commandWithExamples("doctor", "check this installation and its data providers", [
    "market-signal doctor",
    "MARKET_DATA=files:./bars market-signal doctor --json",
    "MARKET_DATA=live market-signal doctor --live --record ./responses",
  ])
    .option("--live", "send test requests to every enabled live provider")
    .option("--record <folder>", "with --live: save the providers' responses, without keys")
    .action(
      async ({ json = false, live = false, record }: { json?: boolean; live?: boolean; record?: string }) => {
        if (record !== undefined && !live)
          throw new ToolError("INVALID_INPUT", "--record requires --live", { hint: "Add --live." });
        const checks = await checkInstallation(host, live ? { record: record ?? null } : null);
        const ok = checks.every(({ state }) => state !== "fail");
        const lines = checks.map(({ state, name, detail, idle = false }) => {
          const mark = idle ? paint("dim", "-   ") : paint(STATE_COLOURS[state], state.padEnd(4));
          return `${mark} ${name}: ${detail}`;
        });
        writeOutput(out, { json: { ok, checks }, lines }, json);
        finish(ok ? 0 : 1);
      },
    );

  return [
    serve,
    worker,
    stdioCommand,
    setupCommand(cli),
    configCommand(cli),
    withJson(doctor),
    mcpCommand(cli),
  ];
}
