import { beyond } from "../../analytics/conditions/crossing.ts";
import { ALERT_LIMITS, type Channel, type Condition, type Subscription } from "../../domain/alerts/alerts.ts";
import type { ReceiverRequest } from "../../domain/alerts/alerts-port.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import type { Instrument, Resolution } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { mapConcurrent } from "../../lib/concurrency.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { plainText } from "../../lib/plain-text.ts";
import { isBotToken } from "./channel-message.ts";
import { evaluateRule, parseRule, serializeRuleState } from "./evaluate-rule.ts";
import type { SignalPorts } from "./evaluate-signal.ts";
import { serializePriceSide } from "./price-subscription.ts";
import { resolveSymbols } from "./symbols.ts";

/** What a client asks to be told, as it says it. */
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

export type SubscribePorts = SignalPorts & Pick<Ports, "quotes" | "ids" | "subscriptions" | "watchlists">;

/** How a condition stands for one symbol at the moment it is armed. */
export interface ConditionStatus {
  readonly symbol: string;
  /** Whether it holds already: nothing is told until it was false in between. null: not known yet. */
  readonly holds: boolean | null;
  readonly text: string;
}

export interface SubscribeResult {
  readonly subscription: Subscription;
  readonly signing_secret: string | null;
  readonly standing: readonly ConditionStatus[];
  readonly alternatives: Resolution["alternatives"];
}

/**
 * Checks what is asked whole, arms the condition for each symbol and keeps it. INVALID_INPUT with every field that is wrong; what
 * holds already is told in the answer and by no alert.
 */
export async function subscribe(
  request: SubscribeRequest,
  { account, signal }: { readonly account: string; readonly signal: AbortSignal },
  ports: SubscribePorts,
): Promise<SubscribeResult> {
  throwFaults([...subjectFaults(request), ...conditionFaults(request), ...channelFaults(request)]);
  const condition = conditionOf(request);
  const { instruments, alternatives } = await resolveInstruments(request, account, ports);
  const { timeframe, channel, watchlist = null } = request;
  const armed = await mapConcurrent(
    instruments,
    (instrument) => arm(instrument, { condition, timeframe, signal }, ports),
    () => {},
  );
  const subscription: Subscription = {
    subscription_id: `sb_${idDigits(ports.ids.uuid())}`,
    name: cleanName(request.name),
    symbols: instruments.map(({ symbol }) => symbol),
    watchlist,
    timeframe,
    condition,
    channel,
    target: targetOf(request),
    created_at: ports.clock.now().toISOString(),
    state: "active",
    reason: null,
  };
  const seen = Object.fromEntries(
    armed.flatMap(({ initialState: seen, status: standing }) =>
      seen === null ? [] : [[standing.symbol, seen]],
    ),
  );
  const receiver = receiverOf(request);
  const { signing_secret } = await ports.subscriptions.add(account, { subscription, seen, receiver });
  return {
    subscription,
    signing_secret,
    standing: armed.map(({ status: standing }) => standing),
    alternatives,
  };
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

function conditionFaults(asked: SubscribeRequest): readonly Fault[] {
  const { on, above, below } = asked;
  const belongs = { changes: "signal", above: "price", below: "price", rule: "rule" } as const;
  const strays = (["changes", "above", "below", "rule"] as const).filter(
    (field) => asked[field] !== undefined && belongs[field] !== on,
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
    ...faultIf(on === "rule" && asked.rule === undefined, "rule", 'is needed, such as "rsi(14) < 30"'),
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

const ALL_CHANGES = ["direction", "grade"] as const;

/** Throws INVALID_INPUT where the rule is none. */
function conditionOf({ on, changes, above, below, rule }: SubscribeRequest): Condition {
  if (on === "rule") parseRule(rule!);
  return {
    on,
    changes: on === "signal" ? ALL_CHANGES.filter((part) => (changes ?? ALL_CHANGES).includes(part)) : [],
    above: above ?? null,
    below: below ?? null,
    rule: rule?.trim() ?? null,
  };
}

async function resolveInstruments(
  { symbols, watchlist }: SubscribeRequest,
  account: string,
  ports: SubscribePorts,
): Promise<{
  readonly instruments: readonly Instrument[];
  readonly alternatives: Resolution["alternatives"];
}> {
  const names = symbols ?? (await requireWatchlist(account, watchlist!, ports)).symbols;
  if (names.length > ALERT_LIMITS.symbols)
    throw new ToolError(
      "INVALID_INPUT",
      `A subscription watches ${ALERT_LIMITS.symbols} symbols at most; these are ${names.length}`,
      { hint: "Split them over several subscriptions or lists." },
    );
  return resolveSymbols(names, ports.symbols);
}

/** A watchlist of the account; NOT_FOUND where there is none of the name. */
export async function requireWatchlist(
  account: string,
  name: string,
  { watchlists }: Pick<Ports, "watchlists">,
) {
  const found = await watchlists.find(account, name);
  if (found === null)
    throw new ToolError("NOT_FOUND", `There is no watchlist "${name}"`, {
      hint: "list_watchlists shows those of this account, save_watchlist makes one.",
    });
  return found;
}

function cleanName(said: string | undefined): string | null {
  const name = plainText(said ?? "", 60);
  return name === "" ? null : name;
}

const receiverOf = ({ url, bot_token, chat_id }: SubscribeRequest): ReceiverRequest => ({
  url: url ?? null,
  bot_token: bot_token ?? null,
  chat_id: chat_id ?? null,
});

function targetOf({ channel, url }: SubscribeRequest): string | null {
  if (channel === "telegram") return "api.telegram.org";
  return url === undefined ? null : plainText(new URL(url).host, 255);
}

interface ArmedCondition {
  readonly status: ConditionStatus;
  /** What is kept for the watcher to go on from; null where the watcher's first look arms it. */
  readonly initialState: string | null;
}

const unarmed = (symbol: string, why: string): ArmedCondition => ({
  status: { symbol, holds: null, text: `${why}: the first look arms it.` },
  initialState: null,
});

async function arm(
  instrument: Instrument,
  of: { readonly condition: Condition; readonly timeframe: Timeframe; readonly signal: AbortSignal },
  ports: SubscribePorts,
): Promise<ArmedCondition> {
  const { symbol } = instrument;
  try {
    if (of.condition.on === "price") return await armPrice(instrument, of, ports);
    if (of.condition.on === "rule") return await armRule(instrument, of, ports);
  } catch (cause) {
    of.signal.throwIfAborted();
    const { code, message } = asToolError(cause);
    if (code === "INTERNAL") throw cause;
    return unarmed(symbol, message);
  }
  return {
    status: {
      symbol,
      holds: null,
      text: `Told when a ${of.timeframe} bar that closes from now on changes it.`,
    },
    initialState: null,
  };
}

type ArmRequest = Parameters<typeof arm>[1];

async function armPrice(
  instrument: Instrument,
  { condition, signal }: ArmRequest,
  ports: SubscribePorts,
): Promise<ArmedCondition> {
  const { symbol } = instrument;
  const quote = await ports.quotes.latest(instrument, { signal });
  if (quote.origin?.stale === true) return unarmed(symbol, "No source answers now");
  const now = beyond(condition, quote.price);
  const holds = now.above || now.below;
  const price = `${quote.price} USD at ${quote.timestamp} from ${quote.source}`;
  const side = now.above ? `above ${condition.above} USD` : `below ${condition.below} USD`;
  const text = holds
    ? `Already ${side}, ${price}: told when it has been back and passes it again.`
    : `Armed at ${price}.`;
  return { status: { symbol, holds, text }, initialState: serializePriceSide(now, quote) };
}

async function armRule(
  instrument: Instrument,
  { condition, timeframe, signal }: ArmRequest,
  ports: SubscribePorts,
): Promise<ArmedCondition> {
  const { symbol } = instrument;
  const look = await evaluateRule(parseRule(condition.rule!), { instrument, timeframe }, signal, ports);
  if (look === null) return unarmed(symbol, "Too few bars for this rule yet");
  const holds = look.held.at(-1) === 1;
  const closed = `at the close of ${look.series.as_of}, on bars from ${look.series.source}`;
  const text = holds
    ? `Already true ${closed}: told when it has been false and becomes true again.`
    : `Armed: not true ${closed}.`;
  return { status: { symbol, holds, text }, initialState: serializeRuleState(look) };
}
