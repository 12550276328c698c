import { Button, Slider, Switch, TextInput } from "@mantine/core";
import { dayText, price, signedPercent } from "../../views/format.ts";
import { Direction, Grade } from "../../views/parts.tsx";
import { dayBefore, daysBefore, PAST_DAYS, type PastSignal, sinceSentences } from "./past.ts";

interface TimeTravelProps {
  /** Newest day, such as 2026-11-29. */
  readonly newest: string;
  /** Day shown; null: now. */
  readonly asOf: string | null;
  /** The marks of past signals; null: not for this timeframe. */
  readonly ribbon: RibbonState | null;
  readonly hasLater: boolean;
  onAsOf(day: string | null): void;
  onLater(shown: boolean): void;
  onRibbon(open: boolean): void;
}

interface RibbonState {
  readonly isOpen: boolean;
  /** Signals of past bars, newest first; empty while they load. */
  readonly rows: readonly PastSignal[];
  readonly error: Error | null;
}

/** The slider that shows what the signal said on a past day. */
export function TimeTravel({ newest, asOf, ribbon, hasLater, onAsOf, onLater, onRibbon }: TimeTravelProps) {
  const oldest = dayBefore(newest, PAST_DAYS);
  const go = (days: number) => onAsOf(days >= PAST_DAYS ? null : dayBefore(newest, PAST_DAYS - days));
  const type = (day: string) => {
    if (/^\d{4}-\d\d-\d\d$/.test(day)) onAsOf(day >= newest ? null : day);
  };
  return (
    <section className="travel" aria-label="What did it say then?">
      <div className="travel-head">
        <b>What did it say then?</b>
        <TextInput
          type="date"
          size="xs"
          aria-label="Day"
          max={newest}
          value={asOf ?? newest}
          onChange={({ currentTarget }) => type(currentTarget.value)}
        />
        <Switch
          size="xs"
          label="Show what followed"
          checked={hasLater}
          disabled={asOf === null}
          onChange={({ currentTarget }) => onLater(currentTarget.checked)}
        />
        {ribbon !== null && (
          <Switch
            size="xs"
            label="Mark the signals of the year"
            checked={ribbon.isOpen}
            onChange={({ currentTarget }) => onRibbon(currentTarget.checked)}
          />
        )}
        <Button size="xs" variant="default" disabled={asOf === null} onClick={() => onAsOf(null)}>
          Back to now
        </Button>
      </div>
      {ribbon?.isOpen && <Ribbon rows={ribbon.rows} newest={newest} />}
      <Slider
        size="sm"
        min={0}
        max={PAST_DAYS}
        value={PAST_DAYS - (asOf === null ? 0 : Math.min(PAST_DAYS, daysBefore(newest, asOf)))}
        onChange={go}
        label={(days) => (days >= PAST_DAYS ? "now" : dayText(dayBefore(newest, PAST_DAYS - days)))}
        thumbLabel="Day of the past year"
        thumbProps={{ "aria-valuetext": asOf === null ? "now" : dayText(asOf) }}
      />
      <div className="travel-ends muted num">
        <span>{dayText(oldest)}</span>
        <span role="status">{ribbon?.isOpen && ribbonText(ribbon)}</span>
        <span>now</span>
      </div>
    </section>
  );
}

function ribbonText({ rows, error }: RibbonState): string {
  if (rows.length > 0) return "upper half: ▲ LONG · lower half: ▼ SHORT · blank: WAIT";
  return error === null ? "computing the signals of the year…" : error.message;
}

/** Marks above the slider the days on which the signal said LONG or SHORT. */
function Ribbon({ rows, newest }: { readonly rows: readonly PastSignal[]; readonly newest: string }) {
  const marks = rows.flatMap(({ datetime, direction }) => {
    const days = daysBefore(newest, datetime.slice(0, 10));
    return direction === "WAIT" || days > PAST_DAYS ? [] : [{ datetime, direction, days }];
  });
  return (
    <svg className="ribbon" viewBox={`0 0 ${PAST_DAYS} 10`} preserveAspectRatio="none" aria-hidden="true">
      {marks.map(({ datetime, direction, days }) => (
        <rect
          key={datetime}
          className={direction === "LONG" ? "ribbon-up" : "ribbon-down"}
          x={PAST_DAYS - days - 1}
          y={direction === "LONG" ? 0 : 5}
          width={1.2}
          height={5}
        />
      ))}
    </svg>
  );
}

interface ThenProps {
  readonly asOf: string;
  /** What the signal said; undefined while it loads, null if that is not known. */
  readonly row: PastSignal | null | undefined;
  /** Close of the last bar then, and of the newest one. */
  readonly then: number | undefined;
  readonly now: number | undefined;
  /** Day of the close by which the signal was right or wrong; null: not known. */
  readonly judgedOn: string | null;
}

/** Says which past day the page shows, what the signal was, and what happened since. */
export function Then({ asOf, row, then, now, judgedOn }: ThenProps) {
  return (
    <section className="then" aria-label="The past day" aria-live="polite">
      <p className="then-head">
        <b>As of {dayText(asOf)}</b>
        {row && (
          <>
            <Direction value={row.direction} />
            <Grade value={row.grade} direction={row.direction} />
          </>
        )}
        {then !== undefined && now !== undefined && (
          <span className="num">
            {price(then)} then, {price(now)} now: <b>{signedPercent((now / then - 1) * 100)}</b>
          </span>
        )}
      </p>
      <p>
        {row
          ? sinceSentences(row, judgedOn).join(" ")
          : row === undefined
            ? "What happened since is loading…"
            : "What happened since is not known for this day."}
      </p>
    </section>
  );
}
