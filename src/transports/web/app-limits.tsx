import { describeAppLimits } from "../../domain/accounts/connected-apps.text.ts";
import {
  type AppLimits,
  type ConnectedAppUse,
  DEFAULT_APP_LIMITS,
  SUGGESTED_LIVE_USD,
} from "../../domain/accounts/connected-apps.ts";
import { plainText } from "../../lib/plain-text.ts";
import { ActionButton, Time } from "./sign-in-actions.tsx";
import { SIGN_IN_API } from "./sign-in-change.ts";

const MAX_TEXT = 100;
const LIVE_SCOPE = "trade:live";

interface AppLimitFieldsProps {
  /** Text that makes the ids of the fields unique on the page. */
  readonly id: string;
  readonly limits: AppLimits;
  readonly hasLive: boolean;
}

/** The fields of the limits of an app. An empty field is no limit. */
const AppLimitFields = ({ id, limits, hasLive }: AppLimitFieldsProps) => (
  <>
    <div class="field">
      <label for={`${id}-calls`}>Calls a day</label>
      <input
        id={`${id}-calls`}
        name="calls_daily"
        type="number"
        inputmode="numeric"
        min="1"
        max="1000000"
        step="1"
        value={limits.calls_daily ?? ""}
        aria-describedby={`${id}-calls-hint`}
      />
      <p class="hint" id={`${id}-calls-hint`}>
        Empty: only the limits of your account.
      </p>
    </div>
    {hasLive && (
      <div class="field">
        <label for={`${id}-usd`}>Orders with money, US dollars a day</label>
        <input
          id={`${id}-usd`}
          name="live_usd_daily"
          type="number"
          inputmode="decimal"
          min="0"
          step="0.01"
          value={limits.live_usd_daily ?? ""}
          aria-describedby={`${id}-usd-hint`}
        />
        <p class="hint" id={`${id}-usd-hint`}>
          0: none. Empty: only the limits of your account. Each order counts with its full price for 24 hours,
          also one that closes a position. Paper orders do not count.
        </p>
      </div>
    )}
  </>
);

/** The limits that a person sets for an app that asks for access. */
export function ConsentLimits({
  scopes,
  allowed,
  limits,
}: {
  readonly scopes: readonly string[];
  readonly allowed: readonly string[] | null;
  readonly limits: AppLimits | null;
}) {
  const hasLive = scopes.includes(LIVE_SCOPE);
  const isNewlyLive = hasLive && allowed?.includes(LIVE_SCOPE) !== true;
  const shown = {
    ...(limits ?? DEFAULT_APP_LIMITS),
    ...(isNewlyLive && { live_usd_daily: SUGGESTED_LIVE_USD }),
  };
  return (
    <form id="consent-limits" method="post">
      <h2>Daily limits of this app</h2>
      <AppLimitFields id="consent" limits={shown} hasLive={hasLive} />
    </form>
  );
}

/** A connected app with its use, its limits and the button that disconnects it. */
export const AppRow = ({ app, index }: { readonly app: ConnectedAppUse; readonly index: number }) => (
  <li class="app">
    <div>
      <p>
        <b>{plainText(app.name ?? app.client_id, MAX_TEXT)}</b>
      </p>
      {app.uri !== null && <p class="quiet">{plainText(app.uri, MAX_TEXT)} (as it states)</p>}
      <p class="quiet">
        {app.scopes.filter((scope) => scope !== "offline_access").join(", ")}, since{" "}
        {app.connected_at.slice(0, 10)}
      </p>
      <p class="quiet">
        {app.last_used_at === null ? (
          "Not used yet"
        ) : (
          <>
            Last used <Time at={app.last_used_at} />. Calls today: {app.calls_today}, in 30 days:{" "}
            {app.calls_30_days}; refused ones are among them and do not count towards the limit
          </>
        )}
        {app.orders_30_days > 0 &&
          `, ${app.orders_30_days} orders in 30 days, ${app.live_usd_24_hours} USD of live orders in 24 hours`}
      </p>
      <details>
        <summary>Limits: {describeAppLimits(app.limits)}</summary>
        <form method="post" data-limits={app.client_id} data-done="The limits of the app are changed.">
          <AppLimitFields id={`app-${index}`} limits={app.limits} hasLive={app.scopes.includes(LIVE_SCOPE)} />
          <button type="submit">Change the limits</button>
        </form>
      </details>
    </div>
    <ActionButton
      path={`${SIGN_IN_API}/disconnect`}
      body={{ client_id: app.client_id }}
      label="Disconnect"
      done="The app is disconnected."
    />
  </li>
);
