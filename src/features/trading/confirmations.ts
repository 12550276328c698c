import type { Ports } from "../../domain/ports.ts";
import { formatBracket, formatIntent } from "../../domain/requests/intent.text.ts";
import {
  CONFIRM_PATH,
  type ConfirmationProposal,
  type ConfirmationState,
  type PendingConfirmation,
} from "../../domain/trading/confirmation.ts";
import type {
  ConfirmationDetails,
  ConfirmationRequest,
  ConfirmationRequests,
  Confirmations,
} from "../../domain/trading/confirmations-port.ts";
import { describeLimitChange } from "../../domain/trading/limits.text.ts";
import { newestFirst, waitsSince } from "../../domain/trading/newest-first.ts";
import type { RiskLimits } from "../../domain/trading/risk.ts";
import type { Credentials, TicketRecord } from "../../domain/trading/trading-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { connect } from "./connect.ts";
import { assertLimitsDiffer } from "./limits-differ.ts";
import { recordAudit } from "./record-audit.ts";
import { isSameRequest } from "./same-request.ts";
import { isExpired, REQUESTED_TICKET_TTL_MS } from "./ticket-expiry.ts";
import { createTradeOwner, isLive } from "./trading-service.ts";

/** Time for which a request other than an order waits for a person. */
const REQUEST_TTL_MS = 24 * 3_600_000;

/** Message to the people of an account that something waits for them. */
export interface ConfirmationNotice {
  /** Symbol of an order; null for another request. */
  readonly symbol: string | null;
  readonly text: string;
}

type ConfirmationPorts = Pick<
  Ports,
  "tradeRepository" | "tradeRules" | "connections" | "brokers" | "audit" | "clock" | "ids" | "log" | "market"
>;

export interface ConfirmationDeps {
  readonly ports: ConfirmationPorts;
  readonly requests: ConfirmationRequests;
  /** Returns the base URL of the server's pages, without a final slash. */
  readonly baseUrl: () => string;
  /** Sends a message to the people of an account. Never rejects. */
  readonly notify: (account: string, notice: ConfirmationNotice) => Promise<void>;
}

/** Creates the requests of agents that a person of the account decides on. */
export function createConfirmations({ ports, requests, baseUrl, notify }: ConfirmationDeps): Confirmations {
  const { tradeRepository, tradeRules, connections, audit, clock, ids } = ports;
  const owner = createTradeOwner(ports);
  const now = () => clock.now().toISOString();
  const page = () => `${baseUrl()}${CONFIRM_PATH}`;
  const urlOf = (id: string) => `${page()}/${id}`;

  const ticketState = (ticket: TicketRecord): ConfirmationState =>
    ticket.order !== null
      ? "confirmed"
      : ticket.refusedAt !== undefined
        ? "refused"
        : ticket.confirmedAt !== null
          ? "confirmed"
          : isExpired(ticket, clock.now())
            ? "expired"
            : "waiting";
  const requestState = ({ decision, expiresAt }: ConfirmationRequest): ConfirmationState =>
    decision ?? (expiresAt > now() ? "waiting" : "expired");

  async function orderOf(account: string, ticket: TicketRecord): Promise<ConfirmationDetails> {
    const all = await connections.list(account);
    const found = all.find(({ connection_id }) => connection_id === ticket.connection);
    return {
      kind: "order",
      id: ticket.id,
      at: waitsSince(ticket),
      state: ticketState(ticket),
      requestedBy: ticket.requested?.by ?? null,
      expiresAt: ticket.expiresAt,
      ticket,
      accountMask: found?.account_mask ?? null,
    };
  }
  async function detailsOf(account: string, request: ConfirmationRequest): Promise<ConfirmationDetails> {
    const { id, proposal, requestedAt: at, requestedBy, expiresAt } = request;
    const base = { id, at, state: requestState(request), requestedBy, expiresAt, request };
    if (proposal.kind === "credentials") return { kind: "credentials", ...base };
    const { limits } = await tradeRules.limits(account);
    return {
      kind: "limits",
      ...base,
      limits: describeLimitChange({ ...limits, ...proposal.from }, proposal.change),
    };
  }

  async function find(account: string, id: string): Promise<ConfirmationDetails | null> {
    const ticket = id.startsWith("tk_") ? await tradeRepository.ticket(account, id) : null;
    if (ticket !== null) return isLive(ticket) ? orderOf(account, ticket) : null;
    const request = await requests.find(account, id);
    return request === null ? null : detailsOf(account, request);
  }
  async function require(account: string, id: string): Promise<ConfirmationDetails> {
    const found = await find(account, id);
    if (found === null)
      throw new ToolError("NOT_FOUND", "Nothing with this id waits for this account", {
        hint: `${CONFIRM_PATH} lists the open requests.`,
      });
    if (found.kind !== "order" && found.state !== "waiting") throw decidedError(found);
    return found;
  }

  /** Takes a request that waits. Rejects with CONFLICT if another decision was faster. */
  async function decide(account: string, id: string, decision: "confirmed" | "refused", by: string) {
    const decided = { decision, decidedBy: by, decidedAt: now() };
    if (!(await requests.decide(account, id, decided)))
      throw new ToolError("CONFLICT", "This was decided or has expired meanwhile", {
        hint: `${CONFIRM_PATH} lists the open requests.`,
      });
  }

  /** Confirms a request once, and does what it asks for. If that fails, the request waits again. */
  async function confirmRequest<T>(account: string, id: string, by: string, work: () => Promise<T>) {
    await decide(account, id, "confirmed", by);
    try {
      return await work();
    } catch (cause) {
      await requests.reopen(account, id);
      throw cause;
    }
  }

  /** Returns the limits that are no longer as they were when a change was requested. */
  async function changedSince(account: string, from: Partial<RiskLimits>) {
    const { limits } = await tradeRules.limits(account);
    const names = Object.keys(from) as (keyof RiskLimits)[];
    const current = Object.fromEntries(names.map((name) => [name, limits[name]]));
    return describeLimitChange({ ...limits, ...from }, current).filter(
      ({ now, proposed }) => now !== proposed,
    );
  }

  async function confirmLimits(account: string, { id, proposal }: ConfirmationRequest, by: string) {
    if (proposal.kind !== "limits") return;
    const { change, from } = proposal;
    const changed = await changedSince(account, from);
    if (changed.length > 0)
      throw new ToolError(
        "CONFLICT",
        `The limits have changed since this was requested: ${changed.map(({ limit, now, proposed }) => `${limit} was ${now ?? "off"} and is ${proposed ?? "off"}`).join(", ")}`,
        { hint: "Refuse this; the agent can request a change of the limits as they are now." },
      );
    await confirmRequest(account, id, by, async () => {
      await audit.write(account, "limits", { by, change, from, request: id });
      await tradeRules.setLimits(account, change, now());
    });
  }

  async function confirmCredentials(
    account: string,
    { id, proposal }: ConfirmationRequest,
    by: string,
    credentials: Credentials | undefined,
  ) {
    if (proposal.kind !== "credentials") return;
    if (credentials === undefined)
      throw new ToolError("INVALID_INPUT", "This needs the API key and secret of the broker account", {
        hint: `Type them on the page ${urlOf(id)}.`,
      });
    const { broker, account_type: type } = proposal;
    // the person's role was checked before: only people who may trade live decide
    const principal = { account, plan: "pro", scopes: ["write", "trade:paper", "trade:live"] } as const;
    const { connection } = await confirmRequest(account, id, by, async () => {
      await audit.write(account, "connection_confirmed", { by, broker, account_type: type, request: id });
      return connect({ broker, type, credentials }, principal, ports);
    });
    await requests.saveConnection(account, id, connection.connection_id);
  }

  return {
    urlOf,

    async requestOrder(account, ticket, by): Promise<PendingConfirmation> {
      const at = now();
      const expiresAt = new Date(Date.parse(at) + REQUESTED_TICKET_TTL_MS).toISOString();
      const waiting = { by, at, expiresAt, page: page() };
      const isFirst = await tradeRepository.requestConfirmation(account, ticket.id, waiting);
      const { expiresAt: expires_at } = (await tradeRepository.ticket(account, ticket.id)) ?? ticket;
      const pending = { id: ticket.id, url: urlOf(ticket.id), expires_at };
      if (isFirst) {
        await notify(account, {
          symbol: ticket.intent.symbol,
          text: `A live order waits for your confirmation: ${formatIntent(ticket.intent)}, ${formatBracket(ticket.intent)}. Decide by ${expires_at} at ${pending.url}`,
        });
      }
      return pending;
    },

    async request(account, proposal, by) {
      const all = await requests.list(account);
      const same = all.find((other) => isSameRequest(other, { proposal, by, at: now() }));
      if (same !== undefined && !(await isOutdated(account, same))) return same;
      if (proposal.kind === "limits") assertLimitsDiffer((await tradeRules.limits(account)).limits, proposal);
      const outdated: string[] = [];
      for (const other of all)
        if (other.decision === null && (await isOutdated(account, other))) outdated.push(other.id);
      const requestedAt = now();
      const request: ConfirmationRequest = {
        id: `cf_${idDigits(ids.uuid())}`,
        proposal,
        requestedBy: by,
        requestedAt,
        expiresAt: new Date(Date.parse(requestedAt) + REQUEST_TTL_MS).toISOString(),
        decision: null,
        decidedBy: null,
        decidedAt: null,
        connection: null,
      };
      await requests.add(account, request, { outdated, page: page() });
      await audit.write(account, "confirmation_requested", { by, request: request.id, ...proposal });
      await notify(account, {
        symbol: null,
        text: `${formatProposal(proposal)} waits for your confirmation. Decide by ${request.expiresAt} at ${urlOf(request.id)}`,
      });
      return request;
    },

    async state(account, id) {
      const ticket = id.startsWith("tk_") ? await tradeRepository.ticket(account, id) : null;
      if (ticket !== null) return ticketState(ticket);
      const request = await requests.find(account, id);
      return request === null ? null : requestState(request);
    },

    async waiting(account) {
      const tickets = (await tradeRepository.tickets(account, now())).filter(
        (ticket) => isLive(ticket) && ticketState(ticket) === "waiting",
      );
      const open = (await requests.list(account)).filter((request) => requestState(request) === "waiting");
      const all = await Promise.all([
        ...tickets.map((ticket) => orderOf(account, ticket)),
        ...open.map((request) => detailsOf(account, request)),
      ]);
      return all.toSorted(newestFirst);
    },

    find,

    async confirm(account, id, by, credentials) {
      const found = await require(account, id);
      if (found.kind === "order") await owner.confirm({ account, ticket: found.ticket }, by);
      else if (found.kind === "limits") await confirmLimits(account, found.request, by);
      else await confirmCredentials(account, found.request, by, credentials);
    },

    async refuse(account, id, by) {
      const found = await require(account, id);
      if (found.kind === "order") return void (await owner.refuse({ account, ticket: found.ticket }, by));
      await decide(account, id, "refused", by);
      await recordAudit(ports, account, "confirmation_refused", { by, request: id });
    },
  };

  /**
   * Returns true for a confirmed request whose result was undone since (the limits differ, or the connection is gone), and
   * for one that waits although the limits have changed.
   */
  async function isOutdated(account: string, { decision, proposal, connection }: ConfirmationRequest) {
    if (decision === null)
      return proposal.kind === "limits" && (await changedSince(account, proposal.from)).length > 0;
    if (decision === "refused") return false;
    if (proposal.kind === "credentials")
      return !(await connections.list(account)).some(({ connection_id }) => connection_id === connection);
    const { limits } = await tradeRules.limits(account);
    return describeLimitChange(limits, proposal.change).some((each) => each.now !== each.proposed);
  }
}

const formatProposal = (proposal: ConfirmationProposal): string =>
  proposal.kind === "limits"
    ? `A change of the trading limits (${Object.keys(proposal.change).join(", ")})`
    : `The connection of a ${proposal.account_type} account at ${proposal.broker}`;

const decidedError = ({ state, expiresAt }: ConfirmationDetails): ToolError =>
  state === "expired"
    ? new ToolError("REFUSED", `This request expired at ${expiresAt}`, { hint: "The agent can ask again." })
    : new ToolError("CONFLICT", `This request was ${state} before`, {
        hint: `${CONFIRM_PATH} lists the open requests.`,
      });
