interface ChoicesProps<Value extends string | number> {
  readonly label: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly value: Value;
  readonly onChange: (value: NoInfer<Value>) => void;
}

/** A row of buttons of which one is pressed. */
export const Choices = <Value extends string | number>({
  label,
  options,
  value,
  onChange,
}: ChoicesProps<Value>) => (
  <fieldset className="choices">
    <legend className="hidden">{label}</legend>
    {options.map(([option, text]) => (
      <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
        {text}
      </button>
    ))}
  </fieldset>
);
