import { readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { endLine, exportLine, readExport } from "../../access/audit/audit-export.ts";
import { type AuditHead, headText, NO_ENTRY, readHead } from "../../domain/audit/audit.ts";
import type { AuditFault, AuditReport } from "../../domain/audit/audit-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Paint } from "../../kernel/tool.ts";
import { readErrorText } from "../../lib/file-error.ts";
import { plainText } from "../../lib/plain-text.ts";
import { type Cli, commandWithExamples, withJson, writeOutput } from "./command.ts";
import type { CliHost, OpenedAudit } from "./host.ts";
import { createOwnerFile } from "./owner-file.ts";

const PAGE_SIZE = 1_000;

interface VerifyOptions {
  readonly head?: string;
  readonly against?: string;
  readonly json?: boolean;
}
interface ExportOptions {
  readonly out?: string;
  readonly json?: boolean;
}

/** Creates the command audit verify | export, for the hash-chained audit log of trading. */
export function auditCommand(cli: Cli): Command {
  const { host, paint } = cli;
  const { out } = host;
  const open = () => host.openAudit();

  const verify = commandWithExamples("verify", "check whether the audit log is complete and unchanged", [
    "market-signal audit verify",
    'market-signal audit verify --head "$(cat saved-head)"',
    "market-signal audit verify --against audit-2026-01.ndjson",
  ])
    .option(
      "--head <seq:mac>",
      "head printed by an earlier verify or export; the log must still contain that entry",
    )
    .option("--against <file>", "file of an earlier export; every entry in it must be unchanged")
    .addHelpText("after", VERIFY_HELP)
    .action(
      cli.action(open, async (audit: OpenedAudit, options: VerifyOptions) => {
        const { head, against, json = false } = options;
        const report = await audit.check({
          head: head === undefined ? undefined : parseHead(head),
          exported: against === undefined ? undefined : readExport(textOf(host, against)),
        });
        const result = { ...report, head: headText(report.head) };
        writeOutput(out, { json: result, lines: formatReport(report, paint) }, json);
        return report.ok ? 0 : 1;
      }),
    );

  const exportLog = commandWithExamples("export", "write the audit log as NDJSON, to store it elsewhere", [
    "market-signal audit export --out audit-2026-01.ndjson",
    "market-signal audit export | ssh elsewhere 'cat > audit.ndjson'",
  ])
    .option("--out <file>", "new file to write. Default: stdout")
    .addHelpText("after", EXPORT_HELP)
    .action(
      cli.action(open, async (audit: OpenedAudit, { out: file }: ExportOptions) => {
        const path = file === undefined ? null : resolve(host.folder ?? ".", file);
        const target = path === null ? out : createOwnerFile(path);
        let [head, entries]: [AuditHead, number] = [NO_ENTRY, 0];
        try {
          for (let page = await audit.entries(0, PAGE_SIZE); page.length > 0; ) {
            target.write(page.map((entry) => `${exportLine(entry)}\n`).join(""));
            head = page.at(-1)!;
            entries += page.length;
            page = await audit.entries(head.seq, PAGE_SIZE);
          }
          target.write(`${endLine(head, audit.now())}\n`);
        } catch (thrown) {
          if (path !== null) rmSync(path, { force: true });
          throw thrown;
        } finally {
          if ("close" in target) target.close();
        }
        if (path !== null)
          out.write(
            `${entries} entries in ${path}, mode 0600\nhead ${headText(head)}\nStore both on another machine.\n`,
          );
        return 0;
      }),
    );

  return commandWithExamples("audit", "verify and export the audit log of trading", [
    "market-signal audit verify",
    "market-signal audit export --out audit.ndjson",
  ])
    .addCommand(withJson(verify))
    .addCommand(exportLog);
}

const VERIFY_HELP = `
Each entry is chained to the previous one with a key that the master key
encrypts. The command detects entries that were edited, deleted, inserted,
reordered or cut off, even if the stored head was changed as well. It detects
a deleted log because orders, connections and limits then have no entries.
It cannot detect a log rewritten by a holder of the master key, nor a log and
head restored to an earlier state: store heads or exports on another machine,
and pass them with --head or --against. After a restore from a backup,
the entries since the backup are reported as missing. The exit code is 1 if anything
is wrong. After \`vault forget\` earlier entries cannot be verified and are
reported.`;

const EXPORT_HELP = `
Writes one JSON object per line, oldest first, and a last line with the head.
Texts contain no terminal control characters. The command never overwrites a
file, because \`audit verify --against\` needs earlier exports.`;

function formatReport(
  { ok, entries, verified, head, faults, fault_count }: AuditReport,
  paint: Paint,
): string[] {
  const counted = entries === 1 ? "1 entry" : `${entries} entries`;
  if (ok && entries === 0) return [`${paint("green", "ok")} the log is empty`];
  if (ok)
    return [
      `${paint("green", "ok")} ${counted}, all unchanged`,
      `head ${headText(head)}`,
      paint("dim", "Store this head on another machine and pass it later with --head."),
    ];
  const more = fault_count - faults.length;
  return [
    ...faults.map((fault) => formatFault(fault, paint)),
    ...(more > 0 ? [`and ${more} more`] : []),
    `${paint("red", "changed")}: ${verified} of ${counted} are unchanged`,
  ];
}

function formatFault({ seq, wrong, detail, entry }: AuditFault, paint: Paint): string {
  const named = entry === null ? "" : ` (${[entry.at, entry.event, entry.account].map(short).join(", ")})`;
  return `${paint("red", wrong)} entry ${seq}${named}: ${detail}`;
}

const short = (text: string): string => plainText(String(text), 60);

function parseHead(text: string): AuditHead {
  const head = readHead(text);
  if (head !== null) return head;
  throw new ToolError("INVALID_INPUT", "--head is not a valid head", {
    hint: "A head is <number>:<64 hexadecimal digits>, as printed by verify and export.",
  });
}

function textOf({ folder = "." }: CliHost, file: string): string {
  const path = resolve(folder, file);
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", `${file} cannot be read: ${readErrorText(path, cause)}`, {
      hint: "Pass a file written by `market-signal audit export`.",
      cause,
    });
  }
}
