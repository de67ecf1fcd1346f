// A sum of money by large buttons, or typed.

const STEPS = [1, 10, 100];

export function Stepper({ value, onChange, label, most }: { value: number; onChange: (value: number) => void; label: string; most?: number }) {
  const to = (wanted: number) => onChange(Math.max(0, most === undefined ? wanted : Math.min(most, wanted)));
  return (
    <div class="stepper" role="group" aria-label={label}>
      {[...STEPS].reverse().map((step) => (
        <button type="button" aria-label={`${step} less`} onClick={() => to(value - step)}>
          −{step}
        </button>
      ))}
      <input
        type="number"
        inputMode="numeric"
        min={0}
        max={most}
        aria-label={label}
        value={value}
        onInput={(event) => to(Math.floor(Number(event.currentTarget.value) || 0))}
      />
      {STEPS.map((step) => (
        <button type="button" aria-label={`${step} more`} onClick={() => to(value + step)}>
          +{step}
        </button>
      ))}
    </div>
  );
}
