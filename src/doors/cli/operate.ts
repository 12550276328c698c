import { Command } from "commander";
import { checkInstallation } from "./doctor.ts";
import type { CliHost } from "./host.ts";
import { clientConfig } from "./mcp-config.ts";
import { painter } from "./screen.ts";

const COLOUR = { ok: "green", note: "yellow", fail: "red" } as const;

const list = (text: string): readonly string[] => text.split(",").map((name) => name.trim());

/** The commands that run and inspect an installation: serve, stdio, config, doctor, mcp. */
export function operatingCommands(host: CliHost, finish: (code: number) => void): readonly Command[] {
  const paint = painter(host.out);
  const serve = new Command("serve").summary("run the HTTP server").action(async () => {
    await host.serve();
    finish(0);
  });
  const stdio = new Command("stdio")
    .summary("speak MCP on stdin and stdout")
    .option("--toolsets <list>", "shelves to list, comma-separated, or all")
    .option("--readonly", "list tools that change nothing")
    .action(async ({ toolsets, readonly = false }: { toolsets?: string; readonly?: boolean }) => {
      await host.stdio({ readonly, ...(toolsets !== undefined && { toolsets: list(toolsets) }) });
      finish(0);
    });
  const config = new Command("config")
    .summary("list every setting as it stands")
    .option("--json", "print JSON on stdout")
    .action(({ json = false }: { json?: boolean }) => {
      const settings = host.settings();
      const width = Math.max(...settings.map(({ name }) => name.length));
      const lines = settings.map(
        ({ name, value, source, purpose }) =>
          `${paint("bold", name.padEnd(width))}  ${value ?? paint("dim", "not set")}${source === "default" ? "" : paint("cyan", "  from the environment")}\n${" ".repeat(width)}  ${paint("dim", purpose)}`,
      );
      host.out.write(json ? `${JSON.stringify({ settings }, null, 2)}\n` : `${lines.join("\n")}\n`);
      finish(0);
    });
  const doctor = new Command("doctor")
    .summary("check this installation")
    .option("--json", "print JSON on stdout")
    .action(async ({ json = false }: { json?: boolean }) => {
      const checks = await checkInstallation(host);
      const ok = checks.every(({ state }) => state !== "fail");
      const lines = checks.map(
        ({ state, name, detail }) => `${paint(COLOUR[state], state.padEnd(4))} ${name}: ${detail}`,
      );
      host.out.write(json ? `${JSON.stringify({ ok, checks }, null, 2)}\n` : `${lines.join("\n")}\n`);
      finish(ok ? 0 : 1);
    });
  const mcp = new Command("mcp").summary("help MCP clients to connect").addCommand(
    new Command("config")
      .summary("print the settings of an MCP client")
      .option("--client <name>", "claude, cursor or vscode", "claude")
      .option("--stdio", "start the server as a child instead of connecting over HTTP")
      .action(({ client, stdio: child = false }: { client: string; stdio?: boolean }) => {
        host.out.write(
          `${JSON.stringify(clientConfig(client, { child, url: host.publicUrl() }), null, 2)}\n`,
        );
        finish(0);
      }),
  );
  return [serve, stdio, config, doctor, mcp];
}
