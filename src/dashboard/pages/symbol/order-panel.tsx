import "./order.css";
import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, lazy, Suspense, useRef, useState } from "react";
import { Link } from "wouter";
import { call, MarketSignalError } from "../../api/client.ts";
import type { Input } from "../../api/tools.ts";
import { dayText } from "../../views/format.ts";
import type { Plan } from "../../views/signal/facts.ts";
import { CopyAs } from "../shared/copy-as.tsx";
import { Failure } from "../shared/failure.tsx";
import {
  AMOUNTS,
  type Amount,
  checkInput,
  EMPTY,
  type Mistakes,
  mistakesOf,
  type OrderDraft,
  PRICES,
  SIDES,
  SIZES,
  TYPES,
  withPlan,
} from "./order-form.ts";

interface OrderPanelProps {
  readonly symbol: string;
  /** Day of the past on which the order is checked; null: now. */
  readonly asOf: string | null;
  /** Plan to fill the form from; null: there is none. */
  readonly plan: Plan | null;
  /** false: the form is folded until it is wanted. */
  readonly isOpen: boolean;
  /** Called with each order that was checked. */
  onChecked(order: Input<"check_order">): void;
}

// loaded with the first answer
const CheckView = lazy(() => import("../../views/check/check.tsx").then(({ View }) => ({ default: View })));
const NO_MISTAKES: Mistakes = { fields: {}, isWhole: false };

/** A form that checks an order before it is placed anywhere, and the verdict. */
export default function OrderPanel({ symbol, asOf, plan, isOpen, onChecked }: OrderPanelProps) {
  const [draft, setDraft] = useState<OrderDraft>(EMPTY);
  const form = useRef<HTMLFormElement>(null);
  const input = checkInput(draft, { symbol, asOf });
  const check = useMutation({
    mutationFn: (order: Input<"check_order">) => call("check_order", order),
    onSuccess: (_, order) => onChecked(order),
    onError: (error) => {
      const { fields } = error instanceof MarketSignalError ? mistakesOf(error) : NO_MISTAKES;
      const first = AMOUNTS.find((name) => fields[name] !== undefined);
      form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    },
  });
  const mistakes = check.error instanceof MarketSignalError ? mistakesOf(check.error) : NO_MISTAKES;
  const put = (changes: Partial<OrderDraft>) => setDraft({ ...draft, ...changes });
  const field = (name: Amount, label: string, unit = "USD") => (
    <TextInput
      size="xs"
      name={name}
      label={label}
      rightSectionWidth={44}
      rightSection={<span className="muted order-unit">{unit}</span>}
      inputMode="decimal"
      autoComplete="off"
      value={draft[name]}
      error={mistakes.fields[name]}
      onChange={({ currentTarget }) => put({ [name]: currentTarget.value })}
    />
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check.mutate(input);
  };
  const isOther = JSON.stringify(check.variables) !== JSON.stringify(input);
  return (
    <details className="card order" open={isOpen}>
      <summary>
        <h2>{asOf === null ? "Check an order" : `Check an order as of ${dayText(asOf)}`}</h2>
      </summary>
      <form ref={form} onSubmit={submit} noValidate aria-label={`Check an order of ${symbol}`}>
        <div className="order-head">
          <Button
            size="compact-xs"
            variant="light"
            disabled={plan === null}
            onClick={() => plan !== null && setDraft(withPlan(draft, plan))}
          >
            Fill from the plan
          </Button>
          <span className="muted">
            {plan === null
              ? "there is no plan"
              : plan.basis === "watch"
                ? `WAIT: levels to watch for a ${plan.side}`
                : `levels of the ${plan.side}`}
          </span>
          <CopyAs tool="check_order" input={input} />
        </div>
        <Choice label="Side" names={SIDES} value={draft.side} onChange={(side) => put({ side })} />
        <Choice label="Type of order" names={TYPES} value={draft.type} onChange={(type) => put({ type })} />
        <div className="order-fields">
          <div className="order-size">
            {field(
              "size",
              draft.sizeIn === "quantity" ? "Quantity" : "Amount",
              SIZES[draft.sizeIn].toLowerCase(),
            )}
            <Choice
              label="Size in"
              names={SIZES}
              value={draft.sizeIn}
              onChange={(sizeIn) => put({ sizeIn })}
            />
          </div>
          {PRICES[draft.type].map((name) => (
            <div key={name}>
              {field(name, name === "limit_price" ? "Limit price" : "Stop price, trigger")}
            </div>
          ))}
          {field("stop_loss", "Planned stop loss")}
          {field("take_profit", "Planned target")}
        </div>
        <details className="order-account">
          <summary className="muted">The account, for the rules on its size</summary>
          <div className="order-fields">
            {field("equity", "Equity")}
            {field("buying_power", "Buying power")}
          </div>
        </details>
        <Button type="submit" size="xs" fullWidth loading={check.isPending}>
          Check the order
        </Button>
      </form>
      <p className="muted order-note">
        Nothing is placed here. A paper order is sent by a key that may trade on paper, made under{" "}
        <Link href="/installation">Installation</Link>: it confirms the ticket of <code>preview_trade</code>{" "}
        in <code>execute_trade</code>. A live order also waits until the owner runs{" "}
        <code>market-signal trades confirm</code> with the ticket on the machine of this server.
      </p>
      <div aria-live="polite">
        {check.error !== null && !mistakes.isWhole && <Failure error={check.error} />}
        {check.data !== undefined && (
          <div className="order-answer">
            {isOther && <p className="warn">The form has changed since this check.</p>}
            <Suspense>
              <CheckView output={check.data} call={call} />
            </Suspense>
          </div>
        )}
      </div>
    </details>
  );
}

interface ChoiceProps<Name extends string> {
  readonly label: string;
  readonly names: Readonly<Record<Name, string>>;
  readonly value: Name;
  onChange(name: Name): void;
}

const Choice = <Name extends string>({ label, names, value, onChange }: ChoiceProps<Name>) => (
  <SegmentedControl
    size="xs"
    fullWidth
    aria-label={label}
    data={Object.entries<string>(names).map(([name, text]) => ({ value: name, label: text }))}
    value={value}
    onChange={(name) => onChange(name as Name)}
  />
);
