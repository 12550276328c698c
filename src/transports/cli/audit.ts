import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { endLine, exportLine, readExport } from "../../access/audit/audit-export.ts";
import { type AuditHead, headText, NO_ENTRY, readHead } from "../../domain/audit/audit.ts";
import type { AuditFault, AuditReport } from "../../domain/audit/audit-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Paint } from "../../kernel/tool.ts";
import { plainText } from "../../lib/plain-text.ts";
import { commandWithExamples } from "./command-with-examples.ts";
import type { CliHost, OpenedAudit } from "./host.ts";
import { runOwnerCommand } from "./owner-command.ts";
import { painter } from "./screen.ts";

const PAGE_SIZE = 1_000;

interface VerifyOptions {
  readonly head?: string;
  readonly against?: string;
  readonly json?: boolean;
}

/** audit verify | export: the chained log of what was done in the name of accounts. */
export function auditCommand(host: CliHost, finish: (code: number) => void): Command {
  const { out, err } = host;
  const paint = painter(out);
  const work = (json: boolean, task: (audit: OpenedAudit) => Promise<number>) =>
    runOwnerCommand({ out, err, finish, json }, () => host.openAudit(), task);

  const verify = commandWithExamples(
    "verify",
    "tell whether the log of trading is whole, and what was changed in it",
    [
      "market-signal audit verify",
      'market-signal audit verify --head "$(cat kept-head)"',
      "market-signal audit verify --against audit-2026-01.ndjson",
    ],
  )
    .option("--head <seq:mac>", "a head told earlier: the log must still hold that entry")
    .option("--against <file>", "an export kept elsewhere: every entry in it must still be the same")
    .option("--json", "print JSON on stdout")
    .addHelpText("after", VERIFY_HELP)
    .action(async ({ head, against, json = false }: VerifyOptions) =>
      work(json, async (audit) => {
        const report = await audit.check({
          head: head === undefined ? undefined : parseHead(head),
          exported: against === undefined ? undefined : readExport(textOf(host, against)),
        });
        const told = { ...report, head: headText(report.head) };
        out.write(
          json ? `${JSON.stringify(told, null, 2)}\n` : `${formatReport(report, paint).join("\n")}\n`,
        );
        return report.ok ? 0 : 1;
      }),
    );

  const exported = commandWithExamples("export", "write the log of trading as NDJSON, to be kept elsewhere", [
    "market-signal audit export --out audit-2026-01.ndjson",
    "market-signal audit export | ssh elsewhere 'cat > audit.ndjson'",
  ])
    .option("--out <file>", "a new file, in place of stdout")
    .addHelpText("after", EXPORT_HELP)
    .action(async ({ out: file }: { out?: string }) =>
      work(false, async (audit) => {
        const path = file === undefined ? null : resolve(host.folder ?? ".", file);
        const to = path === null ? out : createOwnerFile(path);
        let [head, entries]: [AuditHead, number] = [NO_ENTRY, 0];
        try {
          for (let page = await audit.entries(0, PAGE_SIZE); page.length > 0; ) {
            to.write(page.map((entry) => `${exportLine(entry)}\n`).join(""));
            head = page.at(-1)!;
            entries += page.length;
            page = await audit.entries(head.seq, PAGE_SIZE);
          }
          to.write(`${endLine(head, audit.now())}\n`);
        } catch (thrown) {
          if (path !== null) rmSync(path, { force: true });
          throw thrown;
        } finally {
          if ("close" in to) to.close();
        }
        if (path !== null)
          out.write(
            `${entries} entries in ${path}, mode 0600\nhead ${headText(head)}\nKeep both elsewhere.\n`,
          );
        return 0;
      }),
    );

  return commandWithExamples("audit", "verify and export the log of what was done in the name of accounts", [
    "market-signal audit verify",
    "market-signal audit export --out audit.ndjson",
  ])
    .addCommand(verify)
    .addCommand(exported);
}

const VERIFY_HELP = `
Every entry is chained to the one before by a key that the master key seals.
By itself the command finds entries that were edited, deleted, inserted, put in
another order or cut off, also where the noted head was changed with them: that
has a code by the same key. Orders that were sent, connections and limits of
which no entry tells show a log that was deleted whole. Whoever has the master
key could write the whole log anew, and whoever writes to the data folder could
put the log and its noted head back to an earlier day: against both, keep heads
or exports on another machine and name them by --head or --against. A database
put back from a backup lacks what came after it, which shows as a cut, and as
missing from then on. Exits 1 where anything is wrong; after \`vault forget\`,
earlier entries cannot be verified and are reported so.`;

const EXPORT_HELP = `
One JSON object a line, in order, and a last line with the head. Texts hold no
character that steers a terminal. The file is made new and never replaces one:
an earlier export is what a later log is verified against.`;

function formatReport(
  { ok, entries, verified, head, faults, fault_count }: AuditReport,
  paint: Paint,
): string[] {
  const counted = entries === 1 ? "1 entry" : `${entries} entries`;
  if (ok && entries === 0) return [`${paint("green", "ok")} nothing was written yet`];
  if (ok)
    return [
      `${paint("green", "ok")} ${counted}, all as they were written`,
      `head ${headText(head)}`,
      paint("dim", "Keep this head elsewhere; --head verifies against it later."),
    ];
  const more = fault_count - faults.length;
  return [
    ...faults.map((fault) => formatFault(fault, paint)),
    ...(more > 0 ? [`and ${more} more`] : []),
    `${paint("red", "not whole")}: ${verified} of ${counted} are as they were written`,
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
  throw new ToolError("INVALID_INPUT", "--head is not a head", {
    hint: "It reads <number>:<64 hexadecimal digits>, as verify and export tell it.",
  });
}

function textOf({ folder = "." }: CliHost, file: string): string {
  try {
    return readFileSync(resolve(folder, file), "utf8");
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", `${file} cannot be read`, {
      hint: "Name a file that `market-signal audit export` wrote.",
      cause,
    });
  }
}

/** A file for the owner's eyes alone, that was not there. */
function createOwnerFile(path: string) {
  try {
    const handle = openSync(path, "wx", 0o600);
    return { write: (text: string) => void writeSync(handle, text), close: () => closeSync(handle) };
  } catch (cause) {
    const there = (cause as NodeJS.ErrnoException).code === "EEXIST";
    throw new ToolError(
      there ? "CONFLICT" : "INVALID_INPUT",
      `${path} ${there ? "is there already" : "cannot be written"}`,
      {
        hint: "Name a new file with --out.",
        cause,
      },
    );
  }
}
