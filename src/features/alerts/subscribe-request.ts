import type { Channel, Condition } from "../../domain/alerts/alerts.ts";
import { isBotToken } from "../../domain/alerts/receiver.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import { ToolError } from "../../kernel/errors.ts";

/** A request for a subscription, as the client sent it. */
export interface SubscribeRequest {
  readonly symbols?: readonly string[] | undefined;
  readonly watchlist?: string | undefined;
  readonly timeframe: Timeframe;
  readonly on: Condition["on"];
  readonly changes?: readonly ("direction" | "grade")[] | undefined;
  readonly above?: number | undefined;
  readonly below?: number | undefined;
  readonly rule?: string | undefined;
  readonly channel: Channel;
  readonly url?: string | undefined;
  readonly chat_id?: string | undefined;
  readonly bot_token?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
}

/** One validation of the request: `broken` is true when it fails; `field` and `detail` describe the problem. */
type Check = readonly [broken: boolean, field: string, detail: string];

/** Validates a request. @throws ToolError INVALID_INPUT listing every invalid field */
export function validateSubscribeRequest(request: SubscribeRequest): void {
  const { symbols, watchlist, on } = request;
  const hasSymbols = on !== "confirmation";
  const isSubjectWrong = (symbols === undefined) === (watchlist === undefined);
  const checks: readonly Check[] = [
    [hasSymbols && isSubjectWrong, "symbols", "or watchlist is required, not both"],
    [!hasSymbols && symbols !== undefined, "symbols", "is not accepted with on: confirmation"],
    [!hasSymbols && watchlist !== undefined, "watchlist", "is not accepted with on: confirmation"],
    ...conditionChecks(request),
    ...channelChecks(request),
  ];
  const faults = checks.flatMap(([broken, field, detail]) => (broken ? [{ field, detail }] : []));
  if (faults.length === 0) return;
  throw new ToolError("INVALID_INPUT", faults.map(({ field, detail }) => `${field} ${detail}`).join("; "), {
    hint: "Correct the named fields; everything else can stay.",
    data: { errors: faults.map(({ field, detail }) => ({ pointer: `/${field}`, detail })) },
  });
}

const CONDITION_OF = { changes: "signal", above: "price", below: "price", rule: "rule" } as const;

function conditionChecks({ on, ...request }: SubscribeRequest): readonly Check[] {
  const { above, below, rule } = request;
  const noLevel = above === undefined && below === undefined;
  return [
    ...(["changes", "above", "below", "rule"] as const).map((field): Check => {
      const isStray = request[field] !== undefined && CONDITION_OF[field] !== on;
      return [isStray, field, `is accepted only with on: ${CONDITION_OF[field]}`];
    }),
    [on === "price" && noLevel, "above", "or below is required for a price condition"],
    [above !== undefined && below !== undefined && below >= above, "below", "must be less than above"],
    [on === "rule" && rule === undefined, "rule", 'is required, such as "rsi(14) < 30"'],
  ];
}

function channelChecks({
  channel,
  url,
  chat_id,
  bot_token: token,
  email,
}: SubscribeRequest): readonly Check[] {
  const takesUrl = channel === "webhook" || channel === "ntfy" || channel === "slack";
  const telegram = channel === "telegram";
  const takesToken = telegram || channel === "ntfy";
  const isMalformed = telegram && token !== undefined && !isBotToken(token);
  return [
    [takesUrl && url === undefined, "url", `is required for the channel ${channel}`],
    [!takesUrl && url !== undefined, "url", `is not accepted for the channel ${channel}`],
    [telegram && token === undefined, "bot_token", "is required for the channel telegram"],
    [isMalformed, "bot_token", "is not a BotFather token: digits, a colon and about 35 letters"],
    [
      !takesToken && token !== undefined,
      "bot_token",
      "is accepted for telegram and for protected ntfy topics only",
    ],
    [telegram && chat_id === undefined, "chat_id", "is required for the channel telegram"],
    [!telegram && chat_id !== undefined, "chat_id", "is accepted for the channel telegram only"],
    [channel === "email" && email === undefined, "email", "is required for the channel email"],
    [channel !== "email" && email !== undefined, "email", "is accepted for the channel email only"],
    [url !== undefined && !URL.canParse(url), "url", "is not a URL"],
  ];
}
