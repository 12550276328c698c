import { casesOf, formatPlanOdds } from "../../domain/odds/odds.text.ts";
import type { DemoCard } from "../../domain/signal/card.ts";
import { formatRewardToRisk } from "../../domain/signal/reward-to-risk.text.ts";
import { hintWithCommand, type ToolError } from "../../kernel/errors.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { sideOfLevels, watchingText } from "../../lib/levels-side.ts";

/** Result of loading the card: the card, an error, or null if no tool provides a card. */
export type CardResult = DemoCard | ToolError | null;

/** Renders the card of one symbol, or the error; shows missing figures as a dash. */
export function Card({ shown, label }: { readonly shown: CardResult; readonly label: string | null }) {
  return (
    <section class="panel" id="card" aria-labelledby="card-title">
      {label !== null && <p class="label">{label}</p>}
      {shown === null ? (
        <>
          <h2 id="card-title">No card</h2>
          <p>No tool of this server provides a card.</p>
        </>
      ) : "code" in shown ? (
        <Failure error={shown} />
      ) : (
        <Figures shown={shown} />
      )}
    </section>
  );
}

function Failure({ error }: { readonly error: ToolError }) {
  const hint = hintWithCommand(error);
  return (
    <>
      <h2 id="card-title">No card right now</h2>
      <p>
        <strong>{error.code}</strong>: {error.message}
      </p>
      {hint !== undefined && <p class="quiet">{hint}</p>}
    </>
  );
}

function Figures({ shown: { symbol, data, refreshed_at } }: { readonly shown: DemoCard }) {
  return (
    <>
      <h2 id="card-title">
        {symbol} <span class={`direction ${data.direction.toLowerCase()}`}>{data.direction}</span>
      </h2>
      {data.reason !== null && <p class="quiet">{data.reason}</p>}
      <p class="price">{data.price === null ? "–" : formatPrice(data.price)}</p>
      <p class="quiet">
        {data.price === null ? (
          data.price_reason
        ) : (
          <>
            {data.price_source} of{" "}
            {data.price_as_of === null ? "an unknown time" : <UtcTime time={data.price_as_of} />}
          </>
        )}
      </p>
      <dl>
        <Row name="Grade" value={data.grade ?? "–"} />
        <Row name="Score" value={data.score === null ? "–" : `${data.score.toFixed(0)} of 100`} />
        <Row
          name={data.confidence_basis === "odds" ? "Confidence" : "Agreement of drivers"}
          value={
            data.confidence_basis === "odds"
              ? `${casesOf(data.confidence)} of 100`
              : data.confidence.toFixed(2)
          }
        />
        <Row name="Entry" value={formatPrice(data.entry)} />
        <Row name="Stop" value={formatPrice(data.stop)} />
        <Row name="Target" value={formatPrice(data.target)} />
        <Row name="Reward to risk" value={formatRewardToRisk(data.rr)} />
      </dl>
      <p>{data.odds === null ? `No odds: ${data.odds_reason}.` : `Odds: ${formatPlanOdds(data.odds)}.`}</p>
      {data.levels_basis === "watch" && (
        <p class="quiet">Levels {watchingText(sideOfLevels(data.stop, data.target))}.</p>
      )}
      <p class="quiet">
        {data.asset_class} at {data.venue}, provider {data.source}; decision bar closed{" "}
        <UtcTime time={data.as_of} />; refreshed <UtcTime time={refreshed_at} />
      </p>
    </>
  );
}

const Row = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

/** Renders a time to the second, in UTC. */
export const UtcTime = ({ time }: { readonly time: string }) => (
  <time datetime={time}>{formatUtcTime(time)}</time>
);

const formatUtcTime = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;
