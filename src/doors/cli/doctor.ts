import { SAMPLE_LABEL } from "../../domain/market.ts";
import { asToolError } from "../../kernel/errors.ts";
import { SetupError } from "../../lib/setup-error.ts";
import type { Check, CliHost, Holdings, Opened } from "./host.ts";

/** Opens the installation and reads every series it holds: what works, what was noticed, what fails. */
export async function checkInstallation(host: CliHost): Promise<readonly Check[]> {
  const node: Check = { name: "node", state: "ok", detail: process.version };
  try {
    const changed = host.settings().filter(({ source }) => source === "environment");
    const settings = changed.map(({ name, value }) => `${name}=${value}`).join(" ") || "all defaults";
    const opened = await host.open();
    try {
      return [
        node,
        { name: "settings", state: "ok", detail: settings },
        ...unused(host),
        { name: "data folder", state: "ok", detail: "open, database intact" },
        ...(await checkMarket(opened)),
        { name: "tools", state: "ok", detail: `${opened.registry.tools.length} connected` },
        ...opened.registry.absent.map(
          ({ name, needs }): Check => ({
            name,
            state: "note",
            detail: `not connected: needs ${needs.join(", ")}`,
          }),
        ),
      ];
    } finally {
      await opened.close();
    }
  } catch (cause) {
    const detail = cause instanceof SetupError ? cause.message : asToolError(cause).message;
    return [node, { name: "installation", state: "fail", detail }];
  }
}

/** Settings that were made and that nothing reads. */
const unused = (host: CliHost): readonly Check[] =>
  host
    .settings()
    .filter(({ source, purpose }) => source === "environment" && purpose.startsWith("Not used"))
    .map(({ name, purpose }) => ({ name, state: "note", detail: purpose }));

async function checkMarket({ ports, files }: Opened): Promise<readonly Check[]> {
  const { market, symbols, bars } = ports;
  const members = symbols.members();
  if (files === null) {
    const label = market.mode === "sample" ? `${SAMPLE_LABEL}, ` : "";
    return [{ name: "market", state: "ok", detail: `${label}${members.length} symbols` }];
  }
  const { series } = files();
  const unread: Check[] = [];
  for (const { symbol, timeframe } of series) {
    const member = members.find((one) => one.symbol === symbol);
    if (member === undefined) continue;
    await bars.history(member, { timeframe, limit: 1 }).catch((cause: unknown) => {
      const { code, message } = asToolError(cause);
      const state = code === "INTERNAL" ? "fail" : "note";
      unread.push({ name: `${symbol} ${timeframe}`, state, detail: `cannot be read: ${message}` });
    });
  }
  const { skipped, notes } = files();
  return [
    { name: "market", state: "ok", detail: `${members.length} symbols in ${series.length} series of files` },
    ...unread,
    ...together(skipped),
    ...notes.map(({ file, note }): Check => ({ name: file, state: "note", detail: note })),
  ];
}

/** Files of one folder that are skipped for one reason are one finding, so that the odd one out is seen. */
function together(skipped: Holdings["skipped"]): readonly Check[] {
  const groups = new Map<string, string[]>();
  for (const { file, reason } of skipped) {
    const key = `${file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : "."}\n${reason}`;
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups].map(([key, files]): Check => {
    const [folder, reason] = key.split("\n") as [string, string];
    const name = files.length === 1 ? files[0]! : `${folder}: ${files.length} files`;
    return { name, state: "note", detail: `skipped: ${reason}` };
  });
}
