// Which game: variant, edition, and the options as the rules list them.

import { sentence, words } from "../format";
import type { StepProps } from "./Setup";
import type { Option, Seat } from "./types";

const AUTOMATION: [string, string, string][] = [
  ["warn", "It warns", "Speaks up when something goes against the rules; the money is yours."],
  ["show", "It says what is owed", "You hand over the money."],
  ["bank", "It keeps the Bank", "There is no paper money on the table."],
];

const REACTION_S: [number | null, string][] = [
  [null, "Until they answer"],
  [15, "15 seconds"],
  [30, "30 seconds"],
  [60, "A minute"],
];

export function GameStep({ choices, change, catalog, onRead }: StepProps & { onRead: () => void }) {
  const variant = catalog.variants.find((one) => one.name === choices.variant);
  const edition = choices.edition ?? variant?.default_edition;
  return (
    <section class="step game-step">
      <h2>Which game?</h2>
      <div class="tiles">
        {catalog.variants.map((one) => (
          <button
            type="button"
            class={one.name === choices.variant ? "tile picked" : "tile"}
            aria-pressed={one.name === choices.variant}
            data-variant={one.name}
            onClick={() => change({ variant: one.name, edition: null, options: {} })}
          >
            {one.title}
          </button>
        ))}
      </div>
      <button type="button" class="large" onClick={onRead}>
        Read the rules of {variant?.title ?? "this game"}
      </button>
      <h3>Edition of the board</h3>
      <div class="tiles">
        {Object.entries(catalog.editions).map(([name, one]) => (
          <button
            type="button"
            class={name === edition ? "tile picked" : "tile"}
            aria-pressed={name === edition}
            onClick={() => change({ edition: name })}
          >
            {one.title}
          </button>
        ))}
      </div>
      {variant?.name !== "watch" && (
        <>
          <h3>How much does Boardside do?</h3>
          <div class="tiles">
            {AUTOMATION.map(([name, title, help]) => (
              <button
                type="button"
                class={name === choices.automation ? "tile picked" : "tile"}
                aria-pressed={name === choices.automation}
                onClick={() => change({ automation: name })}
              >
                {title}
                <small>{help}</small>
              </button>
            ))}
          </div>
        </>
      )}
      {variant?.name === "dungeonopoly" && (
        <>
          <h3>How long are players asked for a reaction?</h3>
          <div class="tiles">
            {REACTION_S.map(([seconds, title]) => (
              <button
                type="button"
                class={seconds === choices.reaction_s ? "tile picked" : "tile"}
                aria-pressed={seconds === choices.reaction_s}
                onClick={() => change({ reaction_s: seconds })}
              >
                {title}
              </button>
            ))}
          </div>
        </>
      )}
      {(variant?.choices ?? []).filter((one) => isAsked(one, choices.options)).map((option) => (
        <div key={option.name}>
          <h3>{sentence(words(option.name))}</h3>
          <div class="options">
            {choices.seats.map((seat, at) => (
              <OptionRow
                key={at}
                option={{ ...option, name: seat.name || `Player ${at + 1}`, help: undefined }}
                value={valueFor(seat, at, option)}
                onChange={(value) =>
                  change({ seats: choices.seats.map((one, place) => (place === at ? { ...one, extra: { ...one.extra, [option.name]: value } } : one)) })
                }
              />
            ))}
          </div>
        </div>
      ))}
      {(variant?.options?.length ?? 0) > 0 && (
        <>
          <h3>House rules</h3>
          <div class="options">
            {variant?.options?.map((option) => (
              <OptionRow
                key={option.name}
                option={option}
                value={option.name in choices.options ? choices.options[option.name] : option.default}
                onChange={(value) => change({ options: { ...choices.options, [option.name]: value } })}
              />
            ))}
          </div>
        </>
      )}
    </section>
  );
}

const isAsked = (option: Option, options: Record<string, unknown>) => !option.needs || options[option.needs] === true;

/** What a player has chosen, or else one that differs from the neighbour's. */
function valueFor(seat: Seat, at: number, option: Option): unknown {
  const values = option.values ?? [];
  return seat.extra[option.name] ?? values[(at + values.indexOf(option.default)) % values.length] ?? option.default;
}

/** All that the variant asks of one player. */
export function chosenBy(seat: Seat, at: number, asked: Option[], options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(asked.filter((one) => isAsked(one, options)).map((one) => [one.name, valueFor(seat, at, one)]));
}

function OptionRow({ option, value, onChange }: { option: Option; value: unknown; onChange: (value: unknown) => void }) {
  const values = option.values?.length ? option.values : typeof option.default === "boolean" ? [true, false] : null;
  const picked = Array.isArray(value) ? value : [];
  const isPicked = (one: unknown) => (option.many ? picked.includes(one) : one === value);
  const pick = (one: unknown) =>
    !option.many ? one : picked.includes(one) ? picked.filter((other) => other !== one) : [...picked, one];
  return (
    <div class="option" data-option={option.name}>
      <p>
        <b>{option.title ?? sentence(words(option.name))}</b>
        {option.help && <small>{option.help}</small>}
      </p>
      {values ? (
        <div class="values">
          {values.map((one) => (
            <button
              type="button"
              class={isPicked(one) ? "picked" : undefined}
              aria-pressed={isPicked(one)}
              onClick={() => onChange(pick(one))}
            >
              {option.settings?.[String(one)]?.replace(/\.$/, "") ?? (one === true ? "Yes" : one === false ? "No" : sentence(words(String(one))))}
            </button>
          ))}
        </div>
      ) : (
        <input
          type={typeof option.default === "number" ? "number" : "text"}
          aria-label={words(option.name)}
          value={value == null ? "" : String(value)}
          onInput={(event) => {
            const text = event.currentTarget.value;
            onChange(text === "" ? option.default : typeof option.default === "number" ? Number(text) : text);
          }}
        />
      )}
    </div>
  );
}
