import type { Child } from "hono/jsx";
import { SIGN_IN_PATH } from "../../access/sign-in/paths.ts";

interface Action {
  readonly path: string;
  readonly body: object;
  readonly label: string;
  /** What the button is about, for readers of its name alone. */
  readonly of?: string;
  /** Question of the button, which a second press answers. Default: none. */
  readonly confirm?: string;
  /** What the page says afterwards. */
  readonly done: string;
}

/** A button that sends a change. */
export const ActionButton = ({ path, body, label, of, confirm, done }: Action) => (
  <button
    type="button"
    data-send={path}
    data-body={JSON.stringify(body)}
    data-done={done}
    {...(confirm !== undefined && { "data-confirm": confirm })}
    {...(of !== undefined && { "aria-label": `${label}: ${of}` })}
  >
    {label}
  </button>
);

/** Where a page shows once what a change made: a link, or codes. */
export const Result = () => (
  <section class="card result" id="result" tabindex={-1} aria-labelledby="result-about" hidden>
    <p id="result-about"></p>
    <pre id="result-value"></pre>
    <div class="choice">
      <button id="result-copy" type="button">
        Copy
      </button>
      <button id="result-done" class="primary" type="button">
        Done
      </button>
    </div>
  </section>
);

/** Offers to sign in again to do something, and comes back to a page. */
export const SignInAgain = ({
  page,
  to = "change something here",
}: {
  readonly page: string;
  readonly to?: string;
}) => (
  <p class="notice">
    This session began more than an hour ago. <a href={`${SIGN_IN_PATH}?next=${page}`}>Sign in again</a> to{" "}
    {to}.
  </p>
);

/** Renders a name with its value, and what it means. */
export const Row = ({
  name,
  value,
  note,
}: {
  readonly name: string;
  readonly value: Child;
  readonly note?: string;
}) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
    {note !== undefined && <dd class="quiet">{note}</dd>}
  </div>
);

/** A time to the minute. */
export const Time = ({ at }: { readonly at: string }) => <time datetime={at}>{timeText(at)}</time>;

/** Returns a time to the minute, UTC. */
export const timeText = (iso: string): string => `${iso.slice(0, 16).replace("T", " ")} UTC`;
