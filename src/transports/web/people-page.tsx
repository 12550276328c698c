import { PLAN_RANK } from "../../domain/accounts/access.ts";
import { INVITED_ROLES, type Role } from "../../domain/accounts/people.ts";
import type { ListedPerson, UnusedLink } from "../../domain/accounts/sign-in-port.ts";
import { ACCOUNT_PATH, PEOPLE_PATH } from "../connect.ts";
import { ActionButton, Result, SignInAgain, Time } from "./sign-in-actions.tsx";
import { SIGN_IN_API } from "./sign-in-change.ts";
import { type Frame, framedPage, SCRIPT, Status } from "./sign-in-frame.tsx";

/** What each role may do, for the owner who chooses one. */
const ROLE_WORDS: Readonly<Record<Exclude<Role, "owner">, string>> = {
  member: "Member: all that the plan includes",
  viewer: "Viewer: only reads",
};

interface PeoplePage {
  readonly people: readonly ListedPerson[];
  readonly invitations: readonly UnusedLink[];
  readonly isRecent: boolean;
}

/** Renders the page on which the owner invites people and changes what they may do. */
export const peoplePage = (frame: Frame, { people, invitations, isRecent }: PeoplePage): string =>
  framedPage({
    frame,
    title: "people",
    script: SCRIPT,
    isWide: true,
    children: (
      <>
        <Status />
        <Result />
        <section class="card">
          <h1>People</h1>
          {!isRecent && <SignInAgain page={PEOPLE_PATH} />}
          <ul class="rows">
            {people.map((person) => (
              <PersonRow {...person} />
            ))}
          </ul>
          <p class="quiet">
            An invited person is listed after opening the link. The plan of an account is changed by{" "}
            <code>npx market-signal accounts plan</code>.
          </p>
        </section>
        {invitations.length > 0 && (
          <section class="card">
            <h2>Unused sign-in links</h2>
            <ul class="rows">
              {invitations.map((invitation) => (
                <InvitationRow {...invitation} />
              ))}
            </ul>
          </section>
        )}
        <InviteCard />
        <nav aria-label="Leave this page">
          <a href={ACCOUNT_PATH}>Sign-in and apps</a>
          <a href="/">Back to the dashboard</a>
        </nav>
      </>
    ),
  });

function PersonRow({ account, role, plan, last_sign_in_at: last, suspended_at: suspended }: ListedPerson) {
  const body = { account };
  const other = role === "viewer" ? "member" : "viewer";
  return (
    <li>
      <div>
        <p>
          <b>{account}</b> <span class="badge">{role}</span>{" "}
          {suspended !== null && <span class="badge failed">suspended</span>}
        </p>
        <p class="quiet">
          Plan {plan}.{" "}
          {last === null ? (
            "No sign-in is recorded."
          ) : (
            <>
              Last sign-in <Time at={last} />
            </>
          )}
        </p>
      </div>
      {role !== "owner" && (
        <div class="actions">
          <ActionButton
            path={`${SIGN_IN_API}/role`}
            body={{ account, role: other }}
            label={`Make ${other}`}
            of={account}
            done={`${account} is now a ${other}.`}
          />
          <ActionButton
            path={`${SIGN_IN_API}/reset`}
            body={body}
            label="Reset sign-in"
            of={account}
            confirm="Ends sessions and apps. Reset?"
            done={`The sign-in of ${account} is reset. Send them this link: it works once, within 30 minutes.`}
          />
          {suspended === null ? (
            <ActionButton
              path={`${SIGN_IN_API}/suspend`}
              body={body}
              label="Suspend"
              of={account}
              confirm="Suspend? Keys stop working too."
              done={`${account} is suspended: sessions, apps and keys are refused.`}
            />
          ) : (
            <ActionButton
              path={`${SIGN_IN_API}/resume`}
              body={body}
              label="Resume"
              of={account}
              done={`${account} may sign in again.`}
            />
          )}
        </div>
      )}
    </li>
  );
}

const InvitationRow = ({ account, role, expires_at }: UnusedLink) => (
  <li>
    <div>
      <p>
        <b>{account}</b> <span class="badge">{role}</span>
      </p>
      <p class="quiet">
        The link works once, until <Time at={expires_at} />.
      </p>
    </div>
    <ActionButton
      path={`${SIGN_IN_API}/end-invitation`}
      body={{ account }}
      label="End invitation"
      of={account}
      done={`The invitation of ${account} is ended: its link opens nothing.`}
    />
  </li>
);

const InviteCard = () => (
  <section class="card">
    <h2>Invite a person</h2>
    <form
      data-send={`${SIGN_IN_API}/invite`}
      data-done="The invitation is ready. Send the person this link: it works once, within 30 minutes."
      method="post"
    >
      <div class="fields">
        <div class="field">
          <label for="account">Name</label>
          <input
            id="account"
            name="account"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            pattern="[a-z0-9][a-z0-9._\-]{0,63}"
            title="a-z, 0-9, dot, _ and -, at most 64"
            aria-describedby="account-hint"
            required
          />
          <p class="hint" id="account-hint">
            Also the name of their account: a-z, 0-9, dot, _ and -.
          </p>
        </div>
        <div class="field">
          <label for="plan">Plan</label>
          <select id="plan" name="plan" aria-describedby="plan-hint">
            <option value="">default (pro; unchanged for an existing account)</option>
            {Object.keys(PLAN_RANK).map((plan) => (
              <option value={plan}>{plan}</option>
            ))}
          </select>
          <p class="hint" id="plan-hint">
            Which tools work, limits of calls and history of a new account.
          </p>
        </div>
      </div>
      <div class="field">
        <label for="role">Role</label>
        <select id="role" name="role">
          {INVITED_ROLES.map((role) => (
            <option value={role}>{ROLE_WORDS[role]}</option>
          ))}
        </select>
      </div>
      <button class="primary" type="submit">
        Make a link
      </button>
    </form>
  </section>
);
