import type { Command } from "commander";
import { ToolError } from "../../kernel/errors.ts";
import { LINK_PATH } from "../connect.ts";
import { type Cli, commandWithExamples, withJson } from "./command.ts";
import type { OpenedKeys } from "./host.ts";

/** Creates the command open, which prints a link that signs a browser in at the running server. */
export function openCommand(cli: Cli): Command {
  const { host, paint } = cli;
  return withJson(
    commandWithExamples("open", "print a link that signs one browser in, for 12 hours", [
      "market-signal open",
    ]).action(
      cli.action(
        () => host.openKeys({ isExisting: true }),
        async ({ browserSessions }: OpenedKeys) => {
          const server = (await host.server?.()) ?? null;
          if (server === null)
            throw new ToolError("NOT_FOUND", "No server runs on this data folder", {
              hint: "Start it with `market-signal serve`; the link is in what it prints.",
            });
          const { token, expires_at } = await browserSessions.issueLink();
          const url = `${server.url}${LINK_PATH}/${token}`;
          return {
            json: { url, expires_at },
            lines: [url, paint("dim", `It works once, until ${expires_at}.`)],
          };
        },
      ),
    ),
  );
}
