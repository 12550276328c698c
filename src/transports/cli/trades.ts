import type { Command } from "commander";
import { formatBracket, formatIntent } from "../../domain/requests/intent.text.ts";
import type { OwnedTicket } from "../../domain/trading/trade-owner-port.ts";
import { TicketId } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Paint } from "../../kernel/tool.ts";
import { plainText } from "../../lib/plain-text.ts";
import { formatRows } from "./answer.text.ts";
import { type Cli, type CommandOutput, commandWithExamples, withJson } from "./command.ts";
import type { OpenedTrading } from "./host.ts";
import { checkAccount } from "./limits.ts";
import { wrapToScreen } from "./screen.ts";

interface Options {
  readonly account?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}
type Task = (
  trading: OpenedTrading,
  accounts: readonly string[],
  options: Options,
  id: string,
) => Promise<CommandOutput>;

const YES_PATTERN = /^y(es)?$/i;

/**
 * Creates the command trades list | show | confirm | refuse, for live trades that need a person's confirmation. API keys cannot
 * confirm them.
 */
export function tradesCommand(cli: Cli): Command {
  const { host, paint } = cli;
  const { out } = host;
  const action = (task: Task) =>
    cli.action(
      () => host.openTrading(),
      async (trading: OpenedTrading, options: Options, ticket: string | undefined) => {
        const { account } = options;
        if (account !== undefined) await checkAccount(account, trading);
        const accounts = account === undefined ? await trading.accounts() : [account];
        return task(trading, accounts, options, ticket === undefined ? "" : parseTicketId(ticket));
      },
    );

  const list = commandWithExamples("list", "list live trades that need confirmation", [
    "market-signal trades list",
    "market-signal trades list --account acme",
  ]).action(
    action(async (trading, accounts) => {
      const pending = await trading.pendingTickets(accounts);
      const rows = pending.map(({ account, ticket: { id, intent, expiresAt, confirmedAt, shown } }) => ({
        ticket: id,
        account,
        trade: formatIntent(intent),
        "maximum loss": formatMaximumLoss(shown),
        expires: expiresAt,
        confirmed: confirmedAt ?? "no",
      }));
      return {
        json: { trades: pending.map(toJson) },
        lines: rows.length === 0 ? ["No live trades need confirmation."] : formatRows(rows, paint),
      };
    }),
  );
  const show = commandWithExamples("show", "show the preview of a live trade", [
    "market-signal trades show <ticket>",
  ])
    .argument("<ticket>", "ticket id returned by the preview")
    .action(
      action(async (trading, accounts, _, id) => {
        const found = await trading.find(accounts, id);
        return { json: toJson(found), lines: formatTicket(found, paint) };
      }),
    );
  const confirm = commandWithExamples(
    "confirm",
    "allow a live trade to be sent once before its ticket expires",
    ["market-signal trades confirm <ticket>", "market-signal trades confirm <ticket> --yes"],
  )
    .argument("<ticket>", "ticket id returned by the preview")
    .option("--yes", "confirm without a prompt")
    .action(
      action(async (trading, accounts, { yes = false, json = false }, id) => {
        const found = await trading.find(accounts, id);
        if (!yes) await promptForConfirmation(found, json);
        const ticket = await trading.confirm(found);
        const confirmed = { ...found, ticket };
        return {
          json: toJson(confirmed),
          lines: [
            ...(yes ? formatTicket(confirmed, paint) : []),
            paint(
              "green",
              `Confirmed: the account that previewed the trade can send it once until ${ticket.expiresAt}.`,
            ),
          ],
        };
      }),
    );

  const refuse = commandWithExamples("refuse", "make the ticket of a live trade unusable", [
    "market-signal trades refuse <ticket>",
  ])
    .argument("<ticket>", "ticket id returned by the preview")
    .action(
      action(async (trading, accounts, _, id) => {
        const found = await trading.find(accounts, id);
        const refused = { ...found, ticket: await trading.refuse(found) };
        return { json: toJson(refused), lines: formatTicket(refused, paint) };
      }),
    );

  async function promptForConfirmation(found: OwnedTicket, json: boolean): Promise<void> {
    const unconfirmed = new ToolError("INVALID_INPUT", "This trade uses real money and was not confirmed", {
      hint: "Check it with `market-signal trades show`, then add --yes.",
      data: { trade: toJson(found) },
    });
    if (host.prompt === undefined || json) throw unconfirmed;
    out.write(wrapToScreen(out, `${formatTicket(found, paint).join("\n")}\n`));
    const answer = await host.prompt({
      question: "Allow this trade to be sent? yes/no ",
      onEnd: "The input ended, so the trade was not confirmed; run the command again, or add --yes",
    });
    if (!YES_PATTERN.test(answer.trim())) throw new ToolError("CANCELLED", "The trade was not confirmed");
  }

  const group = commandWithExamples(
    "trades",
    "show and confirm live trades that need a person's confirmation",
    [
      "market-signal trades list",
      "market-signal trades show <ticket>",
      "market-signal trades confirm <ticket>",
    ],
  );
  for (const command of [list, show, confirm, refuse])
    group.addCommand(
      withJson(command.option("--account <id>", "only this account, as `keys list` shows it")),
    );
  return group;
}

function parseTicketId(text: string): string {
  const { data } = TicketId.safeParse(text.trim());
  if (data !== undefined) return data;
  throw new ToolError("INVALID_INPUT", `"${plainText(text, 60)}" is not a ticket id`, {
    hint: "A ticket id is tk_ and 20 hexadecimal digits; `market-signal trades list` shows the pending ones.",
  });
}

/** Preview of a trade, as stored with its ticket. */
interface TicketPreview {
  readonly account_type?: string;
  readonly broker?: string;
  readonly quote?: { readonly price?: string };
  readonly maximum_loss?: { readonly at_stop?: string | null; readonly worst?: string | null };
}
const previewOf = ({ shown }: OwnedTicket["ticket"]): TicketPreview => shown as TicketPreview;

const toJson = ({ account, ticket }: OwnedTicket): object => {
  const { account_type, broker, quote, maximum_loss } = previewOf(ticket);
  return {
    ticket_id: ticket.id,
    account,
    connection_id: ticket.connection,
    broker,
    account_type,
    intent: ticket.intent,
    price: quote?.price,
    maximum_loss,
    expires_at: ticket.expiresAt,
    confirmed_at: ticket.confirmedAt,
    refused_at: ticket.refusedAt ?? null,
    order_id: ticket.order,
  };
};

function formatMaximumLoss(shown: OwnedTicket["ticket"]["shown"]): string {
  const { at_stop = null, worst = null } = (shown as TicketPreview).maximum_loss ?? {};
  return `${at_stop ?? "not known"} at the stop, ${worst ?? "unlimited"} at worst`;
}

function formatTicket({ account, ticket }: OwnedTicket, paint: Paint): readonly string[] {
  const { intent, expiresAt, confirmedAt, refusedAt, order, connection, shown } = ticket;
  const { account_type, broker, quote } = previewOf(ticket);
  return [
    paint("bold", formatIntent(intent)),
    `  account ${account}, ${broker ?? "broker"} ${account_type ?? ""} ${connection}`,
    `  price when previewed ${quote?.price ?? "not known"} USD, ${formatBracket(intent)}`,
    `  maximum loss, USD: ${formatMaximumLoss(shown)}`,
    `  expires ${expiresAt}`,
    order !== null
      ? `  used: order ${order}`
      : refusedAt !== undefined
        ? paint("red", `  refused ${refusedAt}`)
        : confirmedAt === null
          ? paint("yellow", "  not confirmed")
          : paint("green", `  confirmed ${confirmedAt}`),
  ];
}
