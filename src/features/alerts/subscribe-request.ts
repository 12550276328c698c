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
  readonly name?: string | undefined;
}

/** Throws INVALID_INPUT listing every wrong field of the request. */
export function validateSubscribeRequest(request: SubscribeRequest): void {
  throwFaults([...subjectFaults(request), ...conditionFaults(request), ...channelFaults(request)]);
}

interface Fault {
  readonly field: string;
  readonly detail: string;
}

function throwFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  throw new ToolError("INVALID_INPUT", faults.map(({ field, detail }) => `${field} ${detail}`).join("; "), {
    hint: "Correct the named fields; everything else can stay.",
    data: { errors: faults.map(({ field, detail }) => ({ pointer: `/${field}`, detail })) },
  });
}

const faultIf = (wrong: boolean, field: string, detail: string): readonly Fault[] =>
  wrong ? [{ field, detail }] : [];

function subjectFaults({ symbols, watchlist }: SubscribeRequest): readonly Fault[] {
  const isWrong = (symbols === undefined) === (watchlist === undefined);
  return faultIf(isWrong, "symbols", "or watchlist is required, not both");
}

function conditionFaults(request: SubscribeRequest): readonly Fault[] {
  const { on, above, below } = request;
  const belongs = { changes: "signal", above: "price", below: "price", rule: "rule" } as const;
  const strays = (["changes", "above", "below", "rule"] as const).filter(
    (field) => request[field] !== undefined && belongs[field] !== on,
  );
  return [
    ...strays.map((field) => ({ field, detail: `is accepted only with on: ${belongs[field]}` })),
    ...faultIf(
      on === "price" && above === undefined && below === undefined,
      "above",
      "or below is required for a price condition",
    ),
    ...faultIf(
      above !== undefined && below !== undefined && below >= above,
      "below",
      "must be less than above",
    ),
    ...faultIf(on === "rule" && request.rule === undefined, "rule", 'is required, such as "rsi(14) < 30"'),
  ];
}

function channelFaults({ channel, url, chat_id, bot_token }: SubscribeRequest): readonly Fault[] {
  const takesUrl = channel === "webhook" || channel === "ntfy" || channel === "slack";
  const telegram = channel === "telegram";
  return [
    ...faultIf(takesUrl && url === undefined, "url", `is required for the channel ${channel}`),
    ...faultIf(!takesUrl && url !== undefined, "url", `is not accepted for the channel ${channel}`),
    ...faultIf(telegram && bot_token === undefined, "bot_token", "is required for the channel telegram"),
    ...faultIf(
      telegram && bot_token !== undefined && !isBotToken(bot_token),
      "bot_token",
      "is not a BotFather token: digits, a colon and about 35 letters",
    ),
    ...faultIf(
      !telegram && channel !== "ntfy" && bot_token !== undefined,
      "bot_token",
      "is accepted for telegram and for protected ntfy topics only",
    ),
    ...faultIf(telegram && chat_id === undefined, "chat_id", "is required for the channel telegram"),
    ...faultIf(!telegram && chat_id !== undefined, "chat_id", "is accepted for the channel telegram only"),
    ...faultIf(url !== undefined && !URL.canParse(url), "url", "is not a URL"),
  ];
}
