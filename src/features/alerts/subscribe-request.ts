import type { Channel, Condition } from "../../domain/alerts/alerts.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import { ToolError } from "../../kernel/errors.ts";
import { isBotToken } from "./channel-message.ts";

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
    hint: "Correct the fields named; everything else may stay as it is.",
    data: { errors: faults.map(({ field, detail }) => ({ pointer: `/${field}`, detail })) },
  });
}

const faultIf = (wrong: boolean, field: string, detail: string): readonly Fault[] =>
  wrong ? [{ field, detail }] : [];

function subjectFaults({ symbols, watchlist }: SubscribeRequest): readonly Fault[] {
  return [
    ...faultIf(
      (symbols === undefined) === (watchlist === undefined),
      "symbols",
      "or watchlist is said, one of them",
    ),
  ];
}

function conditionFaults(request: SubscribeRequest): readonly Fault[] {
  const { on, above, below } = request;
  const belongs = { changes: "signal", above: "price", below: "price", rule: "rule" } as const;
  const strays = (["changes", "above", "below", "rule"] as const).filter(
    (field) => request[field] !== undefined && belongs[field] !== on,
  );
  return [
    ...strays.map((field) => ({ field, detail: `belongs to on: ${belongs[field]}` })),
    ...faultIf(
      on === "price" && above === undefined && below === undefined,
      "above",
      "or below is the price that a price condition waits for",
    ),
    ...faultIf(
      above !== undefined && below !== undefined && below >= above,
      "below",
      "is less than above: any other price would lie beyond one of them",
    ),
    ...faultIf(on === "rule" && request.rule === undefined, "rule", 'is needed, such as "rsi(14) < 30"'),
  ];
}

function channelFaults({ channel, url, chat_id, bot_token }: SubscribeRequest): readonly Fault[] {
  const takesUrl = channel === "webhook" || channel === "ntfy" || channel === "slack";
  const telegram = channel === "telegram";
  return [
    ...faultIf(takesUrl && url === undefined, "url", `is needed by the channel ${channel}`),
    ...faultIf(!takesUrl && url !== undefined, "url", `is not taken by the channel ${channel}`),
    ...faultIf(telegram && bot_token === undefined, "bot_token", "is needed by the channel telegram"),
    ...faultIf(
      telegram && bot_token !== undefined && !isBotToken(bot_token),
      "bot_token",
      "is no token as BotFather gives it: digits, a colon and some 35 letters",
    ),
    ...faultIf(
      !telegram && channel !== "ntfy" && bot_token !== undefined,
      "bot_token",
      "belongs to telegram, or to a protected topic of ntfy",
    ),
    ...faultIf(telegram && chat_id === undefined, "chat_id", "is needed by the channel telegram"),
    ...faultIf(!telegram && chat_id !== undefined, "chat_id", "belongs to the channel telegram"),
    ...faultIf(url !== undefined && !URL.canParse(url), "url", "is no URL"),
  ];
}
