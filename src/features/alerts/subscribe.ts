import { ALERT_LIMITS, type Condition, type Subscription } from "../../domain/alerts/alerts.ts";
import type { ReceiverRequest } from "../../domain/alerts/alerts-port.ts";
import type { Instrument, Resolution } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { mapConcurrent } from "../../lib/concurrency.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { plainText } from "../../lib/plain-text.ts";
import { type ArmPorts, armCondition, type ConditionStatus } from "./arm-condition.ts";
import { parseRule } from "./evaluate-rule.ts";
import { type SubscribeRequest, validateSubscribeRequest } from "./subscribe-request.ts";
import { resolveSymbols } from "./symbols.ts";
import { requireWatchlist } from "./watchlist-symbols.ts";

export type SubscribePorts = ArmPorts & Pick<Ports, "ids" | "subscriptions" | "watchlists">;

export interface SubscribeResult {
  readonly subscription: Subscription;
  /** False: the account had an equal subscription, which is returned. */
  readonly isNew: boolean;
  readonly signing_secret: string | null;
  readonly condition_states: readonly ConditionStatus[];
  readonly alternatives: Resolution["alternatives"];
}

/**
 * Validates the request, arms the condition for each symbol and stores the subscription. A condition that is already
 * true is reported in `condition_states` and triggers no alert. @throws ToolError INVALID_INPUT listing every invalid field
 */
export async function subscribe(
  request: SubscribeRequest,
  { account, signal }: { readonly account: string; readonly signal: AbortSignal },
  ports: SubscribePorts,
): Promise<SubscribeResult> {
  validateSubscribeRequest(request);
  const condition = conditionOf(request);
  const { instruments, alternatives } =
    condition.on === "confirmation"
      ? { instruments: [], alternatives: [] }
      : await resolveInstruments(request, account, ports);
  const { timeframe, channel, watchlist = null } = request;
  const armed = await mapConcurrent(
    instruments,
    (instrument) => armCondition(instrument, { condition, timeframe, signal }, ports),
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
    armed.flatMap(({ initialState, status }) =>
      initialState === null ? [] : [[status.symbol, initialState]],
    ),
  );
  const receiver = receiverOf(request);
  const stored = await ports.subscriptions.add(account, { subscription, seen, receiver });
  return {
    ...stored,
    isNew: stored.subscription.subscription_id === subscription.subscription_id,
    condition_states: armed.map(({ status }) => status),
    alternatives,
  };
}

const ALL_CHANGES = ["direction", "grade"] as const;

/** Builds the condition of a request. @throws ToolError INVALID_INPUT when the rule cannot be parsed */
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
      `A subscription has at most ${ALERT_LIMITS.symbols} symbols; ${names.length} were given`,
      { hint: "Split them into several subscriptions or watchlists." },
    );
  return resolveSymbols(names, ports.symbols);
}

/** Returns a name without markup and line breaks; null for none. */
export function cleanName(text: string | undefined): string | null {
  const name = plainText(text ?? "", 60);
  return name === "" ? null : name;
}

const receiverOf = ({ url, bot_token, chat_id, email }: SubscribeRequest): ReceiverRequest => ({
  url: url ?? null,
  bot_token: bot_token ?? null,
  chat_id: chat_id ?? null,
  email: email ?? null,
});

function targetOf({ channel, url, email }: SubscribeRequest): string | null {
  if (email !== undefined) return plainText(email.slice(email.lastIndexOf("@") + 1), 255);
  if (channel === "telegram") return "api.telegram.org";
  return url === undefined ? null : plainText(new URL(url).host, 255);
}
