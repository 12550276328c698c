import type { Command } from "commander";
import { OWNER_ACCOUNT } from "../../domain/accounts/access.ts";
import { MAX_REASON_LENGTH } from "../../domain/trading/confirmation.ts";
import type { ConfirmationDetails } from "../../domain/trading/confirmations-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { plainText } from "../../lib/plain-text.ts";
import { type Cli, type CommandOutput, commandWithExamples } from "./command.ts";
import type { OpenedTrading } from "./host.ts";

/** Options of the commands of limits. */
export interface LimitsOptions {
  readonly account?: string;
  readonly reason?: string;
  readonly json?: boolean;
}

/** Runs a command of limits for an account. */
export type LimitsTask = (
  trading: OpenedTrading,
  account: string,
  options: LimitsOptions,
  terms: readonly string[],
) => Promise<CommandOutput>;

type LimitRequest = Extract<ConfirmationDetails, { kind: "limits" }>;

/** Creates the commands limits requests | confirm | refuse, for changes of limits that agents asked for. */
export function limitRequestCommands(
  { paint }: Pick<Cli, "paint">,
  action: (task: LimitsTask) => Parameters<Command["action"]>[0],
): readonly Command[] {
  const list = commandWithExamples("requests", "list the changes of limits that agents requested", [
    "market-signal limits requests",
    "market-signal limits requests --account acme",
  ]).action(
    action(async ({ requests }, account) => {
      const waiting = (await requests.waiting(account)).filter(isLimits);
      return {
        json: { account, requests: waiting.map(toJson) },
        lines:
          waiting.length === 0
            ? [`No change of limits waits for the account ${account}.`]
            : waiting.flatMap((one) => formatRequest(one, paint)),
      };
    }),
  );
  const decision = (
    name: "confirm" | "refuse",
    about: string,
    done: (one: LimitRequest, account: string) => readonly string[],
  ) =>
    commandWithExamples(name, about, [`market-signal limits ${name} <request>`])
      .argument("<request>", "id of a request, as in `limits requests`")
      .action(
        action(async (trading, account, _, term) => {
          const found = await findRequest(trading, account, String(term));
          await trading.requests[name](account, found.id, OWNER_ACCOUNT);
          return { json: { account, request: found.id, decision: name }, lines: done(found, account) };
        }),
      );
  return [
    list,
    decision("confirm", "change limits as an agent requested; they apply at once", ({ limits }) =>
      limits.map(
        ({ limit, now, proposed, hint }) => `${limit}: ${now ?? "none"} -> ${proposed ?? "none"}. ${hint}.`,
      ),
    ),
    decision("refuse", "leave the limits as they are", ({ id }, account) => [
      `Refused ${id}: the limits of ${account} stay.`,
    ]),
  ];
}

async function findRequest({ requests }: OpenedTrading, account: string, id: string): Promise<LimitRequest> {
  const found = await requests.find(account, id);
  if (found !== null && isLimits(found)) return found;
  throw new ToolError("NOT_FOUND", `The account ${account} has no such request`, {
    hint: "`market-signal limits requests --account <id>` lists those that wait.",
  });
}

const isLimits = (item: ConfirmationDetails): item is LimitRequest => item.kind === "limits";

const reasonOf = ({ request: { proposal } }: LimitRequest): string | null =>
  proposal.kind === "limits" ? proposal.reason : null;

const toJson = (item: LimitRequest): object => ({
  request_id: item.id,
  limits: item.limits,
  reason: reasonOf(item),
  requested_by: item.requestedBy === "" ? null : item.requestedBy,
  expires_at: item.expiresAt,
});

function formatRequest(item: LimitRequest, paint: Cli["paint"]): readonly string[] {
  const reason = reasonOf(item);
  return [
    `${paint("bold", item.id)} until ${item.expiresAt}`,
    ...item.limits.map(({ limit, now, proposed }) => `  ${limit}: ${now ?? "none"} -> ${proposed ?? "none"}`),
    ...(reason === null ? [] : [`  reason given: "${plainText(reason, MAX_REASON_LENGTH)}"`]),
  ];
}
