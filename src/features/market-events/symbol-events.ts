import type { EventRisk } from "../../domain/earnings/calendar.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { CallOptions, Ports } from "../../domain/ports.ts";
import type { SymbolEvent } from "../../domain/signal/symbol-page.ts";
import { dayAfter } from "../../lib/day-after.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { defaultEventDays, readEvents } from "./read-events.ts";

const KINDS = { dividends: "dividend", splits: "split" } as const;
const PAST_NOTE = "Which dividends and splits were announced by a past time is not stored";

interface SymbolEventsRequest extends CallOptions {
  /** Time of the request, epoch ms. */
  readonly at: number;
  readonly past: boolean;
  /** Earnings date and next holiday; null if they are unknown. */
  readonly risk: EventRisk | null;
}

/**
 * Returns the next events of an instrument, by date: its earnings report, the next holiday of its exchange, ex-dividend dates of
 * the next 92 days and splits of the next 14, and notes on what is missing.
 */
export async function symbolEvents(
  instrument: Instrument,
  { at, past, risk, signal }: SymbolEventsRequest,
  ports: Pick<Ports, "marketEvents">,
): Promise<{ readonly events: readonly SymbolEvent[]; readonly notes: readonly string[] }> {
  const { earnings = null, holiday = null, earnings_reason = null } = risk ?? {};
  const known: SymbolEvent[] = [
    ...(earnings === null
      ? []
      : [{ ...NO_EVENT, kind: "earnings" as const, detail: "Earnings report", ...pick(earnings) }]),
    ...(holiday === null
      ? []
      : [
          {
            ...NO_EVENT,
            kind: "holiday" as const,
            date: holiday.date,
            detail: `${holiday.name}: ${holiday.kind === "half" ? "early close" : "closed"}`,
          },
        ]),
  ];
  const notes = earnings_reason === null ? [] : [earnings_reason];
  if (instrument.asset_class === "crypto") return { events: known, notes };
  if (past) return { events: byDate(known), notes: [...notes, PAST_NOTE] };
  const today = newYorkDate(at);
  const found = await Promise.all(
    (["dividends", "splits"] as const).map(async (kind) => {
      const to = dayAfter(today, defaultEventDays(kind, true));
      const read = await readEvents({ kind, from: today, to, instruments: [instrument], signal }, ports);
      return {
        notes: read.notes,
        events: read.events.map(({ date, amount, detail }) => ({
          ...NO_EVENT,
          kind: KINDS[kind],
          date,
          amount,
          detail,
        })),
      };
    }),
  );
  return {
    events: byDate([...known, ...found.flatMap(({ events }) => events)]),
    notes: [...new Set([...notes, ...found.flatMap((one) => one.notes)])],
  };
}

const NO_EVENT = { hour: null, confirmed: null, amount: null } as const;
const pick = ({ date, hour, confirmed }: NonNullable<EventRisk["earnings"]>) => ({ date, hour, confirmed });
const byDate = (events: readonly SymbolEvent[]): readonly SymbolEvent[] =>
  events.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
