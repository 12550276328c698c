import { appOf } from "../../domain/accounts/access.ts";
import type { Person } from "../../domain/accounts/people.ts";
import { CONFIRM_PATH, MAX_REASON_LENGTH } from "../../domain/trading/confirmation.ts";
import type { ConfirmationDetails } from "../../domain/trading/confirmations-port.ts";
import type { LimitChange } from "../../domain/trading/limits.text.ts";
import { MAX_PRICE_MOVE_PCT } from "../../domain/trading/trading.ts";
import { plainText } from "../../lib/plain-text.ts";
import { OrderFacts } from "./confirm-order.tsx";
import { Row, SignInAgain, timeText } from "./sign-in-actions.tsx";
import { type Frame, framedPage } from "./sign-in-frame.tsx";

const MAX_NAME = 60;

/** What waits, with the name of the key or app that asked for it; null: unknown. */
export interface NamedConfirmation {
  readonly item: ConfirmationDetails;
  readonly requester: string | null;
}

/** Renders the list of what waits for a person's account. */
export const waitingPage = (frame: Frame, person: Person, all: readonly NamedConfirmation[]): string =>
  framedPage({
    frame,
    title: "confirm",
    children: (
      <section class="card">
        <h1>Waiting for you</h1>
        {all.length === 0 ? (
          <p>
            Nothing waits for the account <code>{person.account}</code>.
          </p>
        ) : (
          <ul class="rows">
            {all.map(({ item, requester }) => (
              <li>
                <div>
                  <p>
                    <a href={`${CONFIRM_PATH}/${item.id}`}>{headingOf(item)}</a>
                  </p>
                  {item.kind === "limits" &&
                    item.limits.map((each) => <p>{`${each.limit}: ${changeText(each)}`}</p>)}
                  <p class="quiet">
                    {requesterText(item, requester)}, until {timeText(item.expiresAt)}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
        <p class="foot quiet">
          Listed are live orders that can be confirmed, and requested changes of limits and broker accounts.{" "}
          <a href="/">Open the dashboard</a>
        </p>
      </section>
    ),
  });

interface DecisionPage extends NamedConfirmation {
  /** False: the session began too long ago to decide. */
  readonly isRecent: boolean;
  /** Why the last answer had no effect; null: none was given. */
  readonly fault: string | null;
}

/** Renders what an agent asks for, with the buttons that decide on it. */
export const decisionPage = (frame: Frame, page: DecisionPage): string =>
  framedPage({
    frame,
    title: "confirm",
    children: (
      <section class="card">
        <h1>{headingOf(page.item)}</h1>
        {page.fault !== null && (
          <p class="notice" role="alert">
            {page.fault}
          </p>
        )}
        <Facts {...page} />
        <Decision {...page} />
        <p class="foot">
          <a href={CONFIRM_PATH}>All open requests</a>
        </p>
      </section>
    ),
  });

/** Renders why a person cannot decide. */
export const noDecisionPage = (frame: Frame, heading: string, text: string): string =>
  framedPage({
    frame,
    title: "confirm",
    children: (
      <section class="card">
        <h1>{heading}</h1>
        <p>{text}</p>
        <p class="foot">
          <a href={CONFIRM_PATH}>All open requests</a>
        </p>
      </section>
    ),
  });

const OUTCOMES = {
  confirmed: "This was confirmed.",
  refused: "This was refused.",
  expired: "This has expired. The agent can ask again.",
} as const;

function Decision({ item, isRecent }: DecisionPage) {
  if (item.state !== "waiting") return <p class="notice">{OUTCOMES[item.state]}</p>;
  if (!isRecent) return <SignInAgain page={`${CONFIRM_PATH}/${item.id}`} to="decide" />;
  return (
    <>
      <form method="post" action={`${CONFIRM_PATH}/${item.id}`}>
        {item.kind === "credentials" && (
          <>
            <Credential name="api_key" label="API key" type="text" max={200} />
            <Credential name="api_secret" label="API secret" type="password" max={400} />
          </>
        )}
        <div class="choice">
          <button class="primary" name="decision" value="confirm" type="submit">
            Confirm
          </button>
          <button name="decision" value="refuse" type="submit" formnovalidate>
            Refuse
          </button>
        </div>
      </form>
      <p class="quiet">{CONSEQUENCES[item.kind]}</p>
    </>
  );
}

const Credential = ({
  name,
  label,
  type,
  max,
}: {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly max: number;
}) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input
      id={name}
      name={name}
      type={type}
      maxlength={max}
      autocomplete="off"
      autocapitalize="none"
      spellcheck={false}
      required
    />
  </div>
);

/** What the buttons do. */
const CONSEQUENCES = {
  order: `Once confirmed, the agent can send this order once, with real money, until the time above. It is not sent if the price moves by more than ${MAX_PRICE_MOVE_PCT} % from the one above, or if a limit refuses it.`,
  limits: "Once confirmed, the new limits apply at once to all orders of this account.",
  credentials:
    "The server checks key and secret at the broker and stores them encrypted. The agent never sees them; it can trade with the account as far as its key, the limits and your confirmations allow.",
} as const;

function Facts({ item, requester }: NamedConfirmation) {
  const origin = (
    <>
      <Row name="Requested by" value={requesterText(item, requester)} />
      <Row name="Until" value={timeText(item.expiresAt)} />
    </>
  );
  switch (item.kind) {
    case "order":
      return (
        <dl>
          <OrderFacts ticket={item.ticket} mask={item.accountMask} />
          {origin}
        </dl>
      );
    case "limits": {
      const { proposal } = item.request;
      const reason = proposal.kind === "limits" ? proposal.reason : null;
      return (
        <>
          <dl>
            {item.limits.map((each) => (
              <Row name={each.limit} value={changeText(each)} note={each.hint} />
            ))}
            {origin}
          </dl>
          {reason !== null && (
            <p class="quiet">
              Its reason, in its own words: <q>{plainText(reason, MAX_REASON_LENGTH)}</q>
            </p>
          )}
        </>
      );
    }
    case "credentials": {
      const { proposal } = item.request;
      return (
        <dl>
          {proposal.kind === "credentials" && (
            <>
              <Row name="Broker" value={proposal.broker} />
              <Row name="Account" value={proposal.account_type === "live" ? "live, real money" : "paper"} />
            </>
          )}
          {origin}
        </dl>
      );
    }
  }
}

const changeText = ({ now, proposed }: Pick<LimitChange, "now" | "proposed">): string =>
  `${now ?? "none"} → ${proposed ?? "none"}`;

function headingOf(item: ConfirmationDetails): string {
  if (item.kind === "order") {
    const { side, quantity, symbol } = item.ticket.intent;
    return `${side === "buy" ? "Buy" : "Sell"} ${quantity} ${symbol}?`;
  }
  const { proposal } = item.request;
  return proposal.kind === "limits"
    ? "Change the trading limits?"
    : `Connect an account at ${proposal.broker}?`;
}

/** Describes who asked. Names are text of others, so they are quoted. */
function requesterText({ requestedBy }: ConfirmationDetails, name: string | null): string {
  if (requestedBy === null) return "previewed by an agent, which has not tried to send it yet";
  if (requestedBy === "") return "the command line or the dashboard";
  const kind = appOf(requestedBy) !== null ? "an app that calls itself" : "the key";
  return name === null ? "a key or app that was removed" : `${kind} “${plainText(name, MAX_NAME)}”`;
}
